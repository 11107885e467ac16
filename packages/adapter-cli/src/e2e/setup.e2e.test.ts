/** `cairn setup` as a process, in a home of its own. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

const SETTINGS =
  '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make"}]}]}\r\n}'
const CODEX = '# mine\nmodel = "gpt-5"\n'

let box: Sandbox
beforeEach(() => {
  // Whatever agents are installed here.
  box = createSandbox({ PATH: '/nonexistent' })
  box.file('home/.claude/settings.json', SETTINGS)
  box.file('home/.claude.json', '{"numStartups": 1}\n')
  box.file('home/.codex/config.toml', CODEX)
})
afterEach(() => box.remove())

const read = (path: string): string => readFileSync(join(box.folder, 'home', path), 'utf8')
/** The files of the home, with what is in them. */
const home = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(box.folder, 'home'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  )

interface Answer {
  readonly written: boolean
  readonly agents: readonly {
    readonly agent: string
    readonly found: boolean
    readonly files: readonly { readonly path: string; readonly status: string; readonly diff: string }[]
    readonly afterwards: readonly string[]
  }[]
}

describe('setup', () => {
  it('shows each change and writes nothing without a terminal and without --yes', async () => {
    const before = home()
    const { code, stdout, stderr } = await box.cairn('setup')
    expect(code).toBe(3)
    expect(stderr).toMatch(/^Not found, neither settings nor program: gemini, .*\nNothing was written, .*--yes/s)
    expect(stdout).toMatch(/^ {2}\+\[mcp_servers\.cairn\]$/m)
    expect(stdout).toMatch(/^ {2}@@ -1,4 \+1,\d+ @@$/m)
    expect(stdout).toMatch(/^ {2}-\t"hooks": \{/m)
    const answer = (await box.json('setup')) as Answer
    expect(answer).toMatchObject({ written: false })
    expect(home()).toEqual(before)
    expect(existsSync(join(box.folder, 'data'))).toBe(false)
  })

  it('writes, says what is left to do, changes nothing when repeated, and removes everything', async () => {
    const before = home()
    const first = await box.cairn('setup', '--yes')
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/hooks\s+in\s+Codex\s+and\s+trust/) })
    expect(first.stdout).toMatch(/Claude\s+Code\s+deletes\s+its\s+history\s+after\s+30\s+days/)
    const { hooks } = JSON.parse(read('.claude/settings.json')) as {
      readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>
    }
    expect(hooks['Stop']?.map((group) => group.hooks[0]?.command)).toEqual([
      'make',
      expect.stringMatching(/^\/\S+ \/\S+\/dist\/hook\.js stop --agent claude-code$/),
    ])
    const [node = '', entry = ''] = hooks['SessionStart']?.[0]?.hooks[0]?.command.split(' ') ?? []
    expect([node, entry].map((path) => existsSync(path))).toEqual([true, true])
    const after = home()
    const again = await box.cairn('setup', '--yes')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nEverything is set up already\.\n$/) })
    expect(home()).toEqual(after)
    expect(await box.cairn('setup', '--remove', '--yes')).toMatchObject({ code: 0 })
    expect(home()).toEqual(before)
    expect((await box.cairn('setup', '--remove')).stdout).toMatch(/Nothing/)
  })

  it("has agents start an editor's scripts where they lead to this installation, and only then", async () => {
    const hook = box.file('scripts/dist/hook.js', '')
    const node = box.file('scripts/bin/cairn-node', '#!/bin/sh\n')
    box.file('scripts/bin/cairn.js', '')
    const inEditor = createSandbox({ PATH: '/nonexistent', CAIRN_PROGRAM_FOLDER: join(box.folder, 'scripts') })
    const hookWords = async (): Promise<readonly string[]> => {
      const { agents } = (await inEditor.json('setup', 'claude-code')) as Answer
      const diffs = agents.flatMap(({ files }) => files.map(({ diff }) => diff)).join('\n')
      return /"command": "(.*) session-start --agent/.exec(diffs)?.[1]?.split(' ') ?? []
    }
    try {
      writeFileSync(hook, 'import("/another/dist/hook.js")')
      const [, own = ''] = await hookWords()
      expect(own).toMatch(/adapter-cli\/dist\/hook\.js$/)
      writeFileSync(hook, `import(${JSON.stringify(own)})`)
      expect(await hookWords()).toEqual([node, hook])
    } finally {
      inEditor.remove()
    }
  })

  it('removes what a setup left that was killed before it wrote anything', async () => {
    const data = join(box.folder, 'home/.local/share/cairn')
    const left = ['setup.json', 'setup.lock', 'setup.lock.4194303']
    for (const path of left)
      box.file(
        join('home/.local/share/cairn', path),
        path.endsWith('json')
          ? JSON.stringify({ version: 1, folders: [data], files: {} })
          : JSON.stringify({ pid: 4194303, host: hostname() }),
      )
    await box.json('setup', '--remove')
    expect(readdirSync(data)).toHaveLength(left.length)
    expect((await box.cairn('setup', '--remove')).stdout).toBe('Nothing of Cairn is set up.\n')
    expect(existsSync(data)).toBe(false)
    box.file('home/.local/share/.cairn.4194303.cairn-tmp/setup.json', '')
    await box.cairn('setup', '--remove')
    expect(readdirSync(join(data, '..'))).toEqual([])
    box.file('home/.local/share/cairn', 'no folder')
    expect(await box.cairn('setup', '--remove')).toMatchObject({ code: 0, stdout: 'Nothing of Cairn is set up.\n' })
  })

  it('prints one JSON document', async () => {
    const answer = (await box.json('setup', '--yes')) as Answer
    expect(answer.written).toBe(true)
    const found = answer.agents.filter((agent) => agent.found)
    expect(found.map(({ agent }) => agent)).toEqual(['claude-code', 'codex'])
    expect(found.flatMap(({ files }) => files.map(({ status }) => status))).toEqual(Array(4).fill('written'))
    expect(found[1]?.afterwards.join(' ')).toMatch(/\/hooks/)
  })

  it('sets up only named agents, even if they are not found', async () => {
    expect((await box.cairn('setup', 'cursor', '--yes')).code).toBe(0)
    expect(JSON.parse(read('.cursor/mcp.json'))).toMatchObject({
      // An MCP server is not given the variables of the user's shell.
      mcpServers: { cairn: { env: { CAIRN_HOME: join(box.folder, 'data') } } },
    })
    expect(read('.codex/config.toml')).toBe(CODEX)
  })

  it('says where an entry names another data folder than the one in use', async () => {
    const ofHome = join(box.folder, 'home')
    const other = createSandbox({ PATH: '/nonexistent', HOME: ofHome, USERPROFILE: ofHome })
    try {
      const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
      await box.cairn('setup', 'cursor', '--yes')
      const before = read('.cursor/mcp.json')
      const again = await other.cairn('setup', 'cursor', '--yes')
      expect(again).toMatchObject({ code: 0 })
      expect(oneLine(again.stdout)).toContain('mcp.json names another data folder (CAIRN_HOME)')
      expect(read('.cursor/mcp.json')).toBe(before)
      expect(oneLine((await other.cairn('doctor')).stdout)).toContain('mcp.json names another data folder (CAIRN_HOME)')
      expect(await other.cairn('setup', '--remove', '--yes')).toMatchObject({ code: 0 })
      expect(readdirSync(ofHome).sort()).toEqual(['.claude', '.claude.json', '.codex'])
    } finally {
      other.remove()
    }
  })

  it("leaves a file alone that its agent can't read, with one sentence, and does the rest", async () => {
    writeFileSync(join(box.folder, 'home/.claude/settings.json'), '{\n  // mine\n  "a": 1\n}')
    const { code, stdout } = await box.cairn('setup', '--yes')
    expect(code).toBe(1)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      "settings.json is left as it is: Claude Code can't read it, as it holds a comment (line 2, column 3).",
    )
    expect(stdout.split('holds a comment')).toHaveLength(2)
    expect(read('.claude/settings.json')).toBe('{\n  // mine\n  "a": 1\n}')
    expect(read('.claude.json')).toContain('cairn.js')
  })

  it('shows no secret next to a change', async () => {
    const key = `sk-ant-${'api03'}-${'A1b2C3d4'.repeat(12)}`
    box.file('home/.claude.json', `{\n  "mcpServers": {\n    "x": { "env": { "KEY": "${key}" } }\n  }\n}\n`)
    const { stdout } = await box.cairn('setup')
    expect(stdout).toMatch(/\[redacted:/)
    expect(stdout).not.toContain(key)
    await box.cairn('setup', '--yes')
    expect(read('.claude.json')).toContain(key)
  })

  it('writes nothing where the home folder is not known', async () => {
    for (const home of ['', 'relative', join(box.folder, 'none'), box.file('a-file', '')]) {
      const lost = createSandbox({ HOME: home, USERPROFILE: home })
      expect(await lost.cairn('setup', 'claude-code', '--yes')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/Your home folder is not known: .*Nothing was written\.\n$/),
      })
      expect(readdirSync(lost.folder)).toEqual(['home'])
      lost.remove()
    }
    expect(existsSync('/.claude.json') || existsSync('relative')).toBe(false)
  })

  it('says what it looked for where an agent is installed and has no settings', async () => {
    const installed = createSandbox({ PATH: join(box.folder, 'bin') })
    for (const program of ['codex', 'copilot', 'my-gemini']) box.file(`bin/${program}`, '')
    // A name that can't be looked at.
    symlinkSync('opencode', join(box.folder, 'bin', 'opencode'))
    const { code, stderr } = await installed.cairn('setup')
    expect(code).toBe(0)
    expect(stderr).toContain(`as there are no settings in ${join(installed.folder, 'home')}: codex, copilot. `)
    expect(stderr).toMatch(
      /all the same: cairn setup codex copilot\nNot found, neither settings nor program: claude-code, gemini, opencode, .*\.\n$/,
    )
    installed.remove()
  })

  it('says of agents whose settings it does not write that their transcripts are taken in', async () => {
    const before = home()
    for (const agent of ['aider', 'clio', 'continue', 'kilo'])
      expect(await box.cairn('setup', agent, '--yes')).toMatchObject({
        code: 2,
        stderr: `Setup writes no settings of '${agent}' yet; cairn import and cairn watch take in its transcripts.\n`,
      })
    expect((await box.cairn('setup', 'aidr')).stderr).toBe(
      "There is no agent 'aidr' to set up. See: cairn setup --help\n",
    )
    expect(home()).toEqual(before)
  })

  it('says so when an agent is unknown or none is found', async () => {
    expect(await box.cairn('setup', 'claude-cod')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no agent 'claude-cod'.*Did you mean 'claude-code'/),
    })
    const empty = createSandbox({ PATH: '/nonexistent' })
    expect(await empty.cairn('setup')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No agent was found\. Name .*cairn setup claude-code\n$/),
    })
    empty.remove()
  })
})

describe('doctor', () => {
  it('says that hooks are switched off, and that a plugin runs them, too', async () => {
    const settings = box.file('home/.claude/settings.json', '{"enabledPlugins": {"cairn@cairn": true}}')
    const output = async (...words: readonly string[]): Promise<string> =>
      (await box.cairn(...words)).stdout.replaceAll(/\s+/g, ' ')
    expect(await output('doctor')).toContain('Claude Code set up by its plugin.')
    writeFileSync(settings, '{"enabledPlugins": {"cairn@cairn": true}, "disableAllHooks": true}')
    const off = `Claude Code runs no hooks: disableAllHooks in ${settings} switches them off.`
    const twice = 'The plugin cairn is active in Claude Code, too, so that everything runs twice:'
    const setup = await output('setup', 'claude-code', '--yes')
    expect(setup).toContain(off)
    expect(setup).toContain(twice)
    const doctor = await output('doctor')
    expect(doctor).toContain(off)
    expect(doctor).toContain(twice)
  })

  it('says which agents are set up, and what keeps their hooks from running', async () => {
    expect((await box.cairn('doctor')).stdout).toMatch(/^Claude Code not set up: cairn setup claude-code$/m)
    await box.cairn('setup', '--yes')
    const { stdout } = await box.cairn('doctor')
    expect(stdout).toMatch(/^Claude Code set up\.$/m)
    expect(stdout).toMatch(/^Codex {7}set up\.\n {12}It skips hooks that are not trusted/m)
    expect(await box.json('doctor')).toMatchObject({
      setup: [
        { agent: 'claude-code', state: 'set-up', untrusted: [], historyDays: 30 },
        { agent: 'codex', state: 'set-up', untrusted: ['SessionStart', 'UserPromptSubmit', 'Stop'], historyDays: null },
      ],
    })
  })
})
