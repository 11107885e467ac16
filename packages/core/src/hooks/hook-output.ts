/** A hook's answer in each agent's format, and how much of it each agent passes on. */
import type { HookAgent, HookEvent } from './hook-input.ts'

export interface OutputLimit {
  /** UTF-16 units. */
  readonly characters: number
  /** Estimated. */
  readonly tokens: number
}

/** Claude Code keeps the first 2 KB of what is longer than 10,000 characters; the others pass on at least as much. */
const USUAL_LIMIT: OutputLimit = { characters: 9_900, tokens: 3_600 }
/** Codex cuts the middle out of what has more than 2,500 tokens. */
const CODEX_LIMIT: OutputLimit = { characters: 9_900, tokens: 2_400 }

/**
 * The longest text, in characters and estimated tokens, that the agent passes to its model in full; Codex accepts fewer
 * tokens than the others.
 */
export const outputLimit = (agent: HookAgent): OutputLimit => (agent === 'codex' ? CODEX_LIMIT : USUAL_LIMIT)

/** Events at which an agent accepts context, by its own names. */
const EVENT_NAMES: Readonly<Partial<Record<HookAgent, Partial<Record<HookEvent, string>>>>> = {
  'claude-code': { 'session-start': 'SessionStart', 'user-prompt-submit': 'UserPromptSubmit' },
  codex: { 'session-start': 'SessionStart', 'user-prompt-submit': 'UserPromptSubmit' },
  gemini: { 'session-start': 'SessionStart', 'user-prompt-submit': 'BeforeAgent' },
}

/** Whether an agent accepts context at an event. */
const takesContext = (event: HookEvent): boolean => event === 'session-start' || event === 'user-prompt-submit'

/** Agents that show their user a hook's `systemMessage`; their model does not see it. */
const WITH_NOTICES: ReadonlySet<HookAgent> = new Set(['claude-code', 'codex', 'gemini'])

/** Whether an agent can show its user a sentence. */
export const showsNotices = (agent: HookAgent): boolean => WITH_NOTICES.has(agent)

/**
 * The text for standard output, JSON in the agent's format for this event; empty if there is nothing to say, and for
 * all events but a session's start and a prompt.
 * @param context for the model
 * @param notice for the user; omitted for agents that can't show one
 */
export const hookOutput = (agent: HookAgent, event: HookEvent, context: string, notice = ''): string => {
  if (!takesContext(event)) return ''
  const shown = notice !== '' && showsNotices(agent) ? { systemMessage: notice } : undefined
  if (context === '') return shown === undefined ? '' : JSON.stringify(shown)
  if (agent === 'cline') return JSON.stringify({ cancel: false, contextModification: context })
  const name = EVENT_NAMES[agent]?.[event]
  return JSON.stringify(
    name === undefined
      ? { additionalContext: context }
      : { ...shown, hookSpecificOutput: { hookEventName: name, additionalContext: context } },
  )
}
