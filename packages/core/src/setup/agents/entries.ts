/** Entries in formats shared by several agents. */
import type { JsonObject } from '../../json.ts'
import type { JsonDialect } from '../json/parse.ts'
import type { Machine } from '../machine.ts'
import { hookCommand, serverCommand, serverVariables, statusLineCommand } from '../program.ts'
import type { CairnProgram, HookEvent } from '../program.ts'
import type { HookEntry, ServerEntry, StatusLineEntry } from '../target.ts'

/** Strict JSON that may have a byte order mark. */
export const STRICT: JsonDialect = { comments: false, trailingCommas: false, byteOrderMark: true }
/** Maximum nesting accepted by the JSON reader of agents written in Rust (Codex, Copilot CLI). */
export const RUST_LEVELS = 127
/** JSON with comments and trailing commas. */
export const RELAXED: JsonDialect = { comments: true, trailingCommas: true, byteOrderMark: true }

/** Hooks only start an import or read the store, so agents wait no longer than this. */
export const HOOK_SECONDS = 10

/**
 * An entry under `mcpServers` that starts the MCP server. `extra` has an agent's own fields, which don't override ours.
 */
export const mcpServer = (program: CairnProgram, machine: Machine, extra: JsonObject = {}): ServerEntry => ({
  kind: 'server',
  at: ['mcpServers'],
  value: { ...extra, ...serverCommand(program, machine), ...serverVariables(program) },
})

/** The entry `statusLine` of Claude Code and Copilot CLI, which runs Cairn's command. */
export const statusLine = (program: CairnProgram, machine: Machine): StatusLineEntry => ({
  kind: 'status-line',
  at: ['statusLine'],
  value: { type: 'command', command: statusLineCommand(program, machine) },
})

/**
 * Hook entries in the grouped format of Claude Code, Codex and Gemini CLI, in the order of `events`: pairs of the
 * agent's name for an event and ours. `timeout` is in the agent's own unit.
 */
export const groupedHooks = (
  program: CairnProgram,
  machine: Machine,
  agent: string,
  events: readonly (readonly [string, HookEvent])[],
  timeout: number,
): readonly HookEntry[] =>
  events.map(([event, name]) => ({
    kind: 'hook',
    event,
    form: 'grouped',
    value: { type: 'command', command: hookCommand(program, machine, name, agent), timeout },
  }))
