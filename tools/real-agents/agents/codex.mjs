import { join } from 'node:path'
import { trustHooks } from './codex-trust.mjs'

/** The provider is named in the settings: Codex has no variable for the address of a model. */
const config = (origin) => `# Where the model is.
model = "gpt-5.4"
model_provider = "loopback"

[model_providers.loopback]
name = "Loopback"
base_url = "${origin}/v1"
wire_api = "responses"

[analytics]
enabled = false
`

/** @type {import('./index.mjs').RealAgent} */
export const codex = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: (modules) => [process.execPath, join(modules, '@openai', 'codex', 'bin', 'codex.js')],
  variables: () => ({}),
  settings: (origin) => ({ '.codex/config.toml': config(origin) }),
  settingsFiles: ['.codex/config.toml', '.codex/hooks.json'],
  turn: (prompt) => ['exec', prompt],
  nextTurn: (prompt) => ['exec', 'resume', '--last', prompt],
  memoryRole: 'developer',
  recallRole: 'developer',
  trust: trustHooks,
}
