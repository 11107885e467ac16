/** `cairn project`, usage by project, and by person and machine in a team's store, as a user meets them. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeSession } from '../testing/transcripts.ts'

const TEAM = ['--store', 'file:team.db']
const SHOP = 'github.com/acme/shop'
let box: Sandbox
let root: string

const git = (...options: readonly string[]): void => {
  execFileSync('git', options, { stdio: 'ignore' })
}

/** A session in a repository of the sandbox, which may be a clone. */
const workIn = (name: string, session: string, remote?: string): void => {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  git('init', '-q', folder)
  if (remote !== undefined) git('-C', folder, 'remote', 'add', 'origin', remote)
  box.file(`logs/${session}.jsonl`, claudeSession(session, '2026-01-30').replaceAll('/code/app', folder))
}

interface Report {
  readonly rows: readonly { readonly key: string; readonly requests: number }[]
  readonly total: { readonly requests: number; readonly costUsd: number }
}
const usage = async (...args: readonly string[]): Promise<Report> => (await box.json('usage', ...args)) as Report
const keysBy = async (by: string, ...args: readonly string[]): Promise<readonly string[]> =>
  (await usage('--by', by, ...args)).rows.map(({ key }) => key).sort()

beforeEach(async () => {
  box = createSandbox({ CAIRN_TEAM_URL: 'file:team.db' })
  root = realpathSync(box.folder)
  workIn('one/shop', 'one', 'git@github.com:acme/shop.git')
  workIn('two/shop-clone', 'two', 'https://ada:zqsecretzq@github.com/acme/shop')
  workIn('three/shop', 'three')
  await box.cairn('import', '--from', 'logs')
})
afterEach(() => box.remove())

describe('projects', () => {
  it('are what leaks, budgets and sessions are asked for', async () => {
    for (const [folder, month] of [
      ['one/shop', 900],
      ['three/shop', 7],
    ] as const)
      box.file(`${folder}/.cairn/config.json`, JSON.stringify({ budget: { month } }))
    const all = await usage()
    const shop = (await box.json('insights', '--project', SHOP)) as Report & {
      readonly budgets: readonly { readonly project: string }[]
    }
    expect(shop.total.requests).toBe((all.total.requests * 2) / 3)
    expect(shop.budgets.map(({ project }) => project)).toEqual([join(root, 'one/shop')])
    const list = (await box.json('session', 'list', '--project', SHOP)) as { readonly total: number }
    expect(list.total).toBe(2)
    expect(await box.json('session', 'list', '--workspace', join(root, 'three/shop'))).toMatchObject({ total: 1 })
    const nothing = await box.cairn('insights', '--project', 'nowhere')
    expect(nothing.stderr).toBe("No requests of the project 'nowhere' are in the store.\n")
  })

  it('are counted together by their remote, joined and split by hand, and told', async () => {
    expect(await keysBy('workspace')).toHaveLength(3)
    expect(await keysBy('project')).toEqual([join(root, 'three/shop'), SHOP].sort())
    const all = await usage('--by', 'project')
    const shop = await usage('--project', SHOP)
    expect(shop.total.requests).toBe((all.total.requests * 2) / 3)
    expect((await usage('--project', join(root, 'two/shop-clone'))).total).toEqual(shop.total)
    expect((await usage('--workspace', join(root, 'two/shop-clone'))).total.requests).toBe(all.total.requests / 3)
    const both = await box.cairn('usage', '--workspace', 'shop')
    expect(both.stderr.replace(/\s+/g, ' ')).toContain(
      `'shop' could be several projects; give the folder: ${join(root, 'one/shop')}, ${join(root, 'three/shop')}. They are counted together.`,
    )
    expect((await box.cairn('usage', '--workspace', 'shop-clone')).stderr).toBe('')
    const list = await box.cairn('project', 'list')
    expect(list.stdout).toMatch(
      new RegExp(`^${SHOP}\\n {2}\\S+/one/shop {2}\\(remote\\)\\n {2}\\S+/two/shop-clone {2}\\(remote\\)$`, 'm'),
    )
    expect(list.stdout).toMatch(/^Total: 2 projects in 3 folders\.$/m)
    expect(list.stdout).not.toContain('zqsecretzq')
    const joined = await box.cairn('project', 'join', 'three/shop', SHOP)
    expect([joined.code, joined.stdout.replaceAll('\n', ' ')]).toEqual([
      0,
      expect.stringMatching(
        /three\/shop Total: 1 folder now counts to github\.com\/acme\/shop\. cairn project reset takes it back\./,
      ),
    ])
    expect(await keysBy('project')).toEqual([SHOP])
    expect(await box.json('project', 'split', 'two/shop-clone')).toEqual({
      folders: [join(root, 'two/shop-clone')],
      projects: [join(root, 'two/shop-clone')],
    })
    expect(await keysBy('project')).toHaveLength(2)
    await box.cairn('project', 'reset', 'two/shop-clone')
    await box.cairn('project', 'reset', 'three/shop')
    expect(await keysBy('project')).toEqual([join(root, 'three/shop'), SHOP].sort())
    for (const [args, code, sentence] of [
      [['split', 'nothing'], 1, /^No project 'nothing' is in the store/],
      [['join', 'shop'], 2, /^Which projects\?/],
      [['reset', 'shop'], 2, /^Several projects are called 'shop'/],
    ] as const) {
      const result = await box.cairn('project', ...args)
      expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringMatching(sentence)])
    }
  })

  it('of one name are counted together, which is said; one is meant by its address', async () => {
    const all = await usage()
    const both = await box.cairn('usage', '--project', 'shop', '--max-cost', '100', '--json')
    expect([both.code, (JSON.parse(both.stdout) as Report).total]).toEqual([0, all.total])
    const note = both.stderr.replaceAll('\n', ' ')
    expect(note).toContain("'shop' could be several projects; give one of these: ")
    expect(note).toContain(`${join(root, 'three/shop')}, ${SHOP}. They are counted together.`)
    for (const name of [SHOP, join(root, 'one/shop'), 'nothing'])
      expect((await box.cairn('usage', '--project', name)).stderr).not.toContain('several')
  })

  it('are none where there is no store, and none is made', async () => {
    for (const args of [['list'], ['join', 'a', 'b'], ['split', 'a'], ['reset', 'a']]) {
      const { code, stderr } = await box.cairn('project', ...args, '--store', 'file:gone/x.db')
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(/^There is no store at /)])
    }
    expect(existsSync(join(root, 'gone'))).toBe(false)
  })

  it('people and machines are told apart in a team store, by ids until names are set', async () => {
    const own = await box.cairn('usage', '--by', 'person')
    expect([own.code, own.stderr]).toEqual([0, expect.stringMatching(/^No machine is known of these requests/)])
    await box.cairn('sync')
    const id = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
    expect(await keysBy('person', ...TEAM)).toEqual([expect.stringMatching(id)])
    expect(await keysBy('machine', ...TEAM)).toEqual([expect.stringMatching(id)])
    expect(await keysBy('project', ...TEAM)).toEqual([expect.stringMatching(/^~/), expect.stringMatching(/^~/)])
    await box.cairn('config', 'set', 'team.gitEmail', 'true')
    box.file('home/.gitconfig', '[user]\n\temail = ada@example.org\n')
    expect(await box.json('sync')).toMatchObject({ sessions: 0, commits: 1 })
    expect(await keysBy('person', ...TEAM)).toEqual(['ada@example.org'])
    await box.cairn('config', 'set', 'team.person', 'Ada')
    await box.cairn('config', 'set', 'team.machine', 'laptop')
    expect(await box.json('sync')).toMatchObject({ sessions: 0, commits: 1 })
    expect(await box.json('sync')).toMatchObject({ commits: 0 })
    expect(await keysBy('person', ...TEAM)).toEqual(['Ada'])
    expect(await keysBy('machine', ...TEAM)).toEqual(['laptop'])
    expect((await usage('--person', 'Ada', ...TEAM)).total).toEqual((await usage()).total)
    expect((await usage('--machine', 'desk', ...TEAM)).total.requests).toBe(0)
    // A project's own settings can't say who somebody is.
    box.file('.cairn/config.json', '{"team": {"person": "Mallory"}}')
    expect(await box.json('sync')).toMatchObject({ commits: 0 })
  })

  it('prints SQL for the roles of a team store, and connects to nothing', async () => {
    const { code, stdout } = await box.cairn(
      'team',
      'init-roles',
      '--developer',
      'ada',
      '--developer',
      'bo',
      '--lead',
      'o"lea',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^BEGIN;\n[\s\S]*\nCOMMIT;\n$/)
    expect(stdout).toContain(
      'GRANT cairn_developer TO "ada";\nGRANT cairn_developer TO "bo";\nGRANT cairn_lead TO "o""lea";',
    )
    expect((await box.cairn('team', 'init-roles', '--lead', ' ')).code).toBe(2)
  })
})
