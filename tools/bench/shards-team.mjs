// What the made-up teams of the benchmark over shards have: names, people, and two years.

export const START = Date.UTC(2024, 10, 1)
export const END = Date.UTC(2026, 10, 1)
export const REQUESTS_PER_SESSION = 50
export const MACHINES = 40
export const AGENTS = ['claude-code', 'codex', 'cline', 'roo', 'pi']
export const MODELS = [
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-haiku-4-5',
  ...Array.from({ length: 9 }, (_, index) => `model-${index + 4}`),
]
export const MODES = ['plan', 'act']
export const PROVIDERS = ['anthropic', 'openai', 'openrouter']
export const WORKSPACES = Array.from({ length: 200 }, (_, index) => `project-${index + 1}`)
export const BRANCHES = Array.from({ length: 300 }, (_, index) => `feature/${index + 1}`)
