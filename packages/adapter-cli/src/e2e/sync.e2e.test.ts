/** `cairn sync` as a user meets it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '@cairn/storage-prisma'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'

const TEAM = ['--store', 'file:team.db']
let box: Sandbox

beforeEach(async () => {
  box = createSandbox({ CAIRN_TEAM_URL: 'file:team.db' })
  box.file('logs/one.jsonl', claudeSession('one', '2026-01-30'))
  await box.cairn('import', '--from', 'logs')
})
afterEach(() => box.remove())

const costOf = async (...args: readonly string[]): Promise<unknown> =>
  ((await box.json('usage', ...args)) as { readonly total: unknown }).total

describe('cairn sync', () => {
  it('shows what would leave, sends it once, and takes a session back', async () => {
    const { counts, rows } = (await box.json('sync', '--dry-run')) as {
      readonly counts: { readonly session: number; readonly request: number }
      readonly rows: readonly unknown[]
    }
    expect(counts).toMatchObject({ machine: 1, session: 1, entry: 0 })
    expect(rows).toHaveLength(2 + counts.request)
    expect((await box.cairn('sync', '--dry-run')).stdout).toMatch(/^Total +\d+ {2}nothing has left/m)
    expect((await box.cairn('usage', ...TEAM)).code).toBe(2)
    expect(await box.json('sync')).toMatchObject({ sessions: 1, requests: counts.request, team: 'file:team.db' })
    expect(await box.json('sync')).toMatchObject({ sessions: 0, requests: 0, commits: 0 })
    expect(await costOf(...TEAM)).toEqual(await costOf())
    const { sessions } = (await box.json('session', 'list')) as {
      readonly sessions: readonly { readonly id: string }[]
    }
    expect(await box.json('sync', '--withdraw', String(sessions[0]?.id))).toEqual({ sessions: 1, withdrawn: 1 })
    expect(await costOf(...TEAM)).toMatchObject({ requests: 0 })
    expect(await box.json('sync', '--all')).toMatchObject({ sessions: 0, requests: 0 })
    expect(await costOf(...TEAM)).toMatchObject({ requests: 0 })
  })

  it('sends everything once more after a replica, which lacks what was sent last, took the server’s place', async () => {
    const team = join(box.folder, 'team.db')
    const add = async (name: string): Promise<void> => {
      box.file(`logs/${name}.jsonl`, claudeSession(name, '2026-01-31'))
      await box.cairn('import', '--from', 'logs')
    }
    await box.cairn('sync')
    copyFileSync(team, `${team}.replica`)
    await add('two')
    expect(await box.json('sync')).toMatchObject({ sessions: 1 })
    rmSync(team)
    renameSync(`${team}.replica`, team)
    await add('three')
    const own = await openStore(`file:${join(box.folder, 'data', 'cairn.db')}`)
    const [identity = ''] = Object.keys((await own.state.get({ tier: 'global' }, 'sync.timelines')) ?? {})
    await own.state.set({ tier: 'global' }, new Map([['sync.timelines', { [identity]: 'the one before' }]]))
    await own.close()
    const { code, stdout, stderr } = await box.cairn('sync')
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^A replica has taken the place of the team's server since/),
    ])
    expect(stdout).toMatch(/^Total sent: 3 sessions/m)
    expect(await costOf(...TEAM)).toEqual(await costOf())
    await add('four')
    expect(await box.json('sync')).toMatchObject({ sessions: 1 })
  })

  it('withdraws the sessions of one project by its key, name or folder, and refuses a name that several have', async () => {
    const sessionIn = (cwd: string, number: number): void => {
      const turn = { session: `s${number}`, at: `2026-01-31T08:0${number}:00.000Z`, text: 'planted', cwd }
      box.file(`logs/s${number}.jsonl`, claudeLine({ ...turn, id: `s${number}` }))
    }
    for (const [number, cwd] of ['/x1/shop', '/x1/shop', '/x2/shop', '/x3/api', '/x3/web', '/x4/club'].entries())
      sessionIn(cwd, number)
    await box.cairn('import', '--from', 'logs')
    await box.cairn('project', 'join', '/x3/api', '/x3/web', 'github.com/acme/both')
    await box.cairn('project', 'join', '/x4/club', 'shop-2')
    await box.cairn('sync')
    const refused = await box.cairn('sync', '--withdraw', 'shop')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "Several projects are called 'shop': /x1/shop, /x2/shop. Name one of these.\n",
    ])
    expect(await box.json('sync', '--withdraw', 'github.com/acme/both')).toEqual({ sessions: 2, withdrawn: 2 })
    expect(await box.json('sync', '--withdraw', '/x1/shop')).toEqual({ sessions: 2, withdrawn: 2 })
    expect(await box.json('sync', '--withdraw', 'shop-2')).toEqual({ sessions: 1, withdrawn: 1 })
    const { sessions } = (await box.json('session', 'list', ...TEAM)) as { readonly sessions: readonly unknown[] }
    // That of /x2/shop, and the one before.
    expect(sessions).toHaveLength(2)
    expect((await box.cairn('sync', '--withdraw', 'nobody')).stderr).toMatch(/^No session and no project 'nobody'/)
  })

  it('says in one sentence that the team can not be reached, and sends nothing by a broken team.json', async () => {
    box.file('data/team.json', '{"share": "everything"}')
    const broken = await box.cairn('sync')
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^.*team\.json are not valid: 'share' must be one of nothing, figures, text; nothing was sent/,
      ),
    ])
    box.file('data/team.json', '{"url": "postgresql://ada:pw@127.0.0.1:1/team", "share": "figures"}')
    const { code, stdout, stderr } = await box.shell('CAIRN_TEAM_URL= cairn sync')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The team's store postgresql:\/\/ada:\*{3}@127\.0\.0\.1:1\/team can't be reached: .+\n$/)
    box.file('data/team.json', '{}')
    expect((await box.shell('CAIRN_TEAM_URL= cairn sync')).stderr).toMatch(/^No team's store is named: set /)
    expect((await box.cairn('sync', '--withdraw', 'x', '--dry-run')).code).toBe(2)
  })
})
