import { NOW, HOUR, SHOP, openFixture } from '../memory/memory.fixture.ts'
import type { MemoryFixture } from '../memory/memory.fixture.ts'
import { isSameFile, sessionsOfFile } from './file-sessions.ts'
import { editsAt } from './session-edits.ts'

let fixture: MemoryFixture
beforeEach(() => {
  fixture = openFixture()
})

type Call = readonly [name: string, input: Readonly<Record<string, string>>]

/** A session that made calls, all in one message, with a result each. */
const work = async (id: string, at: number, ...calls: readonly Call[]): Promise<void> => {
  const results = calls.map((_, index) => ({
    kind: 'message' as const,
    at: at + 1 + index,
    id: `${id}-result-${index}`,
    role: 'tool' as const,
    content: [
      { type: 'tool_result' as const, callId: `${id}-${index}`, content: [{ type: 'text' as const, text: 'done' }] },
    ],
  }))
  const message = {
    kind: 'message' as const,
    at,
    id: `${id}-calls`,
    role: 'assistant' as const,
    content: calls.map(([name, input], index) => ({ type: 'tool_call' as const, id: `${id}-${index}`, name, input })),
  }
  await fixture.engine.sessions.append(
    { id, agent: id.split(':')[0] ?? '', externalId: id, workspace: SHOP },
    0,
    [message, ...results].map((entry) => ({ entry })),
  )
}
const edit = (path: string, text = 'x'): Call => ['Edit', { file_path: path, old_string: '', new_string: text }]
const read = (path: string): Call => ['Read', { file_path: path }]

describe('the sessions of a file', () => {
  it('are those that read or edited it, the last first, with how often and where', async () => {
    await work(
      'codex:1',
      NOW - 3 * HOUR,
      edit(`${SHOP}/src/cart.ts`),
      edit('src/cart.ts', 'y'),
      edit('src/cart.ts', 'z'),
      read('src/cart.ts'),
    )
    await work('pi:2', NOW - HOUR, read('./src/cart.ts'), edit('src/other.ts'))
    await work('cline:3', NOW, edit('packages/a/src/cart.ts'))
    await work('roo:4', NOW - 2 * HOUR, edit('/trees/fix/src/cart.ts'))
    const found = await sessionsOfFile(fixture.engine.store, { project: SHOP, path: 'src/cart.ts' })
    expect(
      found.map(({ session, edits, reads, at, seq, editSeq }) => [session.id, edits, reads, at, seq, editSeq]),
    ).toEqual([
      ['pi:2', 0, 1, NOW - HOUR, 0, undefined],
      ['roo:4', 1, 0, NOW - 2 * HOUR, 0, 0],
      ['codex:1', 3, 1, NOW - 3 * HOUR, 0, 0],
    ])
    expect(await sessionsOfFile(fixture.engine.store, { project: SHOP, path: 'src/none.ts' })).toEqual([])
  })

  it('are not those of a file whose path only ends alike', () => {
    const isIndex = (path: string): boolean => isSameFile({ path }, { project: SHOP, path: 'index.ts' })
    expect(['index.ts', './index.ts', `${SHOP}/index.ts`, '/trees/fix/index.ts'].filter(isIndex)).toHaveLength(4)
    expect(['src/index.ts', 'myindex.ts', `${SHOP}/src/index.ts`, '/trees/fix/myindex.ts'].filter(isIndex)).toEqual([])
  })

  it('lead to the edits of a message, or of the call that a result belongs to', async () => {
    await work('codex:1', NOW, edit('a.ts', 'one'), read('b.ts'), edit('c.ts', 'three'))
    const { sessions } = fixture.engine.store
    const passages = async (seq: number) =>
      (await editsAt(sessions, 'codex:1', seq)).map((each) => each.passages.join())
    expect(await Promise.all([0, 1, 2, 3, 4].map(passages))).toEqual([['one', 'three'], ['one'], [], ['three'], []])
  })
})
