import { describe, expect, it } from '@jest/globals'
import type { Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { namedSessions } from './named-sessions.ts'

const TITLES: readonly (readonly [agent: string, id: string, title: string | null])[] = [
  ['claude-code', '4799f814-b4e5-4026', 'Implement the following plan:\n\n# Plan: Consolidate AGENTS.md'],
  ['codex', '47aaf814-0000-1111', 'Fix it'],
  ['claude-code', 'session-of-old', 'Fix it in the parser too'],
  ['opencode', 'ses_30bf77', null],
  ['codex', '99aaf814-0000-2222', 'Why does 4799f814 fail?'],
]

const filled = async (): Promise<Store> => {
  const store = createInMemoryStore()
  for (const [index, [agent, externalId, title]] of TITLES.entries())
    await store.sessions.append({ id: `${agent}:${externalId}`, agent, externalId }, 0, [
      {
        entry: {
          kind: 'message',
          id: 'm',
          at: 1_000 * (index + 1),
          role: 'user',
          content: [{ type: 'text', text: 'Fix it, by the plan' }],
        },
      },
      ...(title === null ? [] : [{ entry: { kind: 'title' as const, at: 1_000 * (index + 1), title } }]),
    ])
  return store
}

describe('namedSessions', () => {
  const found = async (text: string): Promise<readonly string[]> =>
    (await namedSessions((await filled()).sessions, text)).map(({ externalId }) => externalId)

  it('finds a session by its title, in any case and on one line, and by the beginning of it', async () => {
    expect(await found('Implement the following plan: # Plan: Consolidate AGENTS.md')).toEqual(['4799f814-b4e5-4026'])
    expect(await found(' implement the  following plan: # Plan…')).toEqual(['4799f814-b4e5-4026'])
    expect(await found('fix it in the')).toEqual(['session-of-old'])
  })

  it('puts the whole title before beginnings, and takes few letters for words', async () => {
    expect(await found('fix it')).toEqual(['47aaf814-0000-1111'])
    expect(await found('implement')).toEqual([])
    expect(await found('the following plan')).toEqual([])
    expect(await found('')).toEqual([])
  })

  it('finds a session by its id, with its agent or without, from six characters on', async () => {
    expect(await found('4799f814-b4e5-4026')).toEqual(['4799f814-b4e5-4026'])
    expect(await found('4799f8')).toEqual(['4799f814-b4e5-4026'])
    expect(await found('claude-code:4799f8')).toEqual(['4799f814-b4e5-4026'])
    expect(await found('ses_30')).toEqual(['ses_30bf77'])
    expect(await found('4799f')).toEqual([])
    expect(await found('claude-code:')).toEqual([])
    expect(await found('session')).toEqual([])
    expect(await found('%799f814')).toEqual([])
  })
})
