/** `cairn context count`: compares the provider's own token count of a session's next request with the estimate. */
import type { CacheAwarePreset, CountedPart, CountedRequest, PolicyName, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import type { OpenedModel } from '../models/open-model.ts'
import { openSessionModel } from '../models/open-session-model.ts'
import { definedValues } from '../options/defined-values.ts'
import { counted, formatShare, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { createWaitingLine } from '../terminal/waiting-line.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { pad } from '../terminal/text-width.ts'
import { contextSession } from './context-session.ts'

/** The options of `context count`. */
export interface CountOptions extends CommonOptions {
  readonly policy: PolicyName
  readonly preset: CacheAwarePreset
  readonly model?: string
  readonly provider?: string
  readonly baseUrl?: string
}

/** What was counted, and by which provider. */
interface Counted {
  readonly session: SessionSummary
  readonly provider: string
  readonly count: CountedRequest
}

/**
 * Counts the next request with the provider's counter and keeps the count for later estimates: `{session, model,
 * provider, policy, counted, estimated, difference, parts, …}` as JSON. Rejects with the provider's error, and if it
 * has no counter.
 */
export const runCount = async (named: string | undefined, options: CountOptions, context: Context): Promise<void> => {
  const { policy, preset } = options
  const engine = await context.readEngine(options)
  const session = await contextSession(named, engine, options, context)
  const entries = await engine.sessions.log(session.id)
  const asked = await openSessionModel({ session, entries }, engine, options, context)
  const setting = { policy, preset, ...definedValues({ model: options.model }) }
  const count = await waitedFor(engine.context.countRequest(session.id, asked, setting), asked, context)
  const result: Counted = { session, provider: asked.languageModel.provider, count }
  if (options.json === true) return context.json(countJson(result))
  const { terminal } = context
  for (const line of countLines(result, terminal.width)) await terminal.line(line)
}

const DRAW_MS = 250

/**
 * Resolves with the result of the count; meanwhile, from a second on, a line on the terminal shows that it is running.
 */
const waitedFor = async (
  counting: Promise<CountedRequest>,
  { languageModel }: OpenedModel,
  { terminal, now }: Context,
): Promise<CountedRequest> => {
  const line = createWaitingLine(terminal, `${neutraliseLine(languageModel.provider)} counts`, now)
  const timer = setInterval(() => line.update(), DRAW_MS)
  try {
    return await counting
  } finally {
    clearInterval(timer)
    line.clear()
  }
}

const PARTS: Readonly<Record<CountedPart, string>> = {
  text: 'text',
  tools: 'tool calls and results',
  reasoning: 'reasoning',
  attachments: 'images and files',
}

/** How far an estimate is from the count, as a share with its sign; `-` if the count is 0. */
const offText = (estimated: number, real: number): string => {
  if (estimated === real) return '0.0 %'
  if (real <= 0) return '-'
  const share = estimated / real - 1
  return `${share > 0 ? '+' : '-'}${formatShare(Math.abs(share))}`
}

/**
 * Yields lines of at most `width` columns: session, model and policy, the count beside the estimate, what estimates
 * learned from it, what was left out, and the table of parts with its total.
 */
function* countLines({ session, provider, count }: Counted, width: number): Generator<string> {
  const { context, parts, refusedReasoning } = count
  const { model, policy, preset, prefix } = context
  const row = (name: string, text: string): readonly string[] => wrapAfter(pad(name, 9, 'left'), text, width)
  yield* wrapLine(neutraliseLine(session.title ?? session.externalId), width).slice(0, 2)
  yield* row('session', neutraliseLine(session.id))
  yield* row('model', `${neutraliseLine(model)}, counted by ${neutraliseLine(provider)}`)
  yield* row('policy', `${policy}${policy === 'cache-aware' ? ` (${preset})` : ''}`)
  yield* row(
    'counted',
    `${counted(count.counted, 'token')} of messages; the estimate was ${formatWhole(count.estimated)} (${offText(count.estimated, count.counted)})`,
  )
  yield* row('learned', learnedText(count))
  if (refusedReasoning > 0)
    yield* row(
      'left out',
      `${counted(refusedReasoning, 'block')} of reasoning, which the provider takes back only in the conversation that it signed it for`,
    )
  yield* row(
    'besides',
    prefix === 0
      ? 'system prompt and tools, which no log holds'
      : `system prompt and tools, which no log holds: about ${counted(prefix, 'token')} by the newest request`,
  )
  yield ''
  const { head, rows, total } = tableLines({
    columns: [
      { title: 'part' },
      ...['blocks', 'estimated', 'counted', 'off by'].map((title) => ({ title, align: 'right' as const })),
    ],
    rows: parts.map((part) => [PARTS[part.part], ...cells(part)]),
    total: ['Total', ...cells({ ...count, blocks: parts.reduce((sum, { blocks }) => sum + blocks, 0) })],
    width,
  })
  yield head
  yield* rows
  yield total ?? ''
}

/** What was learned about a model's characters per token, in a sentence. */
const learnedText = ({ context, ratio, estimatedNow }: CountedRequest): string => {
  if (ratio.from !== 'counter') return 'nothing: no text has so many characters a token, or so few'
  const before = context.ratio.charsPerToken
  return `estimates go by ${ratio.charsPerToken.toFixed(2)} characters a token from now on (until now ${before.toFixed(2)}), which gives ${formatWhole(estimatedNow)} here`
}

/** The cells of a row. */
const cells = ({
  blocks,
  estimated,
  counted: real,
}: {
  readonly blocks: number
  readonly estimated: number
  readonly counted: number
}): readonly string[] => [formatWhole(blocks), formatWhole(estimated), formatWhole(real), offText(estimated, real)]

/**
 * Returns the document of `--json`: the tokens of the messages as counted and as estimated, in all and by part, and the
 * characters per token before and after. `difference` is positive where the estimate was higher; `preset` is null
 * unless the policy is cache-aware.
 */
const countJson = ({ session, provider, count }: Counted): Record<string, unknown> => {
  const { context, parts, refusedReasoning, ratio, estimatedNow } = count
  return {
    session: { id: session.id, title: session.title, workspace: session.workspace },
    model: context.model,
    provider,
    policy: context.policy,
    preset: context.policy === 'cache-aware' ? context.preset : null,
    counted: count.counted,
    estimated: count.estimated,
    difference: count.estimated - count.counted,
    parts,
    refusedReasoning,
    prefixTokens: context.prefix,
    charsPerToken: { before: context.ratio.charsPerToken, after: ratio.charsPerToken },
    estimatedNow,
  }
}
