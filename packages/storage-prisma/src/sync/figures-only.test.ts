/** With figures, no text leaves: the team's store is searched for what was planted, in every column of every table. */
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { openStore } from '../open-store.ts'
import { id, plant, sync } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const SESSIONS = 10
const stores = temporaryStores()

const word = (kind: string, number: number): string => `zq${kind}${number}zq`

/** Every row of every table of a database, as text; bytes as they are, too. */
const everything = async (address: string): Promise<string> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    )
    expect(tables.length).toBeGreaterThan(20)
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<Readonly<Record<string, unknown>>>(`SELECT * FROM ${name}`)
      for (const row of rows)
        for (const value of Object.values(row))
          texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

describe('figures', () => {
  it('hold none of 70 planted texts, titles, paths, branches, remotes and names of sessions', async () => {
    const [[, newLocal] = [], [, newTeam] = []] = stores.newAddress
    if (newLocal === undefined || newTeam === undefined) throw new Error('there are no stores')
    const address = await newTeam()
    const [local, team] = [await openStore(await newLocal()), await openStore(address)]
    const planted: string[] = []
    for (let number = 0; number < SESSIONS; number += 1) {
      const [title, path, branch, text, name, file, remote] = [
        'title',
        'path',
        'branch',
        'text',
        'name',
        'file',
        'remote',
      ].map((kind) => word(kind, number))
      planted.push(...[title, path, branch, text, name, file, remote].map(String))
      const isNamed = number % 2 === 0
      const session = isNamed ? `${String(name)}-${number}` : id(number)
      const agent = isNamed ? 'generic' : 'claude-code'
      const facts = { workspace: `/home/ada/${String(path)}/app`, branch: String(branch), title: String(title) }
      await plant(local, { session, agent, messages: 6 + number, call: number * 50, ...facts })
      const appended = await local.sessions.append({ id: `${agent}:${session}`, agent, externalId: session }, 'end', [
        { entry: { kind: 'notice', at: null, level: 'info', text: `${String(text)} was said` } },
        { entry: { kind: 'file', at: null, path: `src/${String(file)}.ts`, operation: 'read' } },
      ])
      expect(appended.ok).toBe(true)
      await local.projects.note([
        { path: facts.workspace, finding: 'repository', remote: `git.example.com/zqhostzq/${String(remote)}` },
      ])
    }
    await local.projects.choose([`/home/ada/${word('path', 0)}/app`], 'zqchosenzq')
    try {
      const report = await sync(local, team)
      expect(report).toMatchObject({ sessions: SESSIONS, entries: 0 })
      expect(report.requests).toBeGreaterThan(30)
      const all = await everything(address)
      expect(planted).toHaveLength(70)
      expect(planted.filter((found) => all.includes(found))).toEqual([])
      expect(all).not.toMatch(/planted text|\/home\/ada|zqhostzq|zqchosenzq|git\.example/)
      // Which project a folder belongs to did arrive, as a hash.
      expect(
        (await team.projects.workspaces()).filter(({ remote }) => /^~[0-9a-f]{16}$/.test(remote ?? '')),
      ).toHaveLength(SESSIONS)
      // The search does find what is there.
      expect(all).toContain('model-1')
      expect(all).toContain(id(1))
      // With text, all of it arrives, but for what lies in compressed content.
      await local.sync.source.sendAgain({ forget: false })
      await sync(local, team, { id: 'a', choices: { share: 'text' } })
      expect(await everything(address)).toContain(word('title', 3))
      expect(await everything(address)).toContain(word('remote', 3))
    } finally {
      await team.close()
      await local.close()
    }
  })

  it.each(stores.newAddress)('in %s keep the dates of sessions when derived data is rebuilt', async (_, newAddress) => {
    const [local, team] = [await openStore(await newAddress()), await openStore(await newAddress())]
    try {
      for (let number = 0; number < 4; number += 1)
        await plant(local, { session: id(number), agent: 'claude-code', messages: 3 + 2 * number, call: number * 50 })
      await sync(local, team)
      const dates = async () =>
        (await team.sessions.list({ sort: 'started' })).sessions.map((session) => [
          session.id,
          session.startedAt,
          session.updatedAt,
        ])
      const before = await dates()
      expect(before).toHaveLength(4)
      expect(before.flat()).not.toContain(null)
      await team.rebuild()
      expect(await dates()).toEqual(before)
    } finally {
      await team.close()
      await local.close()
    }
  })
})
