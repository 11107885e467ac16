/** `cairn context show`: what the next request of a session would contain. Read-only. */
import { parseTime, textOfBlock } from '@cairn/core'
import type {
  CacheAwarePreset,
  ContextBlock,
  ContextMessage,
  PolicyName,
  SessionContext,
  SessionSummary,
} from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { staleFiles } from '../output/file-change-text.ts'
import type { StaleText } from '../output/file-change-text.ts'
import { contextLines } from './context-report.ts'
import { commandText, contextSession, namesOf, type CommandText } from './context-session.ts'
import { kindTotals, restoreCommand } from './context-totals.ts'

/** The options of `context show`. */
export interface ShowOptions extends CommonOptions {
  readonly policy: PolicyName
  readonly preset: CacheAwarePreset
  readonly window?: number
  readonly prefix?: number
  readonly model?: string
  readonly at?: string
  readonly all?: boolean
}

/**
 * Shows the next request: its blocks, why they are sent or not, and the totals; `contextJson` as JSON. A request that
 * can't be made to fit the window is no failure. Writes nothing to the store. Rejects as {@link contextSession} does.
 */
export const runShow = async (named: string | undefined, options: ShowOptions, context: Context): Promise<void> => {
  const { timezone } = await context.settings(options)
  const at = options.at === undefined ? undefined : parseTime(options.at, timezone.value, 'until', context.now())
  const engine = await context.readEngine(options)
  const session = await contextSession(named, engine, options, context)
  const { policy, preset, window, prefix, model } = options
  const shown = await engine.context.nextRequest(session.id, {
    policy,
    preset,
    ...definedValues({ window, prefixTokens: prefix, model, at }),
  })
  const command = await commandText(session, named, options, engine, context)
  const stale = await staleFiles(engine, session)
  if (options.json === true) return context.json(contextJson(session, shown, command, stale))
  const { terminal } = context
  for (const line of contextLines({ session, shown, command, stale, all: options.all === true }, terminal)) {
    if (terminal.outputFailure !== undefined) return
    await terminal.line(line)
  }
}

/** Characters of a block's text in the JSON, enough to recognise it; `session export` has all of it. */
const EXCERPT = 200

/**
 * Returns the document of `--json`: the settings, what would be decided, the messages with their blocks, and totals;
 * null for what is not known.
 */
const contextJson = (
  session: SessionSummary,
  shown: SessionContext,
  command: CommandText,
  stale: StaleText,
): Record<string, unknown> => {
  const {
    prepared,
    messages,
    model,
    ratio,
    policy,
    preset,
    window,
    windowFrom,
    availableTokens,
    prefix,
    lastInput,
    level,
    now,
    lastRequestAt,
    isCold,
    cost,
  } = shown
  const names = namesOf(messages)
  const { entriesToAppend, reports } = prepared
  return {
    session: { id: session.id, title: session.title, workspace: session.workspace },
    at: now,
    model: model === '' ? null : model,
    estimates: { charsPerToken: ratio.charsPerToken, learned: ratio.observations > 0, from: ratio.from },
    policy,
    preset: policy === 'cache-aware' ? preset : null,
    window,
    windowFrom,
    prefixTokens: prefix,
    lastInputTokens: lastInput ?? null,
    room: availableTokens,
    tokens: prepared.tokens,
    level,
    fits: prepared.fits,
    overflow: prepared.overflow?.message ?? null,
    cache: { cold: isCold, lastRequestAt },
    cost: cost ?? null,
    decisions: reports.map((report, index) => decisionJson(report, entriesToAppend[index]?.changes.length ?? 0)),
    messages: messages.map((message) => messageJson(message, names.get(message.id) ?? message.id, command, stale)),
    totals: kindTotals(messages),
  }
}

/** Returns a decision that the policy would take now; `blocks` is the number of blocks it changes. */
const decisionJson = (
  {
    policy,
    trigger,
    removals,
    tokensBefore,
    tokensAfter,
    rewrittenTokens,
    costUsd,
    savedUsdPerRequest,
    restore,
  }: SessionContext['prepared']['reports'][number],
  blocks: number,
): Record<string, unknown> => ({
  policy,
  trigger,
  blocks,
  removals,
  tokensBefore,
  tokensAfter,
  rewrittenTokens,
  costUsd,
  savedUsdPerRequest,
  restore,
})

/** Returns a message for the document; its origin is `policy` if a policy inserted it, null if it has none. */
const messageJson = (
  { id, seq, role, at, origin, inserted, blocks }: ContextMessage,
  shortId: string,
  command: CommandText,
  stale: StaleText,
): Record<string, unknown> => ({
  id,
  shortId,
  seq,
  role,
  at,
  origin: inserted ? 'policy' : (origin ?? null),
  blocks: blocks.map((block) => blockJson(block, inserted ? null : restoreCommand(block, shortId, command), stale)),
})

/**
 * A block in the document. `restore` is the command that brings it back, null if there is none; `stale` says who
 * changed its file since, null if nobody did.
 */
const blockJson = (block: ContextBlock, restore: string | null, stale: StaleText): Record<string, unknown> => ({
  block: block.block,
  kind: block.kind,
  type: block.type,
  tool: block.tool ?? null,
  path: block.path ?? null,
  stale: stale(block.path) ?? null,
  state: block.state,
  why: block.reason.code,
  reason: block.reason.text,
  by: block.reason.by ?? null,
  tokens: block.tokens,
  tokensSent: block.tokensSent,
  changesNow: block.changesNow,
  restore,
  text: excerpt(textOfBlock(block.sent ?? block.original)),
})

/** The beginning of a text, with `…` if it was cut. */
const excerpt = (text: string): string =>
  text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT).replace(/[\ud800-\udbff]$/, '')}…`
