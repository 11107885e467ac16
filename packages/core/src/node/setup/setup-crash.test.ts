/** Setup killed before any one of its changes on disk, and several setups at once. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAgent } from '../../setup/index.ts'
import type { SetupAgent } from '../../setup/index.ts'
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

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const dataFolder = (): string => join(home, '.local', 'share', 'cairn')

const program = (version: string): SetupRequest['program'] => ({
  node: '/opt/node/bin/node',
  hook: `/opt/${version}/dist/hook.js`,
  command: `/opt/${version}/bin/cairn.js`,
})

const request = (agents: readonly SetupAgent[] = [], version = 'cairn'): SetupRequest => ({
  machine: { home, platform: 'linux', variables: {} },
  program: program(version),
  dataFolder: dataFolder(),
  agents: agents.map(findAgent),
  replaceStatusLine: false,
})

/** Every file and folder of the home: what is in it, and its mode. */
const everything = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const facts = lstatSync(join(home, name))
        const mode = (facts.mode & 0o7777).toString(8)
        return [name, facts.isFile() ? `${mode} ${readFileSync(join(home, name), 'utf8')}` : mode]
      }),
  )

/** A home in which each agent has settings, some of its files are missing, and one is a link. */
const makeHome = (): void => {
  put('.claude.json', '{"numStartups": 3, "mcpServers": {"db": {"command": "db"}}}')
  put('.claude/settings.json', '{\r\n\t"statusLine": {"type": "command", "command": "mine"}\r\n}')
  put('dotfiles/config.toml', '# mine\nmodel = "gpt-5"')
  mkdirSync(join(home, '.codex'))
  symlinkSync('../dotfiles/config.toml', join(home, '.codex', 'config.toml'))
  put('.gemini/settings.json', '{\n  "theme": "x" // dark\n}\n')
  put('.copilot/settings.json', '\ufeff{ "a": 1, }\n')
  put('.config/opencode/opencode.jsonc', '{\n  // mine\n}\n')
  put('.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', '{"mcpServers":{}}')
  put('.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/x', '')
  put('.cursor/mcp.json', '')
  put('.config/Code/User/mcp.json', '{"servers": {}, "inputs": []}')
  put('.pi/agent/settings.json', '{}')
}

/** Ends a process at its nth change on disk, before it is made; prints how many there were where it is not reached. */
const CRASH = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const last = Number(process.env.CRASH_AT)
  let count = 0
  for (const name of ['mkdirSync', 'rmdirSync', 'rmSync', 'renameSync', 'linkSync', 'openSync', 'writeSync', 'writeFileSync', 'chmodSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      const isReading = name === 'openSync' && (args[1] ?? 'r') === 'r'
      if (!isReading && ++count === last) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => process.stdout.write(String(count)))
`

const SCRIPT = `
  const { applyRemoval, applySetup } = await import(process.env.MODULE)
  const { findAgent } = await import(process.env.AGENTS)
  const { isRemoval, agents, ...request } = JSON.parse(process.env.REQUEST)
  const apply = isRemoval ? applyRemoval : applySetup
  apply({ ...request, agents: agents.map(findAgent) })
`

type Work = 'setup' | 'renewal' | 'removal'

const environmentOf = (work: Work, crashAt: number): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  CRASH_AT: String(crashAt),
  MODULE: new URL('apply-setup.ts', import.meta.url).href,
  AGENTS: new URL('../../setup/index.ts', import.meta.url).href,
  REQUEST: JSON.stringify({
    ...request([], work === 'renewal' ? 'newer' : 'cairn'),
    agents: [],
    isRemoval: work === 'removal',
  }),
})

const ARGUMENTS = [
  '--import',
  `data:text/javascript,${encodeURIComponent(CRASH)}`,
  '--input-type=module',
  '--eval',
  SCRIPT,
]

/** Whether it was killed, and how many changes it made else. */
const crash = (work: Work, at: number): { readonly isKilled: boolean; readonly changes: number } => {
  const { signal, stdout, stderr } = spawnSync(process.execPath, ARGUMENTS, {
    env: environmentOf(work, at),
    encoding: 'utf8',
  })
  expect(signal === 'SIGKILL' ? '' : stderr).toBe('')
  return { isKilled: signal === 'SIGKILL', changes: Number(stdout) }
}

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

describe('several setups at once', () => {
  it('take turns: nothing is written twice, and all of it goes again', async () => {
    makeHome()
    const before = everything()
    const ends = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<number | null>((resolve) => {
            spawn(process.execPath, ARGUMENTS, { env: environmentOf('setup', 0), stdio: 'ignore' }).on('close', resolve)
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
    put('.local/share/cairn/setup.lock', JSON.stringify(owner))
    const before = everything()
    expect(() => withSetupLock(dataFolder(), () => 1, 50)).toThrow(
      `Another cairn setup is at work (process ${owner.pid} on ${owner.host}), and nothing was written; run this again when it has ended.`,
    )
    expect(everything()).toEqual(before)
    rmSync(join(dataFolder(), 'setup.lock'))
    expect(withSetupLock(dataFolder(), () => existsSync(join(dataFolder(), 'setup.lock')), 50)).toBe(true)
  })
})
