import { describe, expect, it } from '@jest/globals'
import { MACHINE, PROGRAM } from '../awkward-files.fixture.ts'
import {
  hookCommand,
  isOwnHook,
  isOwnStatusLine,
  needsLauncher,
  ownServerScript,
  serverCommand,
  statusLineCommand,
} from '../program.ts'
import { claudeCodePlugin } from './claude-code-plugin.ts'
import { AGENTS, findAgent } from './index.ts'
import { openCodePlugin } from './own-files.ts'

describe('agents', () => {
  it('have absolute paths, and no two of them share a file', () => {
    const paths = AGENTS.map(({ installations }) =>
      installations(MACHINE).flatMap((each) => each.targets(PROGRAM).flatMap((target) => target.paths)),
    )
    expect(paths.flat().every((path) => path.startsWith('/home/ada/'))).toBe(true)
    const ofAgents = paths.flatMap((each) => [...new Set(each)])
    expect(ofAgents).toHaveLength(new Set(ofAgents).size)
  })

  it.each([
    ['claude-code', 'settings.json', 'SessionEnd', 10],
    ['codex', 'hooks.json', 'Stop', 10],
    // Gemini CLI counts in milliseconds.
    ['gemini', 'settings.json', 'AfterAgent', 10_000],
  ])('%s waits ten seconds for a hook', (agent, file, event, timeout) => {
    const targets = findAgent(agent).installations(MACHINE)[0]?.targets(PROGRAM) ?? []
    const entries = targets.flatMap((target) =>
      target.kind === 'json' && target.paths[0]?.endsWith(file) === true ? target.entries : [],
    )
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'hook', event, value: expect.objectContaining({ timeout }) }),
    )
  })

  it("report a history that the agent's settings delete", () => {
    const days = (agent: string, settings: string) => findAgent(agent).history?.(MACHINE).days(settings)
    expect(days('claude-code', '')).toBe(30)
    expect(days('claude-code', '{"cleanupPeriodDays": 365}')).toBe(365)
    expect(days('gemini', '{"general": {"sessionRetention": {"maxAge": "2w"}}} // mine')).toBe(14)
    expect(days('gemini', '{"general": {"sessionRetention": {"enabled": false}}}')).toBeNull()
  })
})

describe('the commands', () => {
  it('are recognised for any installation, and commands of others are not', () => {
    const spaced = { ...PROGRAM, node: "/home/ada's/my node", hook: '/a b/dist/hook.js' }
    const command = hookCommand(spaced, MACHINE, 'pre-compact', 'codex')
    expect(command).toBe(`'/home/ada'\\''s/my node' '/a b/dist/hook.js' pre-compact --agent codex`)
    const windows = 'C:/node.exe C:/cairn/dist/hook.js stop --agent gemini'
    const launched = 'C:/Users/ada/cairn/cairn-hook.cmd session-end --agent copilot'
    for (const line of [
      command,
      windows,
      launched,
      'cairn hook stop',
      '/usr/bin/cairn hook session-start --agent codex',
    ])
      expect([line, isOwnHook(line)]).toEqual([line, true])
    for (const line of ['node dist/hook.js build', 'npx other hook stop', 'cairn usage', 'my-cairn-tool stop', ''])
      expect([line, isOwnHook(line)]).toEqual([line, false])
    expect([statusLineCommand(spaced, MACHINE), 'cairn statusline', 'ccstatusline'].map(isOwnStatusLine)).toEqual([
      true,
      true,
      false,
    ])
    expect(ownServerScript(['node', '/x/bin/cairn.js', 'mcp', '--no-ltm'])).toBe(1)
    expect(ownServerScript(['cairn', 'mcp'])).toBe(0)
    expect(ownServerScript(['node', '/x/bin/cairn.js'])).toBeUndefined()
  })

  it('start a batch file, as an editor has one for its Node, through the shell of Windows', () => {
    const windows = { ...MACHINE, platform: 'win32' as const }
    const program = {
      ...PROGRAM,
      node: 'C:\\Users\\ada\\bin\\cairn-node.cmd',
      command: 'C:\\Users\\ada\\bin\\cairn.js',
    }
    const server = serverCommand(program, windows)
    expect(server).toEqual({
      command: 'cmd',
      args: ['/c', 'call', 'C:/Users/ada/bin/cairn-node.cmd', 'C:/Users/ada/bin/cairn.js', 'mcp'],
    })
    expect(ownServerScript([server.command, ...server.args])).toBe(4)
    expect(openCodePlugin(program)).toContain('spawn(`"${NODE}" "${HOOK}"`, [event, ')
    expect(openCodePlugin(program)).toContain('{ shell: true, stdio:')
    expect(openCodePlugin(PROGRAM)).not.toContain('shell: true')
  })

  it('need a launcher only on Windows, and only for paths that its shells disagree on', () => {
    const windows = { ...MACHINE, platform: 'win32' as const }
    expect(needsLauncher({ ...PROGRAM, node: 'C:\\node\\node.exe' }, windows)).toBe(false)
    expect(needsLauncher({ ...PROGRAM, node: 'C:\\Program Files\\nodejs\\node.exe' }, windows)).toBe(true)
    expect(needsLauncher({ ...PROGRAM, node: '/my node' }, MACHINE)).toBe(false)
  })
})

describe('the plugin for Claude Code', () => {
  it('has the hooks that setup writes', () => {
    const files = claudeCodePlugin(PROGRAM, MACHINE, '1.2.3')
    const at = (path: string): unknown => JSON.parse(files.get(path) ?? 'null')
    expect(at('cairn/.claude-plugin/plugin.json')).toMatchObject({ name: 'cairn', version: '1.2.3' })
    expect(at('.claude-plugin/marketplace.json')).toMatchObject({ plugins: [{ name: 'cairn', source: './cairn' }] })
    const { hooks } = at('cairn/hooks/hooks.json') as { readonly hooks: object }
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreCompact',
      'PostCompact',
      'Stop',
      'SessionEnd',
    ])
    expect(at('cairn/.mcp.json')).toEqual({
      mcpServers: { cairn: { command: PROGRAM.node, args: [PROGRAM.command, 'mcp'] } },
    })
  })
})
