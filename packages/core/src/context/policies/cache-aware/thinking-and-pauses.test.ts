import { describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../../../messages.ts'
import type { LogEntry } from '../../../session-log.ts'
import type { Situation } from '../../policy.ts'
import { createContext, type Prepared } from '../../create-context.ts'
import { code, session, textOf } from './cache-aware.fixture.ts'
import { SITUATION } from '../../situation.fixture.ts'
import { cacheAwarePolicy } from './policy.ts'

interface Session {
  readonly tool: (text: string) => Prepared
  readonly endTurn: () => Prepared
}

/** Commands that are soon dead, each after a long thought. */
const thinkingSession = (given: Partial<Situation>): Session => {
  const context = createContext(cacheAwarePolicy('safe', { leastWarm: 200 }), 2.7)
  let requests = 0
  const add = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[]): void => {
    const { nextSeq: seq } = context.view
    const entry: LogEntry = {
      kind: 'message',
      seq,
      at: requests * 10_000,
      id: `m${seq}`,
      role,
      content,
      ...(role === 'assistant' ? { responseId: `r${requests}` } : {}),
    }
    context.step([entry])
  }
  const request = (): Prepared => context.prepare({ ...SITUATION, ...given, now: requests * 10_000 + 1000 })
  add('user', [{ type: 'text', text: 'Do it.' }])
  return {
    tool: (text) => {
      requests += 1
      add('assistant', [
        { type: 'thinking', text: `Thought ${requests}. `.repeat(60), signature: `s${requests}` },
        { type: 'tool_call', id: `c${requests}`, name: 'Bash', input: { command: `make part${requests}` } },
      ])
      add('tool', [{ type: 'tool_result', callId: `c${requests}`, content: [{ type: 'text', text }] }])
      return request()
    },
    endTurn: () => {
      requests += 1
      add('assistant', [{ type: 'text', text: 'Done.' }])
      add('user', [{ type: 'text', text: 'And the next thing, please.' }])
      return request()
    },
  }
}

const thoughts = ({ messages }: Prepared): number =>
  messages.flatMap(({ content }) => content.filter(({ type }) => type === 'thinking')).length

describe('signed reasoning under the cache-aware policy', () => {
  it("delays a rewrite that would invalidate the running turn's reasoning, and is removed by the next", () => {
    const run = thinkingSession({ thinkingSignature: 'bound-to-conversation' })
    const free = thinkingSession({ thinkingSignature: 'bound-to-turn' })
    let rewritesOfOther = 0
    for (let index = 1; index <= 100; index++) {
      const prepared = run.tool(code(`out${index}`, 40))
      expect(prepared.entriesToAppend).toEqual([])
      expect(thoughts(prepared)).toBe(index)
      rewritesOfOther += free.tool(code(`out${index}`, 40)).entriesToAppend.length
    }
    expect(rewritesOfOther).toBeGreaterThan(0)
    const after = run.endTurn()
    expect(after.entriesToAppend.map(({ trigger }) => trigger)).toEqual(['rent'])
    const [report] = after.reports
    const gone = report?.removals.filter(({ kind }) => kind === 'thinking') ?? []
    expect(gone.length).toBeGreaterThan(20)
    expect(gone.every(({ what }) => what === 'removed')).toBe(true)
    expect(thoughts(after) + gone.length).toBe(100)
    expect(report?.tokensAfter).toBe(after.tokens)
  })

  it('is removed by a rewrite that the window forces, with calls and results in pairs', () => {
    const run = thinkingSession({ thinkingSignature: 'bound-to-conversation', window: 32_000, availableTokens: 12_000 })
    let forced = 0
    for (let index = 1; index <= 40; index++) {
      const prepared = run.tool(code(`out${index}`, 40))
      expect(prepared.fits).toBe(true)
      if (prepared.entriesToAppend.length === 0) continue
      forced += 1
      expect(thoughts(prepared)).toBe(0)
    }
    expect(forced).toBeGreaterThan(0)
  })

  it("causes an error where the running turn's does not fit and the model requires it", () => {
    const run = thinkingSession({ thinkingSignature: 'bound-to-turn', window: 8000, availableTokens: 4000 })
    for (let index = 1; index <= 40; index++) {
      const prepared = run.tool('ok')
      expect(thoughts(prepared)).toBe(index)
      if (prepared.fits) continue
      expect(prepared.overflow?.message).toContain('the reasoning of the running turn')
      expect(prepared.overflow?.obstacles[0]?.why).toBe('running-thinking')
      return
    }
    throw new Error('Everything fitted.')
  })
})

describe('after a pause', () => {
  it('what the newest requests read and edited stays; older reads and commands are removed', () => {
    const run = session({ missUsd: 0.0001 })
    run.tool('Read', { file_path: 'src/old.ts' }, code('old', 60))
    for (let index = 0; index < 8; index++) run.tool('Bash', { command: `make ${index}` }, code(`out${index}`, 20))
    run.tool('Read', { file_path: 'src/file.ts' }, code('former', 60))
    run.tool('Read', { file_path: 'src/file.ts' }, code('recent', 60))
    run.tool('Edit', { file_path: 'src/other.ts', old_string: 'a', new_string: code('edited', 20) }, code('other', 20))
    const prepared = run.tool('Bash', { command: 'make it all' }, 'ok', 4000)
    expect(prepared.entriesToAppend.map(({ trigger }) => trigger)).toEqual(['cold-cache'])
    const sent = textOf(prepared)
    expect(sent).toContain('recentValue59 =')
    expect(sent).toContain('otherValue19 =')
    expect(sent).toContain('editedValue19 =')
    expect(sent).not.toContain('formerValue59 =')
    expect(sent).not.toContain('oldValue59 =')
  })
})
