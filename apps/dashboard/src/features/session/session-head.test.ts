import { describe, expect, it } from '@jest/globals'
import type { ImportSkip, MessageEntry, RequestFact } from '@cairn/core'
import { entryView } from '@cairn/core/conversation'
import { createInMemoryStore } from '@cairn/core/testing'
import { sessionHead } from './session-queries.ts'
import { editFolds } from './use-open-edit.ts'

const ID = 'claude-code:4799f814-b4e5-4026-a103-c25a2d038398'
const EXTERNAL = ID.slice('claude-code:'.length)

/** The head of a session whose requests were made on these branches, with what imports left out. */
const headOf = async (branches: readonly (readonly [string, bigint])[], skips: readonly ImportSkip[] = []) => {
  const store = createInMemoryStore()
  const session = { id: ID, agent: 'claude-code', externalId: EXTERNAL, branch: 'first' }
  const writes = branches.map(([branch, costNano], index) => {
    const request: RequestFact = {
      callId: `r${index}`,
      at: index,
      model: 'm',
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      costNano,
      costState: 'recorded',
      branch,
    }
    const entry = { kind: 'message' as const, at: index, id: `m${index}`, role: 'assistant' as const, content: [] }
    return { entry, request }
  })
  await store.sessions.append(session, 0, writes)
  return sessionHead({ ...store, imports: { skips: () => Promise.resolve(skips) } }, ID, 1)
}

describe('the head of a session', () => {
  it('names all branches that its requests were made on, with their cost', async () => {
    const head = await headOf([
      ['first', 1_000_000_000n],
      ['second', 7_000_000_000n],
      ['first', 2_000_000_000n],
    ])
    expect(head?.branches.map(({ name, cost }) => [name, cost.text])).toEqual([
      ['second', '$7.00'],
      ['first', '$3.00'],
    ])
    expect((await headOf([['first', 5n]]))?.branches).toEqual([])
  })

  it('says how many more branches there are than it names', async () => {
    const head = await headOf(Array.from({ length: 15 }, (_, index) => [`b${index}`, BigInt(index)] as const))
    expect([head?.branches.length, head?.branchesLeft]).toEqual([12, 3])
  })

  it('says which lines of its transcripts were left out, and nothing of other files', async () => {
    const skip = (file: string, line: number | undefined, count = 1): ImportSkip => ({
      file,
      reason: 'not valid JSON',
      count,
      ...(line === undefined ? {} : { line }),
    })
    const head = await headOf(
      [['first', 5n]],
      [
        skip(`/a/${EXTERNAL}.jsonl`, 1_500),
        skip(`/a/${EXTERNAL}/subagents/agent-1.jsonl`, 7, 3),
        skip('/a/other.jsonl', 4),
        skip(`/a/${EXTERNAL}.jsonl`, undefined),
      ],
    )
    expect(head?.remarks.map(({ text }) => text)).toEqual([
      `Left out on import: line 1,500 of ${EXTERNAL}.jsonl (not valid JSON).`,
      'Left out on import: 3 lines from line 7 on of agent-1.jsonl (not valid JSON).',
    ])
  })
})

describe('the edit that a list of files links to', () => {
  const entry: MessageEntry = {
    kind: 'message',
    seq: 9,
    at: 1,
    id: 'm',
    role: 'assistant',
    content: [],
  }
  const view = entryView(entry)
  const call = (...paths: readonly string[]) => ({
    ...{ type: 'call' as const, name: 'Edit', brief: '', output: null, text: '', length: 0 },
    edit: { paths, lines: [], linesLeft: 0, deletes: 0 },
  })

  it('is the call that edits the file, by its path in the project', () => {
    const blocks = [call('/w/shop/src/a.ts'), call('src/b.ts', 'C:\\w\\src\\a.ts'), call('/w/ba.ts'), call('src/a.ts')]
    const shown = view.kind === 'message' ? { ...view, blocks } : view
    expect(editFolds(shown, 'src/a.ts')).toEqual(['9.0', '9.1', '9.3'])
    expect(editFolds(shown, 'a.md')).toEqual([])
    expect(editFolds(undefined, 'src/a.ts')).toEqual([])
  })
})
