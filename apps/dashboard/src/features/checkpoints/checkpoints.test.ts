import type { CheckpointRecord, NewLogEntry, SessionSummary, Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { random } from '../../../e2e/synthetic-usage.ts'
import { checkpointRow } from './checkpoint-view.ts'
import { projectCheckpoints, sessionCheckpoints } from './checkpoints-query.ts'
import { CHECKPOINT_PAGE } from './page-sizes.ts'

const T0 = 1_700_000_000_000
const SHOP = '/work/shop'
const ID = 'codex:1'

let store: Store
beforeEach(() => {
  store = createInMemoryStore()
})

const record = (id: string, at: number, changes: Partial<CheckpointRecord> = {}): CheckpointRecord => ({
  id,
  workspace: SHOP,
  sessionId: null,
  at,
  commit: 'c0ffee',
  files: 3,
  bytes: 4_096,
  kind: 'manual',
  label: null,
  leftOut: { count: 0, named: [] },
  ...changes,
})

const sessionOf = async (entries: readonly NewLogEntry[]): Promise<SessionSummary> => {
  const facts = { id: ID, agent: 'codex', externalId: '1', workspace: SHOP }
  await store.sessions.append(
    facts,
    0,
    entries.map((entry) => ({ entry })),
  )
  const session = await store.sessions.get(ID)
  if (session === undefined) throw new Error('it was appended')
  return session
}
const message = (at: number, id: string): NewLogEntry => ({
  kind: 'message',
  at,
  id,
  role: 'user',
  content: [{ type: 'text', text: 'Go on.' }],
})
const idsOf = ({ rows }: { readonly rows: readonly { readonly id: string }[] }) => rows.map(({ id }) => id)

describe('the checkpoints of a session', () => {
  it('are its own, those made in its project meanwhile, and those that only its log still names', async () => {
    const session = await sessionOf([
      message(T0, 'm1'),
      { kind: 'checkpoint', at: T0 + 1_000, checkpointId: 'pruned' },
      { kind: 'checkpoint', at: T0 + 2_000, checkpointId: 'own' },
      message(T0 + 9_000, 'm2'),
    ])
    for (const each of [
      record('own', T0 + 2_000, { sessionId: ID }),
      record('own-long-after', T0 + 9e9, { sessionId: ID }),
      record('hook', T0 + 4_000),
      record('hook-just-after', T0 + 9_000 + 59_000),
      record('later', T0 + 9_000 + 61_000),
      record('before', T0 - 1),
      record('of-another-session', T0 + 5_000, { sessionId: 'codex:2' }),
      record('elsewhere', T0 + 5_000, { workspace: '/work/other' }),
    ])
      await store.checkpoints.add(each)
    const { rows, count } = await sessionCheckpoints(store, session, 1)
    expect(idsOf({ rows })).toEqual(['own-long-after', 'hook-just-after', 'hook', 'own', 'pruned'])
    expect(count).toBe(5)
    expect(rows.at(-1)).toMatchObject({ at: T0 + 1_000, kept: null, purpose: 'not kept any more' })
  })

  it('are none where there is none', async () => {
    expect(await sessionCheckpoints(store, await sessionOf([message(T0, 'm1')]), 3)).toEqual({
      rows: [],
      page: 1,
      count: 0,
    })
  })
})

describe('a list of checkpoints', () => {
  it('is shown in parts that are the whole list, of a session, a project and all', async () => {
    const next = random(9)
    for (const count of [0, 1, CHECKPOINT_PAGE, CHECKPOINT_PAGE + 1, 173]) {
      store = createInMemoryStore()
      const session = await sessionOf([message(T0, 'm1')])
      const all = Array.from({ length: count }, (_, index) =>
        record(`${Math.floor(next() * 1e9)}-${index}`, T0 + Math.floor(next() * 40) * 1e6, {
          workspace: next() < 0.4 ? '/work/other' : SHOP,
          sessionId: next() < 0.5 ? ID : 'codex:2',
        }),
      )
      for (const each of all) await store.checkpoints.add(each)
      const newestFirst = all.toSorted((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
      for (const [pageOf, wanted] of [
        [(page: number) => projectCheckpoints(store, { page }), newestFirst],
        [
          (page: number) => projectCheckpoints(store, { project: SHOP, page }),
          newestFirst.filter(({ workspace }) => workspace === SHOP),
        ],
        [
          (page: number) => sessionCheckpoints(store, session, page),
          newestFirst.filter(({ sessionId }) => sessionId === ID),
        ],
      ] as const) {
        const ids: string[] = []
        const pages = Math.max(1, Math.ceil(wanted.length / CHECKPOINT_PAGE))
        for (let page = 1; page <= pages; page += 1) {
          const part = await pageOf(page)
          expect([part.page, part.count]).toEqual([page, wanted.length])
          ids.push(...idsOf(part))
        }
        expect(ids).toEqual(wanted.map(({ id }) => id))
        expect((await pageOf(pages + 7)).page).toBe(pages)
      }
      const { projects } = await projectCheckpoints(store, { page: 1 })
      expect(projects.reduce((sum, { checkpoints }) => sum + checkpoints, 0)).toBe(count)
    }
  })
})

describe('a checkpoint', () => {
  it('says what it is for, what it left out, and how it is compared and restored', () => {
    const row = checkpointRow(
      record('01KB7Q2X0000000000ABCDEFGH', T0, {
        workspace: "/work/it's here",
        label: 'before the upgrade',
        leftOut: {
          count: 9,
          named: [
            { path: 'big.bin', isFolder: false, reason: 'too-large', size: 52_000_000 },
            { path: 'node_modules', isFolder: true, reason: 'ignored' },
            { path: 'x', isFolder: false, reason: 'of a later version' },
          ],
        },
      }),
    )
    expect(row).toMatchObject({ shortId: 'abcdefgh', purpose: 'before the upgrade' })
    expect(row.kept?.leftOut).toEqual({
      count: 9,
      named: [
        { path: 'big.bin', why: 'over 10 MB: 52.0 MB' },
        { path: 'node_modules/', why: 'ignored by git’s rules' },
        { path: 'x', why: 'of a later version' },
      ],
    })
    expect(row.kept?.commands).toEqual({
      show: `cairn checkpoint show abcdefgh --workspace '/work/it'\\''s here'`,
      diff: `cairn checkpoint diff abcdefgh --workspace '/work/it'\\''s here'`,
      restore: `cairn checkpoint restore abcdefgh --workspace '/work/it'\\''s here'`,
    })
  })

  it('has words for what an older version did not store', () => {
    const purposeOf = (changes: Partial<CheckpointRecord>) => checkpointRow(record('c', T0, changes)).purpose
    expect(purposeOf({ kind: 'before-restore', label: 'before 01KB was restored' })).toBe('before a restore')
    expect(purposeOf({ kind: 'agent' })).toBe('made by an agent')
    expect(purposeOf({ kind: null })).toBe('no label')
    expect(checkpointRow(record('c', T0, { leftOut: null })).kept?.leftOut).toBeNull()
  })
})
