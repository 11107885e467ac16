/** A home folder in which every agent has settings of its user's, in the forms in which people write them. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findAgent } from '../../setup/index.ts'
import type { CairnProgram, SetupAgent } from '../../setup/index.ts'
import type { SetupRequest } from './plan-setup.ts'

/** The files of an installation in `/opt/<name>`. */
export const programIn = (name: string): CairnProgram => ({
  node: '/opt/node/bin/node',
  hook: `/opt/${name}/dist/hook.js`,
  command: `/opt/${name}/bin/cairn.js`,
})

/** Writes a file below the home folder; its path. */
export const putFile = (home: string, path: string, text: string | Uint8Array, mode = 0o644): string => {
  const whole = join(home, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text)
  chmodSync(whole, mode)
  return whole
}

/** Every file and folder below the home folder: its mode, and a file's text. */
export const everythingIn = (home: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const facts = lstatSync(join(home, name))
        const mode = (facts.mode & 0o7777).toString(8)
        return [name, facts.isFile() ? `${mode} ${readFileSync(join(home, name), 'utf8')}` : mode]
      }),
  )

/** What is asked of setup in a home folder; no agents: all that are found. */
export const requestIn = (
  home: string,
  agents: readonly SetupAgent[] = [],
  extra: Partial<SetupRequest> = {},
): SetupRequest => ({
  machine: { home, platform: 'linux', variables: {} },
  program: programIn('cairn'),
  dataFolder: join(home, '.local', 'share', 'cairn'),
  agents: agents.map(findAgent),
  replaceStatusLine: false,
  ...extra,
})

/** Settings of all ten agents: of each dialect, with comments, a byte order mark, other line ends; some files are missing. */
export const putSettings = (home: string): void => {
  const put = (path: string, text: string, mode?: number): string => putFile(home, path, text, mode)
  put('.claude.json', '{"numStartups": 3, "mcpServers": {"db": {"command": "db"}}}', 0o600)
  put('.claude/settings.json', '{\r\n\t"statusLine": {"type": "command", "command": "mine"}\r\n}')
  put('.codex/config.toml', '# mine\nmodel = "gpt-5"', 0o640)
  put('.gemini/settings.json', '{\n  "theme": "x" // dark\n}\n')
  put('.copilot/settings.json', '\ufeff{ "a": 1, }\n')
  put('.config/opencode/opencode.jsonc', '{\n  // mine\n}\n')
  put('.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', '{"mcpServers":{}}')
  put('.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/x', '')
  put('.cursor/mcp.json', '')
  put('.config/Code/User/mcp.json', '{"servers": {}, "inputs": []}')
  put('.pi/agent/settings.json', '{}')
}
