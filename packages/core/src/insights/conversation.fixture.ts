/** Sessions with chosen sizes and gaps, priced at simple prices. */
import type { ContentBlock, ToolCallBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import { NO_TOKENS, type TokenUsage } from '../ports/price-book.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { NewLogEntry } from '../session-log.ts'
import { createPriceBook } from '../usage/price-book.ts'
import { pricedRequest } from '../usage/priced-request.ts'

/** Nano-USD a token: read 1,000, input 10,000, write 12,500 (5 minutes) or 20,000 (an hour), output 50,000. */
export const READ = 1_000
export const WRITE = 12_500
export const WRITE_1H = 20_000

const price = { input: 10, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20, output: 50 }

export const book = createPriceBook({ overrides: { dear: price, other: price } })

export const MINUTE = 60_000
export const START = Date.UTC(2026, 0, 5, 9)

export interface Step {
  /** Tokens of a request; without it the step is no reply. */
  readonly usage?: Partial<TokenUsage>
  readonly model?: string
  readonly subagent?: string
  /** Minutes since the step before; default 1. */
  readonly after?: number
  readonly says?: string
  readonly calls?: readonly Omit<ToolCallBlock, 'type'>[]
  readonly user?: string
  /** The thinking setting noted with the text of the user. */
  readonly thinking?: string
  /** The reply has reasoning. */
  readonly thinks?: true
  /** The result of a call, by its id. */
  readonly result?: readonly [callId: string, text: string, isError?: boolean]
  readonly compaction?: true
  /** Old results were cleared. */
  readonly clears?: true
  /** A text that the agent's program wrote. */
  readonly meta?: string
  readonly notice?: string
  /** A failure that the agent's program told. */
  readonly failure?: string
  readonly mode?: string | undefined
  /** The request is in an entry of its own behind its reply, which is in the steps before. */
  readonly noted?: true
}

/** The writes of a session; request and entry ids begin with `name`. */
export const conversation = (name: string, steps: readonly Step[]): readonly EntryWrite[] => {
  let at = START
  return steps.map((step, index): EntryWrite => {
    at += (step.after ?? 1) * MINUTE
    const id = `${name}-${index}`
    const entry = entryOf(step, id, at)
    if (step.usage === undefined) return { entry }
    const fact: RequestFact = {
      callId: id,
      at,
      model: step.model ?? 'dear',
      ...(step.mode === undefined ? {} : { mode: step.mode }),
      ...(step.subagent === undefined ? {} : { subagent: step.subagent }),
      ...NO_TOKENS,
      ...step.usage,
      costNano: null,
      costState: 'unpriced',
    }
    return { entry, request: pricedRequest(fact, book, at) }
  })
}

const entryOf = (step: Step, id: string, at: number): NewLogEntry => {
  if (step.compaction === true) return { kind: 'compaction', at, trigger: 'auto' }
  if (step.clears === true) return { kind: 'compaction', at, trigger: 'auto', partial: true }
  if (step.notice !== undefined) return { kind: 'notice', at, level: 'info', text: step.notice }
  if (step.failure !== undefined) return { kind: 'notice', at, level: 'error', text: step.failure }
  if (step.noted === true) return { kind: 'model', at, model: step.model ?? 'dear' }
  const subagent = step.subagent === undefined ? {} : { subagent: step.subagent }
  const message = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[]) => ({
    kind: 'message' as const,
    id,
    at,
    role,
    content,
    ...subagent,
  })
  if (step.user !== undefined)
    return {
      ...message('user', [{ type: 'text', text: step.user }]),
      ...(step.thinking === undefined ? {} : { thinking: step.thinking }),
    }
  if (step.meta !== undefined)
    return { kind: 'message', id, at, role: 'user', origin: 'meta', content: [{ type: 'text', text: step.meta }] }
  if (step.result !== undefined) {
    const [callId, text, isError = false] = step.result
    return message('tool', [{ type: 'tool_result', callId, content: [{ type: 'text', text }], isError }])
  }
  return message('assistant', [
    ...(step.thinks === true ? [{ type: 'thinking' as const, text: 'hm' }] : []),
    ...(step.says === undefined ? [] : [{ type: 'text' as const, text: step.says }]),
    ...(step.calls ?? []).map((call): ToolCallBlock => ({ type: 'tool_call', ...call })),
  ])
}
