/** Cairn as a plugin of Claude Code: the same server and hooks that setup writes, as files in a separate folder. */
import type { JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { serverCommand, serverVariables } from '../program.ts'
import type { CairnProgram } from '../program.ts'
import { SERVER_NAME } from '../target.ts'
import { CLAUDE_CODE_EVENTS } from './command-line-agents.ts'
import { HOOK_SECONDS, groupedHooks } from './entries.ts'

const DESCRIPTION = 'The memory of coding agents: history, cost and what was learnt, for every session'
const OWNER = { name: 'Cairn contributors' }

/**
 * The texts of the plugin's files by path, relative and with `/`: a marketplace with one plugin, because Claude Code
 * installs plugins only from marketplaces. A plugin can't set the status line; `cairn setup` does. Writes nothing.
 */
export const claudeCodePlugin = (
  program: CairnProgram,
  machine: Machine,
  version: string,
): ReadonlyMap<string, string> => {
  const hooks = Object.fromEntries(
    groupedHooks(program, machine, 'claude-code', CLAUDE_CODE_EVENTS, HOOK_SECONDS).map(({ event, value }) => [
      event,
      [{ hooks: [value] }],
    ]),
  )
  const server = { ...serverCommand(program, machine), ...serverVariables(program) }
  const files: readonly (readonly [string, JsonObject])[] = [
    [
      '.claude-plugin/marketplace.json',
      {
        name: 'cairn',
        owner: OWNER,
        metadata: { description: DESCRIPTION },
        plugins: [{ name: 'cairn', source: './cairn', description: DESCRIPTION, version }],
      },
    ],
    [
      'cairn/.claude-plugin/plugin.json',
      { name: 'cairn', version, description: DESCRIPTION, author: OWNER, license: 'MIT' },
    ],
    [
      'cairn/hooks/hooks.json',
      { description: 'Starts sessions with what is remembered, and imports what is new', hooks },
    ],
    ['cairn/.mcp.json', { mcpServers: { [SERVER_NAME]: server } }],
  ]
  return new Map(files.map(([path, content]) => [path, `${JSON.stringify(content, undefined, 2)}\n`]))
}
