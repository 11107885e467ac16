/**
 * `cairn session trim`: removes old parts from the model's view manually, as a policy would. The log keeps everything.
 */
import { CairnError, createModelCatalog, pricesOfModel, ratioOfSession, sessionModel, trimContext } from '@cairn/core'
import type {
  CacheAwarePreset,
  Engine,
  LogEntry,
  MessageEntry,
  PolicyName,
  Removal,
  SessionSummary,
  Trim,
  TrimInput,
} from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { shellOption } from '../output/shell-word.ts'
import { counted, formatShare, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { shortIds } from './context-session.ts'
import { appendDecision, nextSeq, sessionNamed, sessionText } from './session-named.ts'
import { undoCommand } from './undo-command.ts'

/** The options of `session trim`. */
export interface TrimOptions extends CommonOptions {
  readonly policy: Exclude<PolicyName, 'none'>
  readonly preset: CacheAwarePreset
  readonly target?: TrimInput['target']
  readonly dryRun?: boolean
}

/** What a trim did, or would do. */
interface Outcome {
  readonly session: SessionSummary
  readonly trim: Trim
  /** What was left out: each block once. */
  readonly removals: readonly Removal[]
  readonly names: ReadonlyMap<string, string>
  /** The command that undoes the trim; undefined where there is no message to rewind to. */
  readonly undo: string | undefined
  readonly restore: string
}

const HALF: TrimInput['target'] = { share: 0.5 }
/** How many removals are listed, the largest first. */
const LISTED = 12

/**
 * Trims a session's context to the target, half of what it takes now unless given; nothing leaves the log. `{session,
 * policy, changed, dryRun, target, met, tokensBefore, tokensAfter, removals, restore, undo}` as JSON. Rejects, with
 * nothing changed, with `budget-exceeded` where the target can't be reached; `not-found` or `ambiguous` for the
 * session.
 */
export const runTrim = async (named: string | undefined, options: TrimOptions, context: Context): Promise<void> => {
  const { dryRun = false, policy, preset } = options
  const { prices } = await context.settings(options)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const entries = await engine.sessions.log(session.id)
  const trim = trimContext({
    ...(await modelOf(session, entries, engine, prices.value, context.now())),
    entries,
    now: context.now(),
    policy,
    preset,
    target: options.target ?? HALF,
  })
  if (!trim.isMet) throw outOfReach(trim, options)
  const decisions = trim.entriesToAppend.map(({ seq: _seq, ...entry }) => entry)
  if (decisions.length > 0 && !dryRun) await appendDecision(session, nextSeq(entries), decisions, engine)
  const outcome = await outcomeOf(session, trim, entries, options, engine, context)
  if (options.json === true) return context.json(outcomeJson(outcome, options, dryRun))
  for (const line of lines(outcome, options, dryRun, context.terminal.width)) await context.terminal.line(line)
}

/** Returns (does not throw) the error for a target that the policy can't reach. */
const outOfReach = ({ tokensBefore, tokensAfter, target }: Trim, { policy }: TrimOptions): CairnError =>
  new CairnError(
    'budget-exceeded',
    `The messages take about ${counted(tokensBefore, 'token')}, and ${policy} brings them to ${formatWhole(tokensAfter)} at least, not to the ${formatWhole(target)} asked for, as what is pinned and the newest question stay; nothing was changed.`,
  )

/**
 * Returns the facts and prices of the session's model, by which tokens are estimated and rewriting is priced. `prices`
 * is undefined if the session names no model, or no price of it is known.
 */
const modelOf = async (
  session: SessionSummary,
  entries: readonly LogEntry[],
  engine: Engine,
  overrides: Parameters<typeof pricesOfModel>[1]['overrides'],
  now: number,
): Promise<Pick<TrimInput, 'facts' | 'prices'>> => {
  const requests = await engine.store.usage.requests(session.id)
  const { model = '' } = sessionModel(entries, requests)
  const usual = (await createModelCatalog()).facts(model)
  const ratio = await ratioOfSession(engine.store, { sessionId: session.id, entries, requests, facts: usual })
  const facts = { ...usual, charsPerToken: ratio.charsPerToken }
  const prices =
    facts.id === ''
      ? undefined
      : await pricesOfModel(facts.id, {
          at: now,
          cacheLifetime: facts.cacheLifetimeSeconds,
          ...(overrides === undefined ? {} : { overrides }),
        })
  return { facts, prices }
}

/** Returns the trim with its removals, one for each block, the largest saving first, and the commands that undo it. */
const outcomeOf = async (
  session: SessionSummary,
  trim: Trim,
  entries: readonly LogEntry[],
  options: TrimOptions,
  engine: Engine,
  context: Context,
): Promise<Outcome> => {
  const { id, program, store } = await sessionText(session, options, engine, context)
  const messages = entries.filter(
    (entry): entry is MessageEntry => entry.kind === 'message' && entry.subagent === undefined,
  )
  const names = shortIds(messages.map((message) => message.id))
  const last = new Map<string, Removal>()
  for (const removal of trim.reports.flatMap(({ removals }) => removals)) {
    const blockKey = `${removal.seq}:${removal.block}`
    last.set(blockKey, { ...removal, savedTokens: removal.savedTokens + (last.get(blockKey)?.savedTokens ?? 0) })
  }
  return {
    session,
    trim,
    removals: [...last.values()].sort((left, right) => right.savedTokens - left.savedTokens),
    names,
    undo: undoCommand(entries, { id, program, store }, context.now()),
    restore: `${program} context restore <message>${shellOption('--session', id)}${store}`,
  }
}

/**
 * Yields what left the context, or would leave it (the largest blocks), and how to get it back; that nothing was
 * changed, if nothing had to.
 */
function* lines(
  { trim, removals, names, undo, restore }: Outcome,
  { policy }: TrimOptions,
  isDryRun: boolean,
  width: number,
): Generator<string> {
  const { tokensBefore, tokensAfter, target } = trim
  if (trim.entriesToAppend.length === 0) {
    yield* wrapLine(
      `The messages take about ${counted(tokensBefore, 'token')}, no more than ${formatWhole(target)}; nothing was changed.`,
      width,
    )
    return
  }
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [
      { title: 'message' },
      { title: 'block', align: 'right', dropRank: 3 },
      { title: 'kind', dropRank: 2 },
      { title: 'what', dropRank: 4 },
      { title: 'about', shorten: 'middle', minimum: 8, dropRank: 1 },
      { title: 'tokens', align: 'right' },
    ],
    rows: removals
      .slice(0, LISTED)
      .map(({ messageId, block, kind, what, path, savedTokens }) => [
        neutraliseLine(names.get(messageId) ?? messageId),
        String(block),
        kind,
        what,
        path === undefined ? '' : neutraliseLine(path),
        formatWhole(savedTokens),
      ]),
    total: ['Total', String(removals.length), '', '', '', formatWhole(tokensBefore - tokensAfter)],
    width,
  })
  yield head
  yield* rows
  if (removals.length > LISTED) yield `… ${counted(removals.length - LISTED, 'smaller block')}`
  yield total
  yield* wrapLine(
    `${isDryRun ? 'Would leave' : 'Left'} the context: ${counted(removals.length, 'block')}; the messages take about ${formatWhole(tokensBefore)} → ${counted(tokensAfter, 'token')} (${formatShare(tokensAfter / tokensBefore)}) by ${policy}.`,
    width,
  )
  yield* wrapLine(
    isDryRun
      ? 'Nothing was changed.'
      : `The log keeps everything. Back, one by one: ${restore}${undo === undefined ? '' : `; all of it: ${undo}`}`,
    width,
  )
}

/** Returns the document of `--json`: `restore` and `undo` are commands, null where nothing was changed (dry run). */
const outcomeJson = (
  { session, trim, removals, undo, restore }: Outcome,
  { policy }: TrimOptions,
  dryRun: boolean,
): Record<string, unknown> => {
  const isChanged = trim.entriesToAppend.length > 0 && !dryRun
  return {
    session: session.id,
    policy,
    changed: isChanged,
    dryRun,
    target: trim.target,
    met: trim.isMet,
    tokensBefore: trim.tokensBefore,
    tokensAfter: trim.tokensAfter,
    removals,
    restore: isChanged ? restore : null,
    undo: isChanged ? (undo ?? null) : null,
  }
}
