/** `cairn recall` as a process: typing errors are corrected and told, quoted words stand in the results, and what was said several times is one result. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

interface Answer {
  readonly notVerbatim?: readonly string[]
  readonly corrected?: readonly { readonly word: string; readonly instead: string }[]
  readonly results: readonly {
    readonly sessionId: string
    readonly messageId: string
    readonly snippet: string
    readonly alsoIn?: readonly { readonly sessionId: string; readonly seq: number; readonly messageId: string }[]
  }[]
  readonly memory: readonly { readonly text: string }[]
}

let box: Sandbox
const STORE = ['--store', 'file:s.db']

const line = (session: string, id: string, text: string): string =>
  JSON.stringify({ session, id, at: '2026-01-10T08:00:00Z', role: 'user', text, workspace: '/code/app' })

const LINES = [
  line('index', 'm1', 'findSessionIndex reads the checkpoint before the session is opened'),
  ...['first', 'fork', 'fork-of-fork'].map((session) =>
    line(session, `${session}-1`, 'The walrus waits for a clock that nobody ever sets, says the log.'),
  ),
]

const recall = (...args: readonly string[]) => box.cairn('recall', ...args, ...STORE)
const answer = async (...args: readonly string[]): Promise<Answer> =>
  (await box.json('recall', ...args, ...STORE)) as Answer

beforeAll(async () => {
  box = createSandbox()
  box.file('chat.jsonl', `${LINES.join('\n')}\n`)
  await box.cairn('import', '--from', 'chat.jsonl', '--agent', 'generic', ...STORE)
  await box.cairn('memory', 'add', 'discovery', 'The sesion is a gizmo', '--workspace', 'app', ...STORE)
})
afterAll(() => box.remove())

describe('typing errors', () => {
  it('are corrected, and the answer says so', async () => {
    const { stdout } = await recall('findSesionIndex', 'chekpoint')
    expect(stdout).toMatch(
      /^no “findSesionIndex”; showing “findSessionIndex”\nno “chekpoint”; showing “checkpoint”\n\n[^]*findSessionIndex reads/,
    )
    const { corrected, results } = await answer('findSesionIndex')
    expect(corrected).toEqual([{ word: 'findSesionIndex', instead: 'findSessionIndex' }])
    expect(results[0]?.messageId).toBe('m1')
    expect((await answer('findSesionIndex', '--by', 'session')).results[0]?.sessionId).toBe('generic:index')
  })

  it('are said nothing of where there are none', async () => {
    expect(await answer('checkpoint')).not.toHaveProperty('corrected')
    expect((await recall('checkpoint')).stdout).not.toContain('showing')
    expect(await answer('chekpoint', '--ranker', 'bm25')).toMatchObject({ results: [] })
  })

  it('are none where the memory has the word', async () => {
    const found = await answer('sesion')
    expect(found).not.toHaveProperty('corrected')
    expect(found.memory.length).toBe(1)
  })

  it('are corrected for many queries, too', async () => {
    box.file('queries.jsonl', '{"id":1,"query":"chekpoint"}\n{"id":2,"query":"checkpoint"}\n')
    const lines = (await recall('--queries', 'queries.jsonl')).stdout.trim().split('\n')
    const [first, second] = lines.map((each) => JSON.parse(each) as Answer)
    expect(first?.corrected).toEqual([{ word: 'chekpoint', instead: 'checkpoint' }])
    expect(first?.results[0]?.messageId).toBe('m1')
    expect(second).not.toHaveProperty('corrected')
  })
})

describe('what was said several times', () => {
  it('is one result, with the sessions that have it too', async () => {
    const { results } = await answer('walrus clock')
    expect(results.length).toBe(1)
    const ids = [results[0]?.messageId, ...(results[0]?.alsoIn ?? []).map(({ messageId }) => messageId)]
    expect(ids.toSorted()).toEqual(['first-1', 'fork-1', 'fork-of-fork-1'])
    expect((await recall('walrus clock')).stdout).toContain('  also in 2 other sessions\n')
  })
})

describe('quoted words', () => {
  it('stand just so in what is found, and the answer says where nothing has them', async () => {
    expect((await answer('"reads the checkpoint"')).results.map(({ messageId }) => messageId)).toEqual(['m1'])
    expect(await answer('"reads the checkpoint"')).not.toHaveProperty('notVerbatim')
    const near = await answer('"checkpoint reads the"')
    expect(near.notVerbatim).toEqual(['checkpoint reads the'])
    expect(near.results[0]?.messageId).toBe('m1')
    expect((await recall('"checkpoint reads the"')).stdout).toMatch(
      /^no message has “checkpoint reads the” word for word; showing what comes near\n\n/,
    )
    expect(await answer('"checkpoint reads the"', '--by', 'session')).not.toHaveProperty('notVerbatim')
  })
})
