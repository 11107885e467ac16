/** Setup killed before any one of its changes on disk, and several setups at once. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashArguments, crashAt } from '../crash-at-change.fixture.ts'
import { everythingIn, programIn, putFile, putSettings, requestIn } from './agents-home.fixture.ts'
import { applyRemoval, applySetup } from './apply-setup.ts'
import { planRemoval } from './plan-setup.ts'
import type { SetupRequest } from './plan-setup.ts'
import { withSetupLock } from './setup-lock.ts'

/** Of each kind of work; npm run checks has more of them. */
const ROUNDS = 6

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cairn-setup-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const dataFolder = (): string => join(home, '.local', 'share', 'cairn')
const request = (version = 'cairn'): SetupRequest => requestIn(home, [], { program: programIn(version) })
const everything = (): Readonly<Record<string, string>> => everythingIn(home)

/** A home in which one of the settings files is a link. */
const makeHome = (): void => {
  putSettings(home)
  mkdirSync(join(home, 'dotfiles'))
  renameSync(join(home, '.codex', 'config.toml'), join(home, 'dotfiles', 'config.toml'))
  symlinkSync('../dotfiles/config.toml', join(home, '.codex', 'config.toml'))
}

const SCRIPT = `
  const { applyRemoval, applySetup } = await import(process.env.MODULE)
  const { findAgent } = await import(process.env.AGENTS)
  const { isRemoval, agents, ...request } = JSON.parse(process.env.REQUEST)
  const apply = isRemoval ? applyRemoval : applySetup
  apply({ ...request, agents: agents.map(findAgent) })
`

type Work = 'setup' | 'renewal' | 'removal'

const environmentOf = (work: Work): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  MODULE: new URL('apply-setup.ts', import.meta.url).href,
  AGENTS: new URL('../../setup/index.ts', import.meta.url).href,
  REQUEST: JSON.stringify({
    ...request(work === 'renewal' ? 'newer' : 'cairn'),
    agents: [],
    isRemoval: work === 'removal',
  }),
})

/** Whether it was killed, and how many changes it made else. */
const crash = (work: Work, at: number) => crashAt(SCRIPT, environmentOf(work), at)

/** What the work starts from. */
const prepare = (work: Work): Readonly<Record<string, string>> => {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  makeHome()
  const before = everything()
  if (work !== 'setup') applySetup(request())
  return before
}

/** The settings themselves, without what setup keeps beside them. */
const settingsOf = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => !/\.cairn-(?:backup|tmp)|^\.local/.test(name) && lstatSync(join(home, name)).isFile(),
    ),
  )

/** Kills setups at ever later changes until one has left a file of such a name in the data folder; the change. */
const setupChangesUntil = (isWanted: (name: string) => boolean): number => {
  for (let at = 1; at < 100; at++) {
    prepare('setup')
    crash('setup', at)
    if (existsSync(dataFolder()) && readdirSync(dataFolder()).some(isWanted)) return at
  }
  return 0
}

describe('a setup that is killed', () => {
  it.each<Work>(['setup', 'renewal', 'removal'])(
    'during the %s, at any change on disk, is cleaned up by the next one or by the removal',
    (work) => {
      const before = prepare(work)
      const started = settingsOf(everything())
      const { changes } = crash(work, 0)
      const done = settingsOf(everything())
      expect(changes).toBeGreaterThan(100)
      const offset = Math.random()
      for (let round = 0; round < ROUNDS; round++) {
        const at = 1 + Math.floor(((round + offset) * changes) / ROUNDS)
        const where = `${work}, change ${at} of ${changes}`
        prepare(work)
        expect([where, crash(work, at).isKilled]).toEqual([where, true])
        // No settings file is anything between what it was and what it becomes.
        for (const [name, text] of Object.entries(settingsOf(everything())))
          expect([where, name, text === started[name] || text === done[name]]).toEqual([where, name, true])
        if (round % 2 === 1) applySetup(request())
        applyRemoval(request())
        expect([where, everything()]).toEqual([where, before])
        expect(
          planRemoval(request()).flatMap(({ files }) => files.filter(({ status }) => status !== 'unchanged')),
        ).toEqual([])
      }
    },
  )
})

describe('a setup that is killed', () => {
  it('while it notes its first change leaves nothing behind a removal', () => {
    const before = prepare('setup')
    const noting = setupChangesUntil((name) => name.startsWith('.setup.json.'))
    expect(noting).toBeGreaterThan(0)
    applyRemoval(request())
    expect(everything()).toEqual(before)
  })
})

describe('several setups at once', () => {
  it('take turns: nothing is written twice, and all of it goes again', async () => {
    makeHome()
    const before = everything()
    const ends = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<number | null>((resolve) => {
            spawn(process.execPath, crashArguments(SCRIPT), { env: environmentOf('setup'), stdio: 'ignore' }).on(
              'close',
              resolve,
            )
          }),
      ),
    )
    expect(ends).toEqual([0, 0, 0, 0])
    const hooks = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as {
      hooks: Record<string, unknown[]>
    }
    expect(Object.values(hooks.hooks).map((groups) => groups.length)).toEqual(Array(6).fill(1))
    applyRemoval(request())
    expect(everything()).toEqual(before)
  })

  it('wait for one that is at work, and say so when it does not end', () => {
    const owner = { pid: process.ppid, host: hostname() }
    putFile(home, '.local/share/cairn/setup.lock', JSON.stringify(owner))
    const before = everything()
    expect(() => withSetupLock(dataFolder(), () => 1, 50)).toThrow(
      `Another cairn setup is at work (process ${owner.pid} on ${owner.host}), and nothing was written; run this again when it has ended.`,
    )
    expect(everything()).toEqual(before)
    rmSync(join(dataFolder(), 'setup.lock'))
    expect(withSetupLock(dataFolder(), () => existsSync(join(dataFolder(), 'setup.lock')), 50)).toBe(true)
  })
})
