/** Sessions that a policy really trims: each request is prepared by the context engine, and what it decides goes to the log. */
import { createContext } from '../context/create-context.ts'
import type { Policy } from '../context/policy.ts'
import type { ContentBlock, Role } from '../messages.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'

export interface TrimmedSession {
  readonly log: readonly LogEntry[]
  /** Rewrites of what had been sent. */
  trims(): number
  add(entry: NewLogEntry): void
  user(text: string): void
  agent(text: string): void
  /** A call with its result, then the next request. */
  tool(name: string, input: Record<string, string>, output: string): void
}

const CHARACTERS_PER_TOKEN = 2.7
const START = Date.UTC(2026, 0, 5, 9)
const MINUTE = 60_000

/** A new session under a policy, with a window of so many tokens. */
export const trimmedSession = (policy: Policy, window: number): TrimmedSession => {
  const context = createContext(policy, CHARACTERS_PER_TOKEN)
  const log: LogEntry[] = []
  let calls = 0
  const now = (): number => START + log.length * MINUTE
  const add = (entry: NewLogEntry): void => {
    log.push({ ...entry, seq: log.length })
    context.step(log.slice(-1))
  }
  const message = (role: Role, content: readonly ContentBlock[]): void =>
    add({ kind: 'message', at: now(), id: `m${log.length}`, role, content })
  const request = (): void => {
    const situation = {
      now: now(),
      window,
      prefix: 0,
      availableTokens: window,
      lastUsed: 0,
      prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
      cacheLifetime: 300,
      refusals: 0,
    }
    log.push(...context.prepare(situation).entriesToAppend)
  }
  return {
    log,
    trims: () => log.filter((entry) => entry.kind === 'rewrite' && entry.trigger !== 'arrival').length,
    add,
    user: (text) => message('user', [{ type: 'text', text }]),
    agent: (text) => message('assistant', [{ type: 'text', text }]),
    tool: (name, input, output) => {
      calls += 1
      message('assistant', [{ type: 'tool_call', id: `call-${calls}`, name, input }])
      message('tool', [{ type: 'tool_result', callId: `call-${calls}`, content: [{ type: 'text', text: output }] }])
      request()
    },
  }
}
