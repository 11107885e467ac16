/** Agents that run in an editor. */
import { applicationData, below } from '../machine.ts'
import type { Machine } from '../machine.ts'
import { serverCommand, serverVariables } from '../program.ts'
import type { CairnProgram } from '../program.ts'
import type { Target } from '../target.ts'
import type { AgentDescriptor, Installation } from './descriptor.ts'
import { RELAXED, STRICT, mcpServer } from './entries.ts'
import { clineHook } from './own-files.ts'

/** Editors that run the extensions, by the name of the folder for the user's data. */
const EDITORS = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium'] as const

const RELOAD = 'Reload the window of the editor.'

/** The server's read-only tools. */
const READING_TOOLS = ['session_context', 'recall', 'get_message', 'get_session', 'memory', 'files']

/** Servers of editors that work remotely, by their folders in the home folder. */
const REMOTE_SERVERS = ['.vscode-server', '.cursor-server'] as const

/** An extension's settings in every editor. Found where its folder is; remote servers' too. */
const extensionIn = (
  machine: Machine,
  extension: string,
  targets: (folder: string, program: CairnProgram) => readonly Target[],
): readonly Installation[] => {
  const users = [
    ...EDITORS.map((editor) => below(machine, applicationData(machine), editor, 'User')),
    ...REMOTE_SERVERS.map((server) => below(machine, machine.home, server, 'data', 'User')),
  ]
  return users.map((user) => {
    const folder = below(machine, user, 'globalStorage', extension)
    return { evidence: [folder], targets: (program) => targets(folder, program) }
  })
}

export const cline: AgentDescriptor = {
  agent: 'cline',
  name: 'Cline',
  /** What `cairn setup` writes for Cline in each editor that has it: its MCP server, and a hook except on Windows. */
  installations: (machine) =>
    extensionIn(machine, 'saoudrizwan.claude-dev', (folder, program) => [
      {
        kind: 'json',
        paths: [below(machine, folder, 'settings', 'cline_mcp_settings.json')],
        dialect: STRICT,
        entries: [mcpServer(program, machine, { disabled: false, autoApprove: READING_TOOLS })],
      },
      // On Windows the form of such a file is not known to work.
      ...(machine.platform === 'win32' ? [] : [clineTaskStart(machine, program)]),
    ]),
  afterwards: [RELOAD, 'Switch hooks on in the settings of Cline.'],
  missing: ['There is no status line, and no hook on Windows.'],
}

/** The hook that Cline runs when a task starts, as a file of Cairn's own. */
const clineTaskStart = (machine: Machine, program: CairnProgram): Target => ({
  kind: 'file',
  paths: [below(machine, machine.home, 'Documents', 'Cline', 'Hooks', 'TaskStart')],
  content: clineHook(program, machine),
  isExecutable: true,
})

export const roo: AgentDescriptor = {
  agent: 'roo',
  name: 'Roo Code',
  /** What `cairn setup` writes for Roo Code in each editor that has it: its MCP server. */
  installations: (machine) =>
    extensionIn(machine, 'rooveterinaryinc.roo-cline', (folder, program) => [
      {
        kind: 'json',
        paths: [below(machine, folder, 'settings', 'mcp_settings.json')],
        dialect: STRICT,
        entries: [mcpServer(program, machine, { disabled: false, alwaysAllow: READING_TOOLS })],
      },
    ]),
  afterwards: [RELOAD],
  missing: ['There are no hooks and no status line.'],
}

export const cursor: AgentDescriptor = {
  agent: 'cursor',
  name: 'Cursor',
  program: 'cursor',
  /** What `cairn setup` writes for Cursor: its MCP server. */
  installations: (machine) => {
    const folder = below(machine, machine.home, '.cursor')
    return [
      {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'json',
            paths: [below(machine, folder, 'mcp.json')],
            dialect: STRICT,
            entries: [mcpServer(program, machine)],
          },
        ],
      },
    ]
  },
  afterwards: [RELOAD],
  missing: [
    'No hooks are written: some versions refuse a session-start hook, and what Cursor records is not imported.',
  ],
}

export const vscode: AgentDescriptor = {
  agent: 'vscode',
  name: 'VS Code',
  program: 'code',
  /** What `cairn setup` writes for VS Code's own agent, by variant of the editor: its MCP server. */
  installations: (machine) =>
    (['Code', 'Code - Insiders', 'VSCodium'] as const).map((editor) => {
      const folder = below(machine, applicationData(machine), editor, 'User')
      return {
        evidence: [folder],
        targets: (program) => [
          {
            kind: 'json',
            paths: [below(machine, folder, 'mcp.json')],
            dialect: RELAXED,
            entries: [
              {
                kind: 'server',
                at: ['servers'],
                value: { type: 'stdio', ...serverCommand(program, machine), ...serverVariables(program) },
              },
            ],
          },
        ],
      }
    }),
  afterwards: [RELOAD],
  missing: ["No hooks are written: VS Code's own are a preview that depends on the chosen agent."],
}
