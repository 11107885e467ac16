/** Small conversations for the default policy's tests: reads, commands and edits, one request after the other. */
import type { ContentBlock } from '../../../messages.ts'
import type { LogEntry } from '../../../session-log.ts'
import type { Situation } from '../../policy.ts'
import { createContext, type Context, type Prepared } from '../../create-context.ts'
import { SITUATION } from '../../situation.fixture.ts'
import { cacheAwarePolicy } from './policy.ts'
import type { CacheAwareSettings } from './settings.ts'

/** Lines of code, different for every seed. */
export const code = (seed: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `  const ${seed}Value${line} = compute${seed}(${line}, options.${seed}Flag)`,
  ).join('\n')

export interface Session {
  readonly context: Context
  readonly log: LogEntry[]
  /** The user says something. */
  user(text: string): void
  /** The model calls a tool and gets a result; that takes `gap` seconds. Gives the request that follows. */
  tool(name: string, input: Record<string, string>, result: string, gap?: number): Prepared
  situation(): Situation
}

/** A session under the default policy, followed live. */
export const session = (settings: Partial<CacheAwareSettings> = {}, given: Partial<Situation> = {}): Session => {
  const context = createContext(cacheAwarePolicy('safe', settings), 2.7)
  const log: LogEntry[] = []
  let at = 0
  let calls = 0
  const situation = (): Situation => ({ ...SITUATION, ...given, now: at + 1000 })
  const add = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[]): void => {
    const entry: LogEntry = {
      kind: 'message',
      seq: context.view.nextSeq,
      at,
      id: `m${context.view.nextSeq}`,
      role,
      content,
      ...(role === 'assistant' ? { responseId: `r${calls}` } : {}),
    }
    log.push(entry)
    context.step([entry])
  }
  add('user', [{ type: 'text', text: 'Do it.' }])
  return {
    context,
    log,
    situation,
    user: (text) => add('user', [{ type: 'text', text }]),
    tool: (name, input, result, gap = 10) => {
      calls += 1
      add('assistant', [{ type: 'tool_call', id: `c${calls}`, name, input }])
      at += gap * 1000
      add('tool', [{ type: 'tool_result', callId: `c${calls}`, content: [{ type: 'text', text: result }] }])
      const prepared = context.prepare(situation())
      log.push(...prepared.entriesToAppend)
      return prepared
    },
  }
}

/** The text of everything that a request holds. */
export const textOf = ({ messages }: Prepared): string => JSON.stringify(messages)
