/**
 * `cairn session summarise --model`: a model's summary, charged to the session and, with `--compact`, inserted into its
 * log.
 */
import { CairnError, formatUsd, usdFromNano } from '@cairn/core'
import type {
  Engine,
  ModelEvent,
  Result,
  SessionSummary,
  SessionSummaryFailure,
  SessionSummaryText,
  SummarySpending,
} from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { openLanguageModel } from '../models/open-model.ts'
import { sendNotice } from '../output/request-notices.ts'
import { cancelOnSignal } from '../runtime/cancel-on-signal.ts'
import { Interrupted } from '../runtime/failure.ts'
import { counted, formatCount, formatWhole } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { createWaitingLine } from '../terminal/waiting-line.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { sessionText } from './session-named.ts'
import { undoCommand } from './undo-command.ts'

/** The options of a summary by a model. */
export interface ModelSummaryOptions extends CommonOptions {
  readonly model: string
  readonly provider?: string
  readonly baseUrl?: string
  /** The summary takes the place of the older messages. */
  readonly compact?: boolean
  /** With `compact`: tokens of the newest messages that stay; by default 20,000, at most a quarter. */
  readonly keep?: number
}

/** A summary to print. */
interface Shown {
  readonly session: SessionSummary
  readonly model: string
  readonly summary: Omit<SessionSummaryText, 'tokensBefore' | 'tokensAfter'> &
    Partial<Pick<SessionSummaryText, 'tokensBefore' | 'tokensAfter'>>
  /** The command that takes it out of the log again; undefined if it is not there. */
  readonly undo: string | undefined
  /** Why it does not stand in the log although it should: one sentence. */
  readonly conflict: string | undefined
}

/**
 * Asks a model for a summary and prints it, what it saves, and what it cost; with `--compact` it takes the older
 * messages' place. `{session, model, summary, missingSections, compacted, tokensBefore, tokensAfter, spending, undo,
 * conflict}` as JSON. Exit code 3 for a summary that is refused or comes too late.
 */
export const runModelSummary = async (
  session: SessionSummary,
  options: ModelSummaryOptions,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const entries = options.compact === true ? await engine.sessions.log(session.id) : []
  const result = await ask(session, options, engine, context)
  const shown = await shownOf(session, result, options, async () =>
    undoCommand(entries, await sessionText(session, options, engine, context), context.now()),
  )
  if (shown.conflict !== undefined) context.setExitCode(3)
  if (options.json === true) return context.json(summaryJson(shown))
  const { terminal } = context
  for (const line of lines(shown, terminal.width)) await terminal.line(line)
  if (shown.conflict !== undefined) terminal.note(shown.conflict)
}

const DRAW_MS = 250

/**
 * Asks the model, while a line on the terminal shows that it is writing; a signal stops it. A refusal or a failure of
 * the model is a result; rejects as opening the model does.
 */
const ask = async (
  session: SessionSummary,
  { model, provider, baseUrl, compact, keep }: ModelSummaryOptions,
  engine: Engine,
  context: Context,
): Promise<Result<SessionSummaryText, SessionSummaryFailure>> => {
  const asked = await openLanguageModel({ model, provider, baseUrl }, context)
  const { terminal } = context
  const cancel = cancelOnSignal()
  const line = createWaitingLine(terminal, `${neutraliseLine(model)} summarises the session`, () => context.now())
  let characters = 0
  /** Counts the characters written; a retry, which is told, starts again at 0. */
  const onEvent = (event: ModelEvent): void => {
    if (event.type === 'text') characters += event.text.length
    if (event.type !== 'retry') return
    characters = 0
    line.clear()
    const notice = sendNotice(event)
    if (notice !== undefined) terminal.note(notice)
  }
  const timer = setInterval(() => line.update(characters), DRAW_MS)
  try {
    const { signal } = cancel
    return await engine.context.summarise(session.id, { ...asked, compact, keepTokens: keep, signal, onEvent })
  } finally {
    clearInterval(timer)
    line.clear()
    cancel.end()
  }
}

/**
 * Returns what there is to print. Rejects if there is no summary, and says what was spent all the same; with
 * `Interrupted` after a signal. A summary that came too late for a compaction is printed, with the conflict. `undo` is
 * asked for only after a compaction.
 */
const shownOf = async (
  session: SessionSummary,
  result: Result<SessionSummaryText, SessionSummaryFailure>,
  { model }: ModelSummaryOptions,
  undo: () => Promise<string | undefined>,
): Promise<Shown> => {
  if (result.ok) {
    const { isCompacted } = result.value
    return { session, model, summary: result.value, undo: isCompacted ? await undo() : undefined, conflict: undefined }
  }
  const { code, message, text, spending, cause } = result.error
  if (text !== undefined) {
    const summary = { text, missingSections: [], isCompacted: false, spending }
    return { session, model, summary, undo: undefined, conflict: message }
  }
  const spent = spending.requests === 0 ? '' : ` It cost ${costText(spending)}, which is recorded in the session.`
  if (code === 'aborted') throw new Interrupted(`Stopped; the conversation was left as it is.${spent}`)
  const failure = code !== 'model-failed' ? 'summary-refused' : CairnError.is(cause) ? cause.code : 'unavailable'
  throw new CairnError(failure, `${message}${spent}`, { cause })
}

/** Returns what a summary cost, in USD, then `+ ?` if some of it has no price; `an unknown price` if nothing has. */
const costText = ({ costNano, requests, unpricedRequests }: SummarySpending): string =>
  unpricedRequests === requests ? 'an unknown price' : `${formatUsd(costNano)}${unpricedRequests > 0 ? ' + ?' : ''}`

/**
 * Yields lines, wrapped at `width` and safe to print: the summary, what it lacks, what it cost, then whether it takes
 * the place of messages, with the command that undoes it. With a `conflict` the last is left out: the caller prints
 * that.
 */
function* lines({ model, summary, undo, conflict }: Shown, width: number): Generator<string> {
  const { text, missingSections, tokensBefore, tokensAfter, isCompacted, spending } = summary
  for (const line of neutralise(text).trimEnd().split('\n')) yield* wrapLine(line, width)
  yield ''
  if (missingSections.length > 0)
    yield* wrapLine(`It says nothing under ${missingSections.map((title) => `"${title}"`).join(', ')}.`, width)
  const sizes =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : `About ${formatWhole(tokensBefore)} → ${counted(tokensAfter, 'token')}. `
  yield* wrapLine(
    `${sizes}${neutraliseLine(model)}: ${formatCount(spending.input)} tokens of input, ${formatCount(spending.output)} of output, ${costText(spending)}; recorded in the session.`,
    width,
  )
  if (conflict !== undefined) return
  yield* wrapLine(
    isCompacted
      ? `The summary takes the place of the older messages; the log keeps them.${undo === undefined ? '' : ` Undo: ${undo}`}`
      : 'The conversation was left as it is; --compact puts a summary in the place of its older messages.',
    width,
  )
}

/** Returns the document of `--json`; null for what is not known. */
const summaryJson = ({ session, model, summary, undo, conflict }: Shown): Record<string, unknown> => {
  const { costNano, ...spending } = summary.spending
  return {
    session: session.id,
    model,
    summary: summary.text,
    missingSections: summary.missingSections,
    compacted: summary.isCompacted,
    tokensBefore: summary.tokensBefore ?? null,
    tokensAfter: summary.tokensAfter ?? null,
    spending: { ...spending, costUsd: usdFromNano(costNano) },
    undo: undo ?? null,
    conflict: conflict ?? null,
  }
}
