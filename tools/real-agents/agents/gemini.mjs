import { join } from 'node:path'

const SETTINGS = `{
  // Gemini CLI takes comments.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false }
}
`

/** Without a terminal it offers the model no tool that it would have to ask about, unless it need not ask. */
const turn = (prompt) => ['--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '--prompt', prompt]

/** @type {import('./index.mjs').RealAgent} */
export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: (modules) => [process.execPath, join(modules, '@google', 'gemini-cli', 'bundle', 'gemini.js')],
  variables: (origin) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: origin,
    // MCP servers are started in trusted folders only.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  settings: () => ({ '.gemini/settings.json': SETTINGS }),
  settingsFiles: ['.gemini/settings.json'],
  turn,
  nextTurn: (prompt) => ['--resume', 'latest', ...turn(prompt)],
  memoryRole: 'user',
  recallRole: 'user',
}
