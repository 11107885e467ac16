import { describe, expect, it } from '@jest/globals'
import { HOOK_AGENTS, HOOK_EVENTS } from './hook-input.ts'
import { hookOutput, outputLimit, showsNotices } from './hook-output.ts'

describe("a hook's answer", () => {
  it.each([
    ['claude-code', 'session-start', { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' } }],
    [
      'codex',
      'user-prompt-submit',
      { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'c' } },
    ],
    ['gemini', 'user-prompt-submit', { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'c' } }],
    ['copilot', 'session-start', { additionalContext: 'c' }],
    ['opencode', 'session-start', { additionalContext: 'c' }],
    ['cline', 'user-prompt-submit', { cancel: false, contextModification: 'c' }],
  ] as const)("from %s to %s has the agent's format", (agent, event, expected) => {
    expect(JSON.parse(hookOutput(agent, event, 'c'))).toEqual(expected)
  })

  it('is empty where there is nothing to add, and for an event that accepts no context', () => {
    for (const agent of HOOK_AGENTS)
      for (const event of HOOK_EVENTS) {
        expect(hookOutput(agent, event, '')).toBe('')
        if (event !== 'session-start' && event !== 'user-prompt-submit') expect(hookOutput(agent, event, 'c')).toBe('')
      }
  })

  it.each(HOOK_AGENTS)('from %s has a sentence for the user where the agent shows one', (agent) => {
    const both = JSON.parse(hookOutput(agent, 'session-start', 'c', 'n')) as object
    const without = JSON.parse(hookOutput(agent, 'session-start', 'c')) as object
    const alone = hookOutput(agent, 'session-start', '', 'n')
    if (showsNotices(agent)) {
      expect(both).toEqual({ ...without, systemMessage: 'n' })
      expect(JSON.parse(alone)).toEqual({ systemMessage: 'n' })
    } else expect([both, alone]).toEqual([without, ''])
    expect(hookOutput(agent, 'stop', '', 'n')).toBe('')
  })

  it('stays below the lengths at which agents truncate', () => {
    for (const agent of HOOK_AGENTS) expect(outputLimit(agent).characters).toBeLessThanOrEqual(9_900)
    expect(outputLimit('codex').tokens).toBeLessThanOrEqual(2_400)
  })
})
