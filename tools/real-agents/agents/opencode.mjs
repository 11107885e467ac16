import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const config = (origin) => ({
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  model: 'loopback/test-model',
  provider: {
    loopback: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Loopback',
      options: { baseURL: `${origin}/v1`, apiKey: 'none' },
      models: { 'test-model': { name: 'Test model', limit: { context: 128_000, output: 8_000 } } },
    },
  },
})

/** @type {import('./index.mjs').RealAgent} */
export const opencode = {
  name: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  /**
   * The command line of OpenCode's program for this platform, the one that runs on every processor of the kind. Throws
   * if there is none.
   */
  program: (modules) => {
    const packages = readdirSync(modules).filter((name) => /^opencode-(linux|darwin|windows)-/.test(name))
    // "baseline" runs on every processor of the kind.
    const name = packages.find((one) => one.includes('-baseline')) ?? packages[0]
    if (name === undefined) throw new Error('OpenCode has no program for this platform.')
    return [join(modules, name, 'bin', process.platform === 'win32' ? 'opencode.exe' : 'opencode')]
  },
  variables: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true', OPENCODE_DISABLE_MODELS_FETCH: 'true' }),
  settings: (origin) => ({ '.config/opencode/opencode.json': `${JSON.stringify(config(origin), null, 2)}\n` }),
  settingsFiles: ['.config/opencode/opencode.json'],
  turn: (prompt) => ['run', prompt],
  nextTurn: (prompt) => ['run', '--continue', prompt],
  memoryRole: 'system',
  recallRole: 'user',
  asksForTitles: true,
}
