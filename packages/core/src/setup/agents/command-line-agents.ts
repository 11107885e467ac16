/** Agents that run in a terminal. */
import { isFault, parseDocument } from '../json/parse.ts'
import { nodeAt } from '../json/tree.ts'
import type { JsonNode } from '../json/tree.ts'
import { below, variable, xdgConfig } from '../machine.ts'
import type { Machine } from '../machine.ts'
import { hookCommand, serverCommand, serverVariables } from '../program.ts'
import type { CairnProgram, HookEvent } from '../program.ts'
import { SERVER_NAME } from '../target.ts'
import type { HookEntry } from '../target.ts'
import type { AgentDescriptor, HooksSwitch } from './descriptor.ts'
import { HOOK_SECONDS, RELAXED, RUST_LEVELS, STRICT, groupedHooks, mcpServer, statusLine } from './entries.ts'
import { openCodePlugin, piExtension } from './own-files.ts'

type Events = readonly (readonly [string, HookEvent])[]

/** After a compaction Claude Code runs SessionStart's hooks, too; those of PostCompact can't give it context. */
export const CLAUDE_CODE_EVENTS: Events = [
  ['SessionStart', 'session-start'],
  ['UserPromptSubmit', 'user-prompt-submit'],
  ['PreCompact', 'pre-compact'],
  ['PostCompact', 'post-compact'],
  ['Stop', 'stop'],
  ['SessionEnd', 'session-end'],
]
const CODEX_EVENTS: Events = [
  ['SessionStart', 'session-start'],
  ['UserPromptSubmit', 'user-prompt-submit'],
  ['Stop', 'stop'],
]
const GEMINI_EVENTS: Events = [
  ['SessionStart', 'session-start'],
  ['BeforeAgent', 'user-prompt-submit'],
  ['AfterAgent', 'stop'],
  ['SessionEnd', 'session-end'],
]
const COPILOT_EVENTS: Events = [
  ['sessionStart', 'session-start'],
  ['userPromptSubmitted', 'user-prompt-submit'],
  ['agentStop', 'stop'],
  ['sessionEnd', 'session-end'],
]

const RESTART = 'Restart sessions that are running.'

/** Days after which agents delete histories by default. */
const USUAL_HISTORY_DAYS = 30

const homeFolder = (machine: Machine, name: string, override: string): string =>
  variable(machine, override) ?? below(machine, machine.home, name)

/** The node at a path of a settings text; undefined if it has none, or is damaged. */
const settingAt = (text: string, path: readonly string[]): JsonNode | undefined => {
  const document = parseDocument(text, RELAXED)
  return isFault(document) ? undefined : nodeAt(document.root, path)
}

const scalarOf = (node: JsonNode | undefined): unknown => (node?.kind === 'scalar' ? node.value : undefined)

/** A setting that disables hooks if its value is `off`; dots separate its levels. */
const hooksSwitch = (path: string, setting: string, off: boolean): HooksSwitch => ({
  path,
  setting,
  isOff: (settings) => scalarOf(settingAt(settings, setting.split('.'))) === off,
})

/** The path of the settings that an organisation applies to all users of a machine. */
const managedClaudeSettings = (machine: Machine): string => {
  const { platform } = machine
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json'
  if (platform === 'linux') return '/etc/claude-code/managed-settings.json'
  return below(machine, variable(machine, 'PROGRAMFILES') ?? 'C:\\Program Files', 'ClaudeCode', 'managed-settings.json')
}

const claudeFolder = (machine: Machine): string => homeFolder(machine, '.claude', 'CLAUDE_CONFIG_DIR')

export const claudeCode: AgentDescriptor = {
  agent: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  /** What `cairn setup` writes for Claude Code: its MCP server, hooks and status line. */
  installations: (machine) => {
    const folder = claudeFolder(machine)
    // With CLAUDE_CONFIG_DIR the file lies in that folder, else beside it.
    const state = below(machine, variable(machine, 'CLAUDE_CONFIG_DIR') ?? machine.home, '.claude.json')
    return [
      {
        evidence: [folder, state],
        targets: (program) => [
          {
            kind: 'json',
            paths: [state],
            dialect: STRICT,
            entries: [mcpServer(program, machine, { type: 'stdio' })],
          },
          {
            kind: 'json',
            paths: [below(machine, folder, 'settings.json')],
            dialect: STRICT,
            entries: [
              ...groupedHooks(program, machine, 'claude-code', CLAUDE_CODE_EVENTS, HOOK_SECONDS),
              statusLine(program, machine),
            ],
          },
        ],
      },
    ]
  },
  afterwards: [RESTART],
  missing: [],
  /** The settings that turn Claude Code's hooks off, the user's and those of an administrator. */
  switches: (machine) => {
    const managed = managedClaudeSettings(machine)
    return [
      hooksSwitch(below(machine, claudeFolder(machine), 'settings.json'), 'disableAllHooks', true),
      hooksSwitch(managed, 'disableAllHooks', true),
      hooksSwitch(managed, 'allowManagedHooksOnly', true),
    ]
  },
  plugins: (machine) => ({
    path: below(machine, claudeFolder(machine), 'settings.json'),
    isActive: hasActivePlugin,
  }),
  /** For how many days Claude Code keeps transcripts; `USUAL_HISTORY_DAYS` if it is not set. */
  history: (machine) => ({
    path: below(machine, claudeFolder(machine), 'settings.json'),
    setting: 'cleanupPeriodDays',
    days: (settings) => {
      const days = scalarOf(settingAt(settings, ['cleanupPeriodDays']))
      return typeof days === 'number' ? days : USUAL_HISTORY_DAYS
    },
  }),
}

/** Plugins are listed there as `<plugin>@<marketplace>`, with true if they are active. */
const hasActivePlugin = (settings: string): boolean => {
  const plugins = settingAt(settings, ['enabledPlugins'])
  if (plugins?.kind !== 'object') return false
  return plugins.members.some(({ key, value }) => key.startsWith(`${SERVER_NAME}@`) && scalarOf(value) !== false)
}

const codexFolder = (machine: Machine): string => homeFolder(machine, '.codex', 'CODEX_HOME')

export const codex: AgentDescriptor = {
  agent: 'codex',
  name: 'Codex',
  program: 'codex',
  /** What `cairn setup` writes for Codex: its MCP server and hooks. */
  installations: (machine) => {
    const folder = codexFolder(machine)
    return [
      {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'toml',
            paths: [below(machine, folder, 'config.toml')],
            ...serverCommand(program, machine),
            variables: ['CAIRN_HOME', 'CAIRN_DATABASE_URL'],
          },
          {
            kind: 'json',
            paths: [below(machine, folder, 'hooks.json')],
            dialect: {
              comments: false,
              trailingCommas: false,
              byteOrderMark: false,
              refusesRepeatedKeys: true,
              levels: RUST_LEVELS,
              rootKeys: ['description', 'hooks'],
            },
            entries: groupedHooks(program, machine, 'codex', CODEX_EVENTS, HOOK_SECONDS),
          },
        ],
      },
    ]
  },
  afterwards: [
    'Hooks are skipped, without a word, until you trust them: type /hooks in Codex and trust those of cairn.',
  ],
  missing: ['There is no status line that a program can fill.'],
  trust: (machine) => ({
    state: below(machine, codexFolder(machine), 'config.toml'),
    hooks: below(machine, codexFolder(machine), 'hooks.json'),
  }),
}

/** Gemini CLI uses milliseconds for hook timeouts. */
const MS = 1_000

export const gemini: AgentDescriptor = {
  agent: 'gemini',
  name: 'Gemini CLI',
  program: 'gemini',
  /** What `cairn setup` writes for Gemini CLI: its MCP server and hooks, whose limits are in ms. */
  installations: (machine) => {
    const folder = below(machine, machine.home, '.gemini')
    return [
      {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'json',
            paths: [below(machine, folder, 'settings.json')],
            dialect: { comments: true, trailingCommas: false, byteOrderMark: false },
            entries: [
              mcpServer(program, machine),
              ...groupedHooks(program, machine, 'gemini', GEMINI_EVENTS, HOOK_SECONDS * MS),
            ],
          },
        ],
      },
    ]
  },
  afterwards: [RESTART, 'MCP servers are started in trusted folders only.'],
  missing: ['There is no status line that a program can fill.'],
  switches: (machine) => [
    hooksSwitch(below(machine, machine.home, '.gemini', 'settings.json'), 'hooksConfig.enabled', false),
  ],
  history: (machine) => ({
    path: below(machine, machine.home, '.gemini', 'settings.json'),
    setting: 'general.sessionRetention',
    days: geminiHistoryDays,
  }),
}

/**
 * Number of days that Gemini CLI keeps its history; null for unlimited. Fractions for hours; the usual number where
 * nothing valid is set.
 */
const geminiHistoryDays = (settings: string): number | null => {
  const [enabled, maxAge] = ['enabled', 'maxAge'].map((key) =>
    scalarOf(settingAt(settings, ['general', 'sessionRetention', key])),
  )
  if (enabled === false) return null
  const [, count, unit = ''] = typeof maxAge === 'string' ? (/^(\d+)([hdwm])$/.exec(maxAge) ?? []) : []
  const daysOf: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 }
  return count === undefined ? USUAL_HISTORY_DAYS : Number(count) * (daysOf[unit] ?? 1)
}

/** Copilot's hooks; each handler has one command line for each of two shells. */
const copilotHooks = (program: CairnProgram, machine: Machine): readonly HookEntry[] =>
  COPILOT_EVENTS.map(([event, name]) => {
    const line = hookCommand(program, machine, name, 'copilot')
    const handler = { type: 'command', bash: line, powershell: line, timeoutSec: HOOK_SECONDS }
    return { kind: 'hook', event, form: 'flat', value: handler }
  })

export const copilot: AgentDescriptor = {
  agent: 'copilot',
  name: 'Copilot CLI',
  program: 'copilot',
  /** What `cairn setup` writes for Copilot CLI: its MCP server, hooks and status line. */
  installations: (machine) => {
    const folder = homeFolder(machine, '.copilot', 'COPILOT_HOME')
    return [
      {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'json',
            paths: [below(machine, folder, 'mcp-config.json')],
            dialect: { ...RELAXED, levels: RUST_LEVELS },
            entries: [mcpServer(program, machine, { type: 'local', tools: ['*'] })],
          },
          {
            kind: 'json',
            paths: [below(machine, folder, 'settings.json')],
            dialect: { ...RELAXED, levels: RUST_LEVELS },
            entries: [...copilotHooks(program, machine), statusLine(program, machine)],
          },
        ],
      },
    ]
  },
  afterwards: [RESTART],
  missing: [],
}

export const opencode: AgentDescriptor = {
  agent: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  /** What `cairn setup` writes for OpenCode: its MCP server, in the first of two files that exists, and a plugin. */
  installations: (machine) => {
    const folder = below(machine, xdgConfig(machine), 'opencode')
    const data = variable(machine, 'XDG_DATA_HOME') ?? below(machine, machine.home, '.local', 'share')
    return [
      {
        evidence: [folder, below(machine, data, 'opencode')],
        targets: (program) => {
          const { command, args } = serverCommand(program, machine)
          const { env } = serverVariables(program)
          const value = {
            type: 'local',
            command: [command, ...args],
            enabled: true,
            ...(env === undefined ? {} : { environment: env }),
          }
          return [
            {
              kind: 'json',
              paths: [below(machine, folder, 'opencode.json'), below(machine, folder, 'opencode.jsonc')],
              dialect: RELAXED,
              entries: [{ kind: 'server', at: ['mcp'], value }],
            },
            {
              kind: 'file',
              paths: [below(machine, folder, 'plugins', 'cairn.js')],
              content: openCodePlugin(program),
              isExecutable: false,
            },
          ]
        },
      },
    ]
  },
  afterwards: [
    RESTART,
    'OpenCode fetches its plugin library from the npm registry when it first starts with a plugin; without a network, each start waits a minute for it.',
  ],
  missing: ['There is no status line that a program can fill.'],
}

export const pi: AgentDescriptor = {
  agent: 'pi',
  name: 'pi',
  program: 'pi',
  /** What `cairn setup` writes for pi: an extension, as it has no MCP servers. */
  installations: (machine) => {
    const folder = below(machine, machine.home, '.pi', 'agent')
    return [
      {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'file',
            paths: [below(machine, folder, 'extensions', 'cairn.ts')],
            content: piExtension(program),
            isExecutable: false,
          },
        ],
      },
    ]
  },
  afterwards: [RESTART],
  missing: ['There is no MCP: the extension gives a session its memory, and recall is a command, cairn recall.'],
}
