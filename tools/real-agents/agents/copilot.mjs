import { join } from 'node:path'

/** @type {import('./index.mjs').RealAgent} */
export const copilot = {
  name: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: (modules) => [process.execPath, join(modules, '@github', 'copilot', 'npm-loader.js')],
  variables: (origin) => ({
    COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'gpt-5.4',
    // Nothing but the provider is asked: no login, no telemetry, no update.
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  settings: () => ({ '.copilot/settings.json': '{\n  "beep": false\n}\n' }),
  settingsFiles: ['.copilot/settings.json', '.copilot/mcp-config.json'],
  turn: (prompt) => ['--allow-all-tools', '-p', prompt],
  nextTurn: (prompt) => ['--allow-all-tools', '--continue', '-p', prompt],
  subagentCall: {
    tool: /^task$/,
    input: { name: 'look', description: 'look', prompt: 'Find it', agent_type: 'explore' },
  },
  memoryRole: 'user',
  recallRole: 'user',
}
