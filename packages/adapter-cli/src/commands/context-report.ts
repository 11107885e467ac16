/**
 * What `cairn context show` prints: the setting, each message with its blocks, totals, and what the policy would do.
 */
import { TODO_LIST, textOfBlock } from '@cairn/core'
import type { ContextBlock, ContextMessage, EstimateRatio, SessionContext, SessionSummary } from '@cairn/core'
import { counted, formatCount, formatShare, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { StaleText } from '../output/file-change-text.ts'
import { pad, shortenEnd, shortenMiddle } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { namesOf, type CommandText } from './context-session.ts'
import { isGone, kindTotals, restoreCommand } from './context-totals.ts'

/** What is needed of the terminal to draw text. */
type Paper = Pick<Terminal, 'style' | 'width'>

/** Unchanged messages are listed if they are among this many newest ones. */
const NEWEST_LISTED = 40
/** Characters of a text that are examined: more than fit on any line. */
const TEXT_READ = 600

/** What `context show` prints. */
export interface ContextPage {
  readonly session: SessionSummary
  readonly shown: SessionContext
  readonly command: CommandText
  readonly stale: StaleText
  /** List every message. */
  readonly all: boolean
}

/**
 * Yields the lines that `context show` prints: the settings, the blocks of each message, the totals. Unless `all`, runs
 * of messages that left the context, or are old and sent whole, are folded into a line.
 */
export function* contextLines({ session, shown, command, stale, all }: ContextPage, paper: Paper): Generator<string> {
  yield* headLines(session, shown, paper)
  const { messages } = shown
  const names = namesOf(messages)
  const from = messages.length - NEWEST_LISTED
  let folded: ContextMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (!all && isPlain(message, index >= from)) {
      folded.push(message)
      continue
    }
    yield* foldedLines(folded, names, stale, paper)
    folded = []
    yield* messageLines(message, names.get(message.id) ?? message.id, stale, paper)
  }
  yield* foldedLines(folded, names, stale, paper)
  if (messages.length > 0) yield ''
  yield* tailLines(shown, names, command, paper)
}

/** Whether a message need not be listed: it left the context completely, or it is old and unchanged. */
const isPlain = ({ blocks }: ContextMessage, isNewest: boolean): boolean =>
  blocks.every(({ state }) => state === 'left-out') ||
  (!isNewest &&
    blocks.every(({ state, changesNow, reason }) => state === 'full' && !changesNow && reason.code !== 'newest-user'))

/** From this many consecutive messages on, they are folded into one line. */
const FOLDED_FROM = 3

/**
 * Yields messages that need not be listed: one line for all of them or, if they are few, the lines of each. `names`:
 * how a message is called, by its id; else its id.
 */
function* foldedLines(
  messages: readonly ContextMessage[],
  names: ReadonlyMap<string, string>,
  stale: StaleText,
  paper: Paper,
): Generator<string> {
  if (messages.length < FOLDED_FROM) {
    for (const message of messages) yield* messageLines(message, names.get(message.id) ?? message.id, stale, paper)
    return
  }
  const blocks = messages.flatMap((message) => message.blocks)
  const gone = blocks.filter(isGone)
  const present = blocks.filter((block) => !isGone(block))
  const sum = (own: readonly ContextBlock[]): string =>
    formatCount(own.reduce((total, { tokens }) => total + tokens, 0))
  const why = [...new Set(gone.map(({ reason }) => reason.text.replace(/:.*/, '')))]
    .slice(0, 2)
    .map(neutraliseLine)
    .join(', ')
  const mark = gone.some(({ changesNow }) => changesNow) ? '*' : ''
  const parts = [
    ...(present.length === 0 ? [] : [`${counted(present.length, 'block')} kept, ${sum(present)} tokens`]),
    ...(gone.length === 0 ? [] : [`${counted(gone.length, 'block')} left out${mark}, ${sum(gone)} tokens (${why})`]),
  ]
  yield paper.style(
    'dim',
    shortenEnd(`· ${counted(messages.length, 'message')} (--all): ${parts.join('; ')}`, paper.width),
  )
}

/**
 * Returns the session, its model and window, what is used, and what the policy would change, as lines. Cut to the
 * width; a title to two lines.
 */
const headLines = (session: SessionSummary, shown: SessionContext, { width, style }: Paper): readonly string[] => {
  const row = (name: string, text: string): readonly string[] => wrapAfter(pad(name, 9, 'left'), text, width)
  const { prepared, window, windowFrom, availableTokens, prefix, lastInput, level, model, policy, preset, ratio } =
    shown
  const origin = { given: '', model: '', recorded: ', as larger requests were answered', assumed: ', assumed' }[
    windowFrom
  ]
  const used = prefix + prepared.tokens
  return [
    ...wrapLine(neutraliseLine(session.title ?? session.externalId), width)
      .slice(0, 2)
      .map((line) => style('bold', line)),
    ...row('session', neutraliseLine(session.id)),
    ...row(
      'model',
      `${model === '' ? 'not known' : neutraliseLine(model)}; window ${counted(window, 'token')}${origin}`,
    ),
    ...row(
      'used',
      `about ${counted(used, 'token')}: messages ${formatWhole(prepared.tokens)} of ${formatWhole(availableTokens)} (${shareText(prepared.tokens / availableTokens)}, ${level}), system prompt and tools ${formatWhole(prefix)}${lastInput === undefined ? '' : `; the provider counted ${formatWhole(lastInput)} for the last request`}`,
    ),
    ...row('estimate', `${ratio.charsPerToken.toFixed(2)} characters a token, ${RATIO_ORIGINS[ratio.from]}`),
    ...row('policy', `${policy}${policy === 'cache-aware' ? ` (${preset})` : ''}; ${decisionText(shown)}`),
    ...row('cache', cacheText(shown)),
    '',
  ]
}

const RATIO_ORIGINS: Readonly<Record<EstimateRatio['from'], string>> = {
  session: "learned from this session's requests",
  'other-session': 'learned from the newest other session with this model',
  counter: "learned from the provider's own counter",
  model: 'usual for the model; nothing was learned yet',
}

/** From this factor on, a share is written as a multiple. */
const TIMES_FROM = 10

/** A share in percent, or as a multiple if it is large. */
const shareText = (share: number): string =>
  share < TIMES_FROM ? formatShare(share) : `${formatWhole(Math.round(share))} times as much`

const TRIGGERS: Readonly<Record<string, string>> = {
  window: 'to fit the window',
  'cold-cache': 'as the cache is cold anyway',
  rent: 'as they cost more than writing the rest again',
  arrival: 'before they are sent for the first time',
  refused: 'as the provider refused the request',
}

/** Returns what the policies would change now, why, and by how many tokens; that nothing would change. */
const decisionText = ({ prepared }: SessionContext): string => {
  const [first] = prepared.reports
  const last = prepared.reports.at(-1)
  if (first === undefined || last === undefined) return 'nothing would change now'
  const decided = prepared.reports.filter(({ policy }) => policy !== TODO_LIST)
  const blocks = decided.reduce((sum, { removals }) => sum + removals.length, 0)
  const why = [...new Set(decided.map(({ trigger }) => TRIGGERS[trigger] ?? trigger))].join(', ')
  const parts = [
    ...(decided.length === 0 ? [] : [`change ${counted(blocks, 'block')} now (*), ${neutraliseLine(why)}`]),
    ...(decided.length === prepared.reports.length ? [] : ['put the todo list in']),
  ]
  return `would ${parts.join('; and ')}: ${formatWhole(first.tokensBefore)} to ${counted(last.tokensAfter, 'token')}`
}

/** Whether the provider's cache is still warm, and what the next request's input costs cold and warm. */
const cacheText = ({ isCold, lastRequestAt, cost }: SessionContext): string => {
  const state =
    lastRequestAt === null
      ? 'cold: no request so far'
      : `${isCold ? 'cold' : 'warm'}: last request ${formatTime(lastRequestAt)}`
  return `${state}; ${cost === undefined ? 'no price is known' : `the next request's input costs ${usd(cost.coldUsd)} cold, ${usd(cost.warmUsd)} warm`}`
}

/** Dollars with four digits below a dollar, otherwise two. */
const usd = (value: number): string => `$${value.toFixed(value < 0.995 ? 4 : 2)}`

/** Columns for a message's id: those of some agents are long. */
const ID_WIDTH = 40

/** Yields a message's heading, and a line for each of its blocks. What the policy put in has no id. */
function* messageLines(
  { role, at, origin, inserted, blocks }: ContextMessage,
  name: string,
  stale: StaleText,
  { width, style }: Paper,
): Generator<string> {
  const who = inserted
    ? "as a user's message"
    : [role, ...(origin === 'summary' ? ['summary'] : origin === 'meta' ? ['by the program'] : [])].join(', ')
  const head = `${shortenMiddle(inserted ? 'put in by the policy' : neutraliseLine(name), Math.max(ID_WIDTH, width - ID_WIDTH))}  ${who}  ${formatTime(at)}`
  yield style(role === 'user' ? 'green' : role === 'assistant' ? 'cyan' : 'dim', shortenEnd(head, width))
  for (const block of blocks) yield blockLine(block, isGone(block) ? undefined : stale(block.path), width, style)
}

const STATE_STYLES = {
  full: undefined,
  pinned: 'green',
  dropped: 'red',
  shortened: 'yellow',
  'left-out': 'yellow',
} as const

/**
 * A block on one line: number, kind, tokens, state with its reason, who changed its file since, and the beginning of
 * its text. Cut to the width. A star marks what changes now.
 */
const blockLine = (block: ContextBlock, stale: string | undefined, width: number, style: Terminal['style']): string => {
  const { state, kind, reason, tokens, tokensSent, changesNow, original } = block
  const left = `  :${pad(String(block.block), 3, 'left')} ${pad(kind, 8, 'left')} ${pad(formatCount(tokensSent), 6, 'right')}  `
  const stateText = pad(`${state === 'left-out' ? 'left out' : state}${changesNow ? '*' : ''}`, 10, 'left')
  const was = tokensSent === tokens ? '' : ` (was ${formatCount(tokens)})`
  const text = neutraliseLine(textOfBlock(original).slice(0, TEXT_READ))
  const right = shortenEnd(
    `${neutraliseLine(reason.text)}${was}${stale === undefined ? '' : `, stale${stale === '' ? '' : `: ${stale}`}`}${text === '' ? '' : ` · ${text}`}`,
    width - left.length - stateText.length - 1,
  )
  const colour = STATE_STYLES[state]
  return `${left}${colour === undefined ? stateText : style(colour, stateText)} ${right}`.trimEnd()
}

/**
 * Yields how to bring the last block that left back, a warning if the request does not fit, and the table of totals by
 * kind.
 */
function* tailLines(
  { messages, prepared }: SessionContext,
  names: ReadonlyMap<string, string>,
  commandOf: CommandText,
  { width, style }: Paper,
): Generator<string> {
  const totals = kindTotals(messages)
  const sum = (pick: (total: (typeof totals)[number]) => number): number =>
    totals.reduce((all, total) => all + pick(total), 0)
  /** The cells of a row: counts and tokens as `pick` takes them, of one kind or of all. */
  const cells = (kind: string, pick: (of: (total: (typeof totals)[number]) => number) => number): readonly string[] => [
    kind,
    formatWhole(pick(({ blocks }) => blocks)),
    formatWhole(pick(({ tokens }) => tokens)),
    formatWhole(pick(({ shortened }) => shortened)),
    formatWhole(pick(({ leftOut }) => leftOut)),
    formatWhole(pick((total) => total.saidTokens)),
  ]
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [
      { title: 'kind' },
      ...['sent', 'tokens', 'shortened', 'left out', 'tokens as said'].map((title) => ({
        title,
        align: 'right' as const,
      })),
    ],
    rows: totals.map((own) => cells(own.kind, (of) => of(own))),
    total: cells('Total', sum),
    width,
  })
  // Hint and warning come before the table, so that the total is the last line.
  const away = messages
    .filter(({ inserted }) => !inserted)
    .flatMap(({ id, blocks }) => blocks.map((block) => restoreCommand(block, names.get(id) ?? id, commandOf)))
  const command = away.findLast((each) => each !== null) ?? undefined
  if (command !== undefined) yield* wrapLine(`The log keeps everything whole; to bring a block back: ${command}`, width)
  if (prepared.overflow !== undefined)
    yield* wrapLine(prepared.overflow.message, width).map((line) => style('red', line))
  if (command !== undefined || prepared.overflow !== undefined) yield ''
  yield style('bold', head)
  yield* rows
  yield style('bold', total)
}
