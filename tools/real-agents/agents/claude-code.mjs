import { join } from 'node:path'

/** @type {import('./index.mjs').RealAgent} */
export const claudeCode = {
  name: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  program: (modules) => [process.execPath, join(modules, '@anthropic-ai', 'claude-code', 'cli-wrapper.cjs')],
  variables: (origin) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Tools are offered at once, not after a search for them.
    ENABLE_TOOL_SEARCH: 'false',
  }),
  settings: () => ({ '.claude/settings.json': '{\n  "cleanupPeriodDays": 365\n}\n' }),
  settingsFiles: ['.claude.json', '.claude/settings.json'],
  turn: (prompt) => ['--allowedTools', 'mcp__cairn__recall', '-p', prompt],
  nextTurn: (prompt) => ['--continue', '-p', prompt],
  memoryRole: 'system',
  recallRole: 'system',
}
