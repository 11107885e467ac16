import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAgent, setupAgents } from '../../setup/index.ts'
import type { Machine, SetupAgent } from '../../setup/index.ts'
import { everythingIn, programIn, putFile, putSettings, requestIn } from './agents-home.fixture.ts'
import { applyRemoval, applySetup } from './apply-setup.ts'
import { checkAgents } from './check-agents.ts'
import { withLauncher, writeLauncher } from './launcher.ts'
import { planSetup } from './plan-setup.ts'
import type { SetupRequest } from './plan-setup.ts'
import { writeSettingsFile } from './settings-file.ts'

const PROGRAM = programIn('cairn')

const AGENT_NAMES: readonly SetupAgent[] = setupAgents()

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cairn-setup-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (path: string, text: string | Uint8Array, mode?: number): string => putFile(home, path, text, mode)
const read = (path: string): string => readFileSync(join(home, path), 'utf8')
const everything = (): Readonly<Record<string, string>> => everythingIn(home)
const request = (agents: readonly SetupAgent[] = [], extra: Partial<SetupRequest> = {}): SetupRequest =>
  requestIn(home, agents, extra)
const setUp = (asked: SetupRequest) => applySetup(asked)
const remove = (asked: SetupRequest) => applyRemoval(asked)

describe('setup', () => {
  it('restores every file of every agent, and leaves nothing behind', () => {
    putSettings(home)
    const before = everything()
    const first = setUp(request())
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['written']))
    expect(first).toHaveLength(15)
    const after = everything()
    expect(setUp(request()).every(({ status }) => status === 'unchanged')).toBe(true)
    expect(everything()).toEqual(after)
    remove(request())
    expect(everything()).toEqual(before)
  })

  it('of several data folders shares the record of a home: what each writes is undone, in any order', () => {
    const inFolder = (name: string | undefined) =>
      request([], name === undefined ? {} : { program: { ...PROGRAM, dataFolder: join(home, name) } })
    for (const order of [
      ['a', 'b'],
      ['b', undefined],
      [undefined, 'a'],
    ]) {
      putSettings(home)
      const before = everything()
      for (const name of order) setUp(inFolder(name))
      for (const name of order) remove(inFolder(name))
      expect(everything()).toEqual(before)
    }
  })

  it('keeps the data folder that an entry names, and says so, as the doctor does', () => {
    const ask = (name?: string) =>
      request([], name === undefined ? {} : { program: { ...PROGRAM, dataFolder: join(home, name) } })
    putSettings(home)
    setUp(ask('a'))
    const written = everything()
    for (const name of ['b', undefined]) {
      const files = planSetup(ask(name)).flatMap((plan) => plan.files)
      expect(
        files.filter(({ kept }) => kept.includes('data-folder')).map(({ path }) => path.slice(home.length)),
      ).toEqual([
        '/.claude.json',
        '/.gemini/settings.json',
        '/.copilot/mcp-config.json',
        '/.config/opencode/opencode.jsonc',
        '/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        '/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
        '/.cursor/mcp.json',
        '/.config/Code/User/mcp.json',
      ])
      setUp(ask(name))
      expect(everything()).toEqual(written)
      const claude = checkAgents(ask(name)).find(({ agent }) => agent === 'claude-code')
      expect(claude?.files.map(({ isForOtherFolder }) => isForOtherFolder)).toEqual([true, false])
    }
    expect(planSetup(ask('a')).flatMap(({ files }) => files.flatMap(({ kept }) => kept))).toEqual(['status-line'])
  })

  it('finds nothing in an empty home folder, and sets up a named agent', () => {
    expect(planSetup(request()).flatMap(({ files }) => files)).toEqual([])
    const [plan] = planSetup(request(['claude-code']))
    expect(plan).toMatchObject({ isFound: false, files: [{ before: undefined }, { before: undefined }] })
    setUp(request(['claude-code']))
    expect(JSON.parse(read('.claude.json'))).toMatchObject({
      mcpServers: { cairn: { args: [PROGRAM.command, 'mcp'] } },
    })
    expect(statSync(join(home, '.claude/settings.json')).mode & 0o777).toBe(0o600)
    remove(request(['claude-code']))
    expect(everything()).toEqual({})
  })

  it('removes folders that several files shared, whether removed at once or one agent at a time', () => {
    for (const removals of [[AGENT_NAMES], AGENT_NAMES.map((agent) => [agent])]) {
      const before = everything()
      setUp(request(AGENT_NAMES))
      expect(Object.keys(everything()).length).toBeGreaterThan(20)
      for (const agents of removals) remove(request(agents))
      expect(everything()).toEqual(before)
      expect(planSetup(request()).filter(({ isFound }) => isFound)).toEqual([])
    }
  })

  it("keeps file mode and link, and puts the copy beside the link's target", () => {
    const real = put('dotfiles/claude.json', '{\n  "a": 1\n}\n', 0o640)
    mkdirSync(join(home, '.claude'))
    symlinkSync('../dotfiles/claude.json', join(home, '.claude/settings.json'))
    setUp(request(['claude-code']))
    expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o640)
    expect(read('dotfiles/claude.json.cairn-backup')).toBe('{\n  "a": 1\n}\n')
    expect(statSync(`${real}.cairn-backup`).mode & 0o777).toBe(0o640)
    remove(request(['claude-code']))
    expect(readdirSync(join(home, 'dotfiles'))).toEqual(['claude.json'])
    expect(read('dotfiles/claude.json')).toBe('{\n  "a": 1\n}\n')
  })

  it('creates the target of a dangling link, and removes it again', () => {
    mkdirSync(join(home, '.gemini'))
    symlinkSync(join(home, 'elsewhere/gemini.json'), join(home, '.gemini/settings.json'))
    setUp(request(['gemini']))
    expect(read('elsewhere/gemini.json')).toContain('hook.js session-start --agent gemini')
    remove(request(['gemini']))
    expect(existsSync(join(home, 'elsewhere'))).toBe(false)
    expect(lstatSync(join(home, '.gemini/settings.json')).isSymbolicLink()).toBe(true)
  })

  it("leaves files alone that the agent can't read, and continues with the others", () => {
    put('.claude/settings.json', '{ // mine\n}')
    put('.gemini/settings.json', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]))
    mkdirSync(join(home, '.copilot/settings.json'), { recursive: true })
    put('.codex/hooks.json', '{"hooks": {}, "version": 1}')
    const before = everything()
    const applied = setUp(request(['claude-code', 'gemini', 'copilot', 'codex']))
    expect(applied.map(({ path, status, reason }) => [path.slice(home.length), status, reason])).toEqual([
      ['/.claude.json', 'written', undefined],
      ['/.claude/settings.json', 'refused', "Claude Code can't read it, as it holds a comment (line 1, column 3)"],
      ['/.gemini/settings.json', 'refused', 'it is not UTF-8 text'],
      ['/.copilot/mcp-config.json', 'written', undefined],
      ['/.copilot/settings.json', 'refused', 'it is not a file'],
      ['/.codex/config.toml', 'written', undefined],
      ['/.codex/hooks.json', 'refused', `Codex can't read it, as it does not know the key "version"`],
    ])
    expect(everything()).toMatchObject(before)
    remove(request())
    expect(everything()).toEqual(before)
  })

  it("keeps others' changes made meanwhile", () => {
    put('.claude/settings.json', '{\n  "model": "opus"\n}\n')
    setUp(request(['claude-code']))
    put('.claude/settings.json', read('.claude/settings.json').replace('"opus"', '"sonnet", "theme": "dark"'))
    remove(request())
    expect(read('.claude/settings.json')).toBe('{\n  "model": "sonnet", "theme": "dark"\n}\n')
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json'])
  })

  it('keeps a file that setup created once others have written to it', () => {
    mkdirSync(join(home, '.claude'))
    setUp(request(['claude-code']))
    const grown = { ...(JSON.parse(read('.claude.json')) as object), oauthAccount: { id: 'x' } }
    put('.claude.json', JSON.stringify(grown, undefined, 2))
    remove(request())
    expect(JSON.parse(read('.claude.json'))).toEqual({ oauthAccount: { id: 'x' } })
  })

  it('writes again after an old file was restored', () => {
    put('.cursor/mcp.json', '{"mcpServers": {"a": {}}}')
    setUp(request(['cursor']))
    put('.cursor/mcp.json', '{"mcpServers": {"b": {}}}')
    setUp(request(['cursor']))
    remove(request(['cursor']))
    expect(read('.cursor/mcp.json')).toBe('{"mcpServers": {"b": {}}}')
  })

  it('removes its own entries without a record of what it did', () => {
    putSettings(home)
    const before = JSON.parse(read('.claude.json')) as unknown
    setUp(request())
    rmSync(request().dataFolder, { recursive: true })
    remove(request())
    expect(JSON.parse(read('.claude.json'))).toEqual(before)
    expect(JSON.parse(read('.claude/settings.json'))).toEqual({ statusLine: { type: 'command', command: 'mine' } })
    expect(read('.codex/config.toml').trim()).toBe('# mine\nmodel = "gpt-5"')
    expect(existsSync(join(home, '.pi/agent/extensions/cairn.ts'))).toBe(false)
  })

  it("removes its own entries from a file that the agent can no longer read, or reports that it can't", () => {
    put('.cursor/mcp.json', '{"mcpServers": {"a": {}}}')
    setUp(request(['cursor']))
    const broken = `${read('.cursor/mcp.json')}}`
    put('.cursor/mcp.json', broken.replace('"cairn"', '"renamed"'))
    expect(remove(request(['cursor']))).toMatchObject([
      { status: 'refused', reason: expect.stringContaining("Cursor can't read it") },
    ])
    put('.cursor/mcp.json', broken)
    remove(request(['cursor']))
    expect(read('.cursor/mcp.json')).toBe('{"mcpServers": {"a": {}}}}')
  })

  it("never overwrites another's file, and deletes no changed file", () => {
    put('.pi/agent/extensions/cairn.ts', 'export default () => {}\n')
    expect(setUp(request(['pi']))).toMatchObject([{ status: 'refused', reason: 'it is a file of somebody else' }])
    setUp(request(['opencode']))
    const plugin = '.config/opencode/plugins/cairn.js'
    put(plugin, `${read(plugin)}// mine\n`)
    expect(remove(request(['opencode']))).toContainEqual(
      expect.objectContaining({ path: join(home, plugin), status: 'refused' }),
    )
    expect(read(plugin)).toMatch(/\/\/ mine\n$/)
  })

  it('respects the variables that move settings', () => {
    const variables = {
      CLAUDE_CONFIG_DIR: join(home, 'cc'),
      CODEX_HOME: join(home, 'cx'),
      COPILOT_HOME: join(home, 'cp'),
      XDG_CONFIG_HOME: join(home, 'xdg'),
    }
    const machine: Machine = { home, platform: 'linux', variables }
    setUp(request(['claude-code', 'codex', 'copilot', 'opencode', 'vscode'], { machine }))
    expect(readdirSync(home).sort()).toEqual(['.local', 'cc', 'cp', 'cx', 'xdg'])
    expect(readdirSync(join(home, 'cc')).sort()).toEqual(['.claude.json', 'settings.json'])
  })

  it('writes what Windows and macOS expect', () => {
    const program = {
      node: 'C:\\node\\node.exe',
      hook: 'C:\\cairn\\dist\\hook.js',
      command: 'C:\\cairn\\bin\\cairn.js',
    }
    const machine = (platform: 'win32' | 'darwin', folder: string): Machine => ({
      home: folder,
      platform,
      variables: {},
    })
    const pathsOn = (platform: 'win32' | 'darwin', folder: string, agent: SetupAgent) =>
      findAgent(agent)
        .installations(machine(platform, folder))[0]
        ?.targets(program)
        .map(({ paths }) => paths[0])
    expect(pathsOn('win32', 'C:\\Users\\ada', 'vscode')).toEqual([
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    ])
    expect(pathsOn('darwin', '/Users/ada', 'vscode')).toEqual([
      '/Users/ada/Library/Application Support/Code/User/mcp.json',
    ])
    const [, hooks] =
      findAgent('claude-code').installations(machine('win32', 'C:\\Users\\ada'))[0]?.targets(program) ?? []
    expect(JSON.stringify(hooks)).toContain('"C:/node/node.exe C:/cairn/dist/hook.js stop --agent claude-code"')
  })

  it('starts hooks through a script with no space in its path where Windows needs it', () => {
    const spaced = { ...PROGRAM, node: 'C:\\Program Files\\nodejs\\node.exe' }
    const machine: Machine = { home, platform: 'win32', variables: {} }
    expect(withLauncher(PROGRAM, machine, home)).toBe(PROGRAM)
    expect(() => withLauncher(spaced, machine, 'C:\\Users\\Ada L\\cairn')).toThrow(/blanks/)
    const program = withLauncher(spaced, machine, 'C:/Users/ada/cairn')
    expect(program.launcher?.replaceAll('\\', '/')).toBe('C:/Users/ada/cairn/cairn-hook.cmd')
    const [, hooks] = findAgent('claude-code').installations(machine)[0]?.targets(program) ?? []
    expect(JSON.stringify(hooks)).toContain('"C:/Users/ada/cairn/cairn-hook.cmd stop --agent claude-code"')
    const local = { ...program, launcher: join(home, 'cairn-hook.cmd') }
    writeLauncher(local)
    expect(read('cairn-hook.cmd')).toBe('@"C:\\Program Files\\nodejs\\node.exe" "/opt/cairn/dist/hook.js" %*\r\n')
  })
})

describe('writing a settings file', () => {
  it('leaves no copy and no record of a failed write', () => {
    put('.cursor/mcp.json', '{}')
    const before = everything()
    const asked = request(['cursor'])
    const plans = planSetup(asked)
    put('.cursor/mcp.json', '{"mcpServers": {}}')
    expect(applySetup(asked, plans)).toMatchObject([{ status: 'refused', reason: expect.stringMatching(/meanwhile/) }])
    put('.cursor/mcp.json', '{}')
    expect(everything()).toEqual(before)
  })

  it("is refused when its record can't be written, without a copy or folder; the sentence names the record", () => {
    put('.claude.json', '{"a": 1}', 0o600)
    put('.codex/config.toml', 'a = 1')
    mkdirSync(join(home, '.local/share/cairn/setup.json'), { recursive: true })
    const before = everything()
    const applied = setUp(request(['claude-code', 'codex', 'cline']))
    expect(applied.map(({ status }) => status)).toEqual(applied.map(() => 'refused'))
    expect(applied[0]?.reason).toContain(join('cairn', 'setup.json'))
    expect(everything()).toEqual(before)
  })

  it('is refused when the file changed since it was read', () => {
    const path = put('settings.json', '{"a": 2}')
    expect(() => writeSettingsFile(path, '{}', { expected: '{"a": 1}', mode: 0o600 })).toThrow(/meanwhile/)
    expect(read('settings.json')).toBe('{"a": 2}')
    expect(readdirSync(home)).toEqual(['settings.json'])
  })

  it('leaves the old file or the new one when it is killed, and the next write cleans up', async () => {
    const [old, fresh] = ['{"old": true}', JSON.stringify({ text: 'x'.repeat(4 << 20) })]
    const path = put('settings.json', old)
    put('fresh.json', fresh)
    const module = new URL('settings-file.ts', import.meta.url).href
    const script = `
      import { readFileSync } from 'node:fs'
      const { writeSettingsFile } = await import(${JSON.stringify(module)})
      const fresh = readFileSync(${JSON.stringify(join(home, 'fresh.json'))}, 'utf8')
      process.stdout.write('ready')
      for (;;) {
        const text = readFileSync(${JSON.stringify(path)}, 'utf8')
        writeSettingsFile(${JSON.stringify(path)}, text === fresh ? ${JSON.stringify(old)} : fresh, { expected: text, mode: 0o600 })
      }`
    for (let round = 0; round < 8; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const ended = new Promise((resolve) => child.on('close', resolve))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      // Another moment of the write each time.
      await new Promise((resolve) => setTimeout(resolve, round * 7))
      child.kill('SIGKILL')
      await ended
      expect([old, fresh].includes(readFileSync(path, 'utf8'))).toBe(true)
    }
    writeSettingsFile(path, old, { expected: readFileSync(path, 'utf8'), mode: 0o600 })
    expect(readdirSync(home).sort()).toEqual(['fresh.json', 'settings.json'])
  })
})

describe('the check of agents', () => {
  const stateOf = (agent: SetupAgent) => checkAgents(request()).find((each) => each.agent === agent)

  it('reports what is set up, what is not, and what was changed', () => {
    putSettings(home)
    expect(checkAgents(request()).map(({ state }) => state)).toEqual(Array(10).fill('not-set-up'))
    setUp(request(['claude-code', 'pi']))
    expect(stateOf('claude-code')).toMatchObject({ state: 'set-up', historyDays: 30 })
    expect(stateOf('codex')).toMatchObject({ state: 'not-set-up', historyDays: null, untrusted: [] })
    put('.claude/settings.json', '{"cleanupPeriodDays": 400}')
    expect(stateOf('claude-code')).toMatchObject({
      state: 'partly',
      historyDays: 400,
      files: [{ state: 'set-up' }, { state: 'changed' }],
    })
    put('.gemini/settings.json', '{')
    expect(stateOf('gemini')).toMatchObject({ state: 'not-set-up', files: [{ state: 'unreadable' }] })
    put('.claude.json', '{')
    expect(stateOf('claude-code')).toMatchObject({ files: [{ state: 'unreadable' }, { state: 'changed' }] })
  })

  it('tells which setting switches all hooks off, and whether Cairn is a plugin, too', () => {
    putSettings(home)
    const settings = join(home, '.claude', 'settings.json')
    expect(stateOf('claude-code')).toMatchObject({ hooksOff: null, isPlugin: false })
    put(
      '.claude/settings.json',
      '{"disableAllHooks": false, "enabledPlugins": {"cairn@cairn": false, "x@cairn": true}}',
    )
    expect(stateOf('claude-code')).toMatchObject({ hooksOff: null, isPlugin: false })
    put('.claude/settings.json', '{"disableAllHooks": true, "enabledPlugins": {"cairn@cairn": true}}')
    expect(stateOf('claude-code')).toMatchObject({ hooksOff: `disableAllHooks in ${settings}`, isPlugin: true })
    put('.gemini/settings.json', '{ "hooksConfig": { "enabled": false } } // mine')
    expect(stateOf('gemini')?.hooksOff).toBe(`hooksConfig.enabled in ${join(home, '.gemini', 'settings.json')}`)
  })

  it("reports which hooks Codex does not trust, by Codex's own hash", () => {
    mkdirSync(join(home, '.codex'))
    setUp(request(['codex'], { program: { ...PROGRAM, node: '/bin/true', hook: '/x/dist/hook.js' } }))
    expect(stateOf('codex')?.untrusted).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop'])
    // What Codex 0.169 says of this very entry (hooks/list of its app server).
    const key = `${join(home, '.codex/hooks.json')}:session_start:0:0`
    const hash = 'sha256:673591fcf2a7a7f944f44eaf9f764a9cdd8c75f0580a435d5263ebb6615ceb9f'
    put('.codex/config.toml', `${read('.codex/config.toml')}\n[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`)
    expect(stateOf('codex')?.untrusted).toEqual(['UserPromptSubmit', 'Stop'])
  })

  it('reports entries of another installation', () => {
    cpSync(put('.cursor/mcp.json', '{}'), join(home, 'copy'))
    setUp(request(['cursor'], { program: { ...PROGRAM, command: '/old/cairn/bin/cairn.js' } }))
    rmSync(request().dataFolder, { recursive: true })
    expect(stateOf('cursor')).toMatchObject({ state: 'partly', files: [{ state: 'outdated' }] })
  })
})
