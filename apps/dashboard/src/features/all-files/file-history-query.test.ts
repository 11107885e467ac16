import { describe, expect, it } from '@jest/globals'
import type { EntryWrite } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { fileHistory } from './file-history-query.ts'

const call = (at: number, name: string, path: string): EntryWrite => ({
  entry: {
    kind: 'message',
    id: `m${at}`,
    at,
    role: 'assistant',
    content: [{ type: 'tool_call', id: `c${at}`, name, input: { file_path: path } }],
  },
})

const storeOf = async () => {
  const store = createInMemoryStore()
  const add = async (id: string, workspace: string | null, writes: readonly EntryWrite[]) => {
    const [agent = ''] = id.split(':')
    const facts = { id, agent, externalId: id, title: `About ${id}`, branch: 'main' }
    await store.sessions.append(workspace === null ? facts : { ...facts, workspace }, 0, writes)
  }
  await add('claude-code:a', '/work/shop', [
    call(1_000, 'Read', '/work/shop/src/a.ts'),
    call(3_000, 'Edit', '/work/shop/src/a.ts'),
    call(9_000, 'Edit', 'src/a.ts'),
    call(9_500, 'Edit', '/work/shop/lib/src/a.ts'),
  ])
  await add('codex:b', '/work/shop/', [call(5_000, 'Edit', 'src/a.ts')])
  await add('codex:c', '/work/tool', [call(7_000, 'Edit', 'src/a.ts')])
  return store
}
const query = { path: 'src/a.ts', folder: '/work/shop', isEditsOnly: false, page: 1 }

describe('fileHistory', () => {
  it('has every use of the file, newest first, however its path is written, and of no other file', async () => {
    const found = await fileHistory(await storeOf(), query)
    expect(found.rows.map(({ operation, at, sessionId }) => [operation, at, sessionId])).toEqual([
      ['edit', 9_000, 'claude-code:a'],
      ['edit', 5_000, 'codex:b'],
      ['edit', 3_000, 'claude-code:a'],
      ['read', 1_000, 'claude-code:a'],
    ])
    expect(found).toMatchObject({ count: 4, edits: 3, reads: 1, sessions: 2, isCut: false })
    expect(found.editors).toEqual([
      { agent: 'claude-code', edits: 2, sessions: 1 },
      { agent: 'codex', edits: 1, sessions: 1 },
    ])
    expect(found.rows[0]).toMatchObject({ agent: 'claude-code', title: 'About claude-code:a', branch: 'main', seq: 2 })
    const whole = await fileHistory(await storeOf(), { ...query, path: '/work/shop/src/a.ts', folder: null })
    expect(whole.rows).toEqual(found.rows.filter(({ sessionId, at }) => sessionId !== 'codex:b' && at !== 9_000))
  })

  it('is of edits alone where these are asked for, and its last page beyond the last', async () => {
    const edits = await fileHistory(await storeOf(), { ...query, isEditsOnly: true, page: 40 })
    expect([edits.page, edits.count, edits.rows.length]).toEqual([1, 3, 3])
  })

  it('is empty for a file that nothing used', async () => {
    expect(await fileHistory(await storeOf(), { ...query, path: 'a.tsx' })).toMatchObject({ rows: [], sessions: 0 })
    expect(await fileHistory(await storeOf(), { ...query, folder: '/work/none' })).toMatchObject({ sessions: 0 })
  })
})
