/** Roles of a team's store: what they are for works, and fifty attempts at more do not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { USAGE_GROUPINGS } from '@cairn/core'
import { withdrawSessions } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { depsOf, id, plant, sync } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'
import { teamRolesSql } from './team-roles.ts'

// Before the server is gone: hooks run in the order in which they are declared.
afterAll(async () => {
  for (const store of locals) await store.close()
  await client.query(`DROP OWNED BY ${USERS.join(', ')} CASCADE`)
  for (const user of USERS) await client.query(`DROP ROLE ${user}`)
  await client.end()
})

const stores = temporaryStores()
const [[, newLocal] = [], [, newTeam] = []] = stores.newAddress
const USERS = ['ada', 'bo', 'lea', 'root'].map((name) => `${name}_${process.pid}`)
const [ADA = '', BO = '', LEA = '', ROOT = ''] = USERS

let owner = ''
let client: pg.Client
const locals: DatabaseStore[] = []

const addressOf = (user: string): string => {
  const address = new URL(owner)
  address.username = user
  address.password = 'pw'
  return address.toString()
}

/** What a user gets for a statement, as text; its rows, or the error. */
const attempt = async (user: string, sql: string): Promise<string> => {
  const own = new pg.Client({ connectionString: addressOf(user) })
  own.on('error', () => undefined)
  await own.connect()
  try {
    const results: unknown = await own.query(sql)
    return JSON.stringify(
      (Array.isArray(results) ? results : [results]).map((result: pg.QueryResult<object>) => result.rows),
    )
  } catch (error) {
    return String(error)
  } finally {
    await own.end()
  }
}

/** A hash of every row of every table, and of who may do what. */
const everything = async (): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  )
  const hashes: string[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ hash: string | null }>(
      `SELECT md5(string_agg(each::text, '|' ORDER BY each::text)) AS hash FROM ${name} AS each`,
    )
    hashes.push(`${name} ${found[0]?.hash ?? ''}`)
  }
  const rights = await client.query(
    `SELECT relname, relrowsecurity, relacl::text FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'cairn_figures'::regnamespace)
       AND relkind IN ('r', 'v', 'S') ORDER BY relnamespace::regnamespace::text, relname`,
  )
  const members = await client.query(
    'SELECT roleid::regrole::text, member::regrole::text FROM pg_auth_members ORDER BY 1, 2',
  )
  const functions = await client.query('SELECT count(*)::int AS count FROM pg_proc')
  return JSON.stringify([hashes, rights.rows, members.rows, functions.rows])
}

beforeAll(async () => {
  if (newTeam === undefined || newLocal === undefined) throw new Error('there are no stores')
  owner = await newTeam()
  await (await openStore(owner)).close()
  client = new pg.Client({ connectionString: owner })
  await client.connect()
  for (const user of USERS) await client.query(`CREATE USER ${user} PASSWORD 'pw'`)
  await client.query(teamRolesSql({ developers: [ADA, BO], leads: [LEA], admins: [ROOT] }))
  for (let number = 0; number < 3; number += 1) locals.push(await openStore(await newLocal()))
  const [ada, bo, root] = locals
  if (ada === undefined || bo === undefined || root === undefined) throw new Error('there are three')
  for (const [number, messages] of [9, 41, 2_300].entries())
    await plant(ada, { session: id(number), messages, call: number * 10_000, branch: 'side' })
  for (const [number, messages] of [17, 4].entries())
    await plant(bo, { session: id(100 + number), messages, call: 500_000 + number * 10_000, branch: 'main' })
  // Both have it: it is of who comes first.
  for (const store of [ada, bo]) await plant(store, { session: id(50), messages: 12, call: 700_000 })
  await plant(root, { session: id(200), messages: 6, call: 800_000, workspace: '/work/open', title: 'zqtitlezq' })
}, 120_000)

const asUser = async <T>(user: string, work: (store: DatabaseStore) => Promise<T>): Promise<T> => {
  const store = await openStore(addressOf(user))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Adds a message whose request is a known one with a longer reply, which cost more. */
const reportAgain = async (store: DatabaseStore, session: string, seq: number, callId: string): Promise<void> => {
  const [known] = (await store.usage.requests(`claude-code:${session}`)).slice(-1)
  if (known === undefined) throw new Error('the session has no request')
  const at = known.at ?? 0
  const {
    mode: _mode,
    subagent: _subagent,
    workspace: _workspace,
    provider: _provider,
    costSplit: _split,
    ...figures
  } = known
  const result = await store.sessions.append(
    { id: `claude-code:${session}`, agent: 'claude-code', externalId: session },
    seq,
    [
      {
        entry: { kind: 'message', id: 'again', at, role: 'assistant', content: [] },
        request: { callId, ...figures, at, outputTokens: 90_000, costNano: 9_000_000_000n, costState: 'recorded' },
      },
    ],
  )
  if (!result.ok) throw new Error(`the session has ${result.error.actualSeq} entries`)
}

const local = (number: number): DatabaseStore => {
  const store = locals[number]
  if (store === undefined) throw new Error('there is no such store')
  return store
}

describe("a team's roles", () => {
  it('let developers sync, admins share text, and leads read all figures', async () => {
    const machines = [
      { id: 'machine of ada', person: 'Ada', personId: 'p-ada' },
      { id: 'machine of bo', person: 'Bo', personId: 'p-bo' },
    ] as const
    const [ofAda, ofBo] = await Promise.all([
      asUser(ADA, (team) => sync(local(0), team, machines[0])),
      asUser(BO, (team) => sync(local(1), team, machines[1])),
    ])
    // One of the two has the session that both have.
    expect([ofAda.sessions + ofBo.sessions, ofAda.kept.otherCopy + ofBo.kept.otherCopy]).toEqual([4 + 3 - 1, 1])
    await local(0).sync.source.sendAgain({ forget: false })
    expect(await asUser(ADA, (team) => sync(local(0), team, machines[0]))).toMatchObject({ withdrawn: 0 })
    const text = { share: 'text' } as const
    expect(
      await asUser(ROOT, (team) => sync(local(2), team, { id: 'machine of root', person: 'Root', choices: text })),
    ).toMatchObject({ sessions: 1, entries: 6 })
    const all = await openStore(owner)
    try {
      // The sums that a trigger made are those of the requests.
      expect(await all.verify()).toEqual([])
      const [one, two, three] = await Promise.all(
        locals.map(async (store) => (await store.usage.report({ by: 'day' })).total.costNano),
      )
      const both = (await local(0).usage.report({ by: 'session' })).rows.find(({ key }) => key.endsWith(id(50)))
      const { total } = await all.usage.report({ by: 'person' })
      expect(total.costNano).toBe((one ?? 0n) + (two ?? 0n) + (three ?? 0n) - (both?.costNano ?? 0n))
      await asUser(LEA, async (team) => {
        for (const by of USAGE_GROUPINGS)
          expect(await team.usage.report({ by })).toEqual(await all.usage.report({ by }))
        const { sessions } = await team.sessions.list({})
        expect(sessions).toHaveLength(7)
        expect(sessions.map(({ title }) => title)).toEqual(sessions.map(() => null))
        expect(await team.sessions.read(`claude-code:${id(200)}`)).toEqual([])
      })
      // What is shared, developers read.
      expect(await asUser(ADA, (team) => team.sessions.read(`claude-code:${id(200)}`))).toHaveLength(6)
    } finally {
      await all.close()
    }
  }, 120_000)

  it('let developers continue and withdraw what is theirs, with all sums, and nothing else', async () => {
    await plant(local(0), { session: id(1), messages: 10, call: 10_000 }, 41)
    const machine = { id: 'machine of ada', person: 'Ada', personId: 'p-ada' }
    const all = await openStore(owner)
    try {
      const before = (await all.usage.report({ by: 'day' })).total.requests
      expect(await asUser(ADA, (team) => sync(local(0), team, machine))).toMatchObject({ sessions: 1, requests: 5 })
      expect((await all.usage.report({ by: 'day' })).total.requests).toBe(before + 5)
      expect(await all.verify()).toEqual([])
      // A request that costs more than was known, of a day whose sums the owner has put together: no request more.
      await all.cleanUp.removeOrphans({ dryRun: false, quick: true })
      expect(
        (await client.query('SELECT 1 FROM usage_margin WHERE day BETWEEN 0 AND 20500 AND shard > 0')).rows,
      ).toEqual([])
      const earlier = (await all.usage.report({ by: 'mode' })).total
      await reportAgain(local(0), id(1), 51, 'call-10041')
      await asUser(ADA, (team) => sync(local(0), team, machine))
      const later = (await all.usage.report({ by: 'mode' })).total
      expect([later.requests, later.costNano > earlier.costNano]).toEqual([earlier.requests, true])
      expect(await all.verify()).toEqual([])
      const text = { ...machine, choices: { share: 'text' } } as const
      await local(0).sync.source.sendAgain({ forget: false })
      const report = await asUser(ADA, (team) => sync(local(0), team, text))
      expect([report.entries, report.kept.text > 0]).toEqual([0, true])
      await asUser(ADA, async (team) => {
        const deps = depsOf(local(0), () => Promise.resolve(team.sync.target), machine)
        expect(await withdrawSessions(deps, [`claude-code:${id(2)}`])).toBe(1)
        await expect(team.sync.target.withdraw([`claude-code:${id(100)}`])).rejects.toThrow(/does not allow this/)
        await expect(team.sync.target.withdraw([`claude-code:${id(200)}`])).rejects.toThrow(/does not allow this/)
      })
      expect(await all.sessions.get(`claude-code:${id(2)}`)).toBeUndefined()
      expect((await all.usage.report({ by: 'day' })).total.requests).toBe(before + 5 - 1_150)
      expect(await all.sessions.get(`claude-code:${id(100)}`)).toBeDefined()
      expect(await all.verify()).toEqual([])
      // A name that is another's.
      await local(0).sync.source.sendAgain({ forget: false })
      await expect(asUser(ADA, (team) => sync(local(0), team, { ...machine, person: 'Bo' }))).rejects.toThrow(
        /another person's/,
      )
      await expect(asUser(LEA, (team) => sync(local(0), team, machine))).rejects.toThrow()
      expect(await all.verify()).toEqual([])
    } finally {
      await all.close()
    }
  }, 120_000)

  it('let a dashboard of leads open the store for reading alone', async () => {
    const store = await openStore(addressOf(LEA), { isReadOnly: true })
    try {
      await store.check()
      const { sessions, total } = await store.sessions.list({})
      expect(total).toBeGreaterThan(0)
      expect(sessions.every(({ title }) => title === null)).toBe(true)
      expect((await store.usage.report({ by: 'person' })).rows.length).toBeGreaterThan(1)
    } finally {
      await store.close()
    }
  })

  it('are set up again without a change', async () => {
    const before = await everything()
    await client.query(teamRolesSql({ developers: [ADA, BO], leads: [LEA], admins: [ROOT] }))
    expect(await everything()).toBe(before)
  })

  it('give a user another role in place of the one that they had', async () => {
    const before = await everything()
    const searchPath = async () =>
      (
        await client.query<{ setconfig: readonly string[] | null }>(
          `SELECT setconfig FROM pg_db_role_setting WHERE setrole = '${LEA}'::regrole`,
        )
      ).rows.map(({ setconfig }) => setconfig)
    expect(await searchPath()).toEqual([['search_path=cairn_figures']])
    await client.query(teamRolesSql({ developers: [LEA], leads: [BO] }))
    const has = async (user: string, role: string): Promise<boolean | undefined> =>
      (await client.query<{ has: boolean }>(`SELECT pg_has_role('${user}', '${role}', 'USAGE') AS has`)).rows[0]?.has
    expect([await has(LEA, 'cairn_developer'), await has(LEA, 'cairn_lead')]).toEqual([true, false])
    expect([await has(BO, 'cairn_developer'), await has(BO, 'cairn_lead')]).toEqual([false, true])
    expect(await searchPath()).toEqual([])
    await client.query(teamRolesSql({ developers: [BO], leads: [LEA] }))
    expect(await everything()).toBe(before)
  })

  it('refuse a user with two roles, and one that is called as a role', () => {
    expect(() => teamRolesSql({ developers: [ADA], leads: [ADA] })).toThrow(/both cairn_developer and cairn_lead/)
    expect(() => teamRolesSql({ developers: [ADA, ADA] })).not.toThrow()
    expect(() => teamRolesSql({ admins: ['cairn_developer'] })).toThrow(/is a role itself/)
  })

  it('refuse names that can not be any', () => {
    expect(() => teamRolesSql({ leads: [''] })).toThrow(/can't be the name/)
    expect(() => teamRolesSql({ developers: ['x'.repeat(64)] })).toThrow(/can't be the name/)
    const sql = teamRolesSql({ developers: ['a"; DROP TABLE session; --'], leads: ["l'); DROP TABLE session; --"] })
    expect(sql).toContain('GRANT cairn_developer TO "a""; DROP TABLE session; --";')
    expect(sql).toContain("'l''); DROP TABLE session; --'")
  })

  const OF_BO = `(SELECT id FROM public.session WHERE "key" = 'claude-code:${id(100)}')`
  const OF_ADA = `(SELECT id FROM public.session WHERE "key" = 'claude-code:${id(1)}')`
  const MACHINE_OF_BO = `(SELECT id FROM public.machine WHERE "key" = 'machine of bo')`
  const ATTEMPTS: readonly (readonly [user: string, sql: string])[] = [
    // Others' rows, changed.
    [ADA, `UPDATE session SET cost_nano = 0 WHERE id = ${OF_BO}`],
    [
      ADA,
      `UPDATE session SET machine_id = (SELECT id FROM machine WHERE "key" = 'machine of ada') WHERE id = ${OF_BO}`,
    ],
    [ADA, `UPDATE session SET machine_id = ${MACHINE_OF_BO} WHERE id = ${OF_ADA}`],
    [ADA, `UPDATE usage_fact SET cost_nano = 1 WHERE session_id = ${OF_BO}`],
    [ADA, `UPDATE usage_fact SET session_id = ${OF_BO} WHERE session_id = ${OF_ADA}`],
    [ADA, `UPDATE usage_quarter SET cost_nano = cost_nano + 1 WHERE session_id = ${OF_BO}`],
    [ADA, `UPDATE usage_day SET session_id = ${OF_BO} WHERE session_id = ${OF_ADA}`],
    [ADA, 'UPDATE usage_margin SET cost_nano = 0'],
    [ADA, 'UPDATE usage_total SET requests = requests * 2'],
    [ADA, `UPDATE machine SET owner = session_user, person = 'Ada' WHERE id = ${MACHINE_OF_BO}`],
    [ADA, `UPDATE machine SET owner = '${BO}' WHERE "key" = 'machine of ada'`],
    [ADA, `UPDATE machine SET person = 'Bo' WHERE "key" = 'machine of ada'`],
    [ADA, `UPDATE machine SET person_key = 'p-bo' WHERE "key" = 'machine of ada'`],
    [ADA, "UPDATE workspace SET path = 'mine'"],
    [
      ADA,
      "UPDATE workspace SET remote = 'x' WHERE path IN (SELECT path FROM workspace WHERE id IN (SELECT workspace_id FROM session WHERE machine_id <> (SELECT id FROM machine WHERE \"key\" = 'machine of ada')))",
    ],
    [ADA, "UPDATE label SET value = 'x'"],
    [ADA, 'UPDATE clean_up SET removed_names = 99'],
    [ADA, 'UPDATE clean_up SET id = id'],
    [ADA, "UPDATE entry SET body = ''"],
    // Others' rows, deleted.
    [ADA, `DELETE FROM session WHERE id = ${OF_BO}`],
    [ADA, `DELETE FROM usage_fact WHERE session_id = ${OF_BO}`],
    [ADA, `DELETE FROM usage_quarter WHERE session_id = ${OF_BO}`],
    [ADA, 'DELETE FROM usage_margin'],
    [ADA, 'DELETE FROM usage_total'],
    [ADA, 'DELETE FROM machine'],
    [ADA, 'DELETE FROM deleted_session'],
    [ADA, 'DELETE FROM label; DELETE FROM workspace'],
    [ADA, 'DELETE FROM entry; DELETE FROM pack'],
    [ADA, 'TRUNCATE usage_total'],
    // Rows for others, inserted.
    [ADA, `INSERT INTO deleted_session ("key", deleted_at) VALUES ('claude-code:${id(100)}', 1)`],
    [ADA, `INSERT INTO session ("key", external_id, machine_id) VALUES ('claude-code:x', 'x', ${MACHINE_OF_BO})`],
    [ADA, "INSERT INTO session (\"key\", external_id) VALUES ('claude-code:x', 'x')"],
    [ADA, `INSERT INTO machine ("key", synced_at, owner) VALUES ('new', 1, '${BO}')`],
    [ADA, "INSERT INTO machine (\"key\", synced_at, person) VALUES ('new', 1, 'Bo')"],
    [
      ADA,
      `INSERT INTO usage_quarter SELECT * FROM usage_quarter WHERE session_id = ${OF_BO} ON CONFLICT (bucket, session_id, workspace_id, model_id, mode_id, agent_id, branch_id) DO UPDATE SET requests = usage_quarter.requests + 5`,
    ],
    [ADA, 'INSERT INTO usage_total SELECT * FROM usage_total ON CONFLICT (bucket, shard) DO UPDATE SET requests = 7'],
    [
      ADA,
      'INSERT INTO usage_margin SELECT 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7',
    ],
    [ADA, `MERGE INTO session USING (VALUES (1)) AS one (x) ON session.id = ${OF_BO} WHEN MATCHED THEN DELETE`],
    // More rights.
    [ADA, `SET ROLE cairn_admin; UPDATE session SET cost_nano = 0 WHERE id = ${OF_BO}`],
    [ADA, `SET ROLE ${ROOT}`],
    [ADA, 'SET SESSION AUTHORIZATION cairn; DELETE FROM session'],
    [ADA, `SET row_security = off; UPDATE session SET cost_nano = 0 WHERE id = ${OF_BO}`],
    [ADA, 'ALTER TABLE session DISABLE ROW LEVEL SECURITY'],
    [ADA, 'DROP POLICY cairn_own_update ON session'],
    [ADA, 'GRANT ALL ON session TO PUBLIC'],
    [ADA, `GRANT cairn_admin TO ${ADA}`],
    [ADA, `CREATE FUNCTION mine() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`],
    [ADA, 'SELECT cairn_sum_insert()'],
    [
      ADA,
      'CREATE TEMP TABLE bait AS SELECT * FROM usage_quarter; CREATE TRIGGER bait AFTER INSERT ON bait REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION cairn_sum_insert(); INSERT INTO bait SELECT * FROM bait',
    ],
    [
      ADA,
      `CREATE TEMP TABLE machine AS SELECT * FROM public.machine; UPDATE machine SET owner = session_user; UPDATE public.session SET cost_nano = 0 WHERE id = ${OF_BO}`,
    ],
    [ADA, `CREATE TEMP VIEW mine AS SELECT * FROM session; UPDATE mine SET cost_nano = 0 WHERE id = ${OF_BO}`],
    [ADA, "DO $$ BEGIN EXECUTE 'DELETE FROM usage_total'; END $$"],
    [ADA, "COPY session FROM PROGRAM 'echo 1'"],
    [ADA, "SELECT setval('session_id_seq', 1)"],
    [ADA, 'ALTER TABLE usage_total DISABLE TRIGGER cairn_skip; DELETE FROM usage_total'],
    [ADA, 'SELECT text FROM memory_version; SELECT text FROM note_version; SELECT value FROM state'],
    // Text, read by a lead.
    [LEA, 'SELECT * FROM public.session'],
    [LEA, 'SELECT title FROM public.session'],
    [LEA, 'SELECT * FROM session'],
    [LEA, "SELECT encode(body, 'escape') FROM public.entry"],
    [LEA, "SELECT encode(body, 'escape') FROM entry"],
    [LEA, "SELECT encode(data, 'escape') FROM public.pack"],
    [LEA, 'SELECT * FROM pack; SELECT * FROM block; SELECT * FROM search_page; SELECT * FROM search_tail'],
    [LEA, 'SELECT * FROM public.search_page; SELECT 1'],
    [LEA, 'SELECT text FROM public.memory_version'],
    [LEA, 'SELECT * FROM public.note_version'],
    [LEA, 'SET search_path = public; SELECT title FROM session'],
    [LEA, 'SET ROLE cairn_developer; SELECT title FROM public.session'],
    [LEA, 'COPY public.session TO STDOUT'],
    [LEA, 'COPY (SELECT title FROM public.session) TO STDOUT'],
    [LEA, 'CREATE TEMP VIEW mine AS SELECT title FROM public.session; SELECT * FROM mine'],
    [LEA, 'CREATE VIEW cairn_figures.mine AS SELECT title FROM public.session'],
    [LEA, 'CREATE OR REPLACE VIEW cairn_figures.session AS SELECT * FROM public.session'],
    [LEA, "SELECT pg_read_file('postgresql.conf')"],
    [LEA, "SELECT query_to_xml('SELECT title FROM public.session', true, true, '')"],
    [LEA, "SELECT table_to_xml('public.session', true, true, '')"],
    [LEA, "SELECT most_common_vals::text FROM pg_stats WHERE tablename = 'session' AND attname = 'title'"],
    [LEA, 'LOCK TABLE public.session'],
    // And figures, changed by one.
    [LEA, 'UPDATE session SET cost_nano = 0'],
    [LEA, 'DELETE FROM usage_total'],
    [LEA, 'DELETE FROM public.usage_total'],
    [LEA, `INSERT INTO machine ("key", synced_at, person) VALUES ('new', 1, 'Lea')`],
    [LEA, 'SELECT cairn_owns_session(1)'],
    [LEA, 'CREATE TABLE mine (x text)'],
  ]

  it('stop more than fifty attempts at what is not theirs', async () => {
    expect(ATTEMPTS.length).toBeGreaterThan(50)
    await client.query(
      "INSERT INTO note_version (workspace, \"key\", text, created_at, valid_from) VALUES ('w', 'k', 'zqnotezq', 1, 1)",
    )
    await client.query('ANALYZE session')
    // The texts are there to be found.
    expect(JSON.stringify((await client.query('SELECT title FROM session')).rows)).toContain('zqtitlezq')
    const before = await everything()
    for (const [user, sql] of ATTEMPTS) {
      const answer = await attempt(user, sql)
      expect([sql, answer.match(/zq\w+zq|planted text/)?.[0]]).toEqual([sql, undefined])
      const after = await everything()
      expect([sql, after === before ? 'nothing changed' : after]).toEqual([sql, 'nothing changed'])
    }
  }, 300_000)
})
