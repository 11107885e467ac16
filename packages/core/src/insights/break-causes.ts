/** Why a cache may be lost within its lifetime, and what in the log tells it. */
import { SESSION_RESUMED, type MessageEntry, type LogEntry } from '../session-log.ts'

/** `certain`: recorded, or it follows from recorded tokens. `likely`: it fits, and nothing else is recorded. */
export type CauseCertainty = 'certain' | 'likely' | 'unknown'

interface CauseRow {
  readonly cause: string
  /** A few words. */
  readonly title: string
  readonly certainty: CauseCertainty
  /** What to do: sentences. */
  readonly advice: string
}

/** All causes; of several that fit, the first one is told. */
export const BREAK_CAUSES = [
  {
    cause: 'unwritten',
    title: 'Input not written to the cache',
    certainty: 'certain',
    advice:
      'No cache was lost: the agent had sent this input without having it cached, and paid for it in full once more. Only the agent can change that.',
  },
  {
    cause: 'model',
    title: 'Another model',
    certainty: 'certain',
    advice: 'Choose the model before the work: each model has a cache of its own, so that all is written again.',
  },
  {
    cause: 'cleared-results',
    title: 'Old tool results were cleared',
    certainty: 'certain',
    advice:
      'The agent cleared old tool results to make room, and all behind them was written again. Keep large results out of the context, or compact when a task ends.',
  },
  {
    cause: 'edit',
    title: 'Earlier messages were changed or taken back',
    certainty: 'certain',
    advice: 'Go back as few messages as needed: all behind the first one that changed is written again.',
  },
  {
    cause: 'restart',
    title: 'The agent was left and started again',
    certainty: 'likely',
    advice: 'Finish a task before you leave the agent, or begin the next one in a fresh session.',
  },
  {
    cause: 'shortened',
    title: 'The context became shorter',
    certainty: 'certain',
    advice:
      'Old results were cleared or messages taken back, without a record, and all behind them was written again. Keep large results out of the context, or compact when a task ends.',
  },
  {
    cause: 'thinking',
    title: 'Thinking was switched on or off',
    certainty: 'likely',
    advice:
      'Keep thinking on or off for a whole session: each switch has all messages written again. Versions of Claude Code up to about 2.1.40 switch it by themselves, off for a skill, a command or an accepted plan, and on with the next prompt: update them.',
  },
  {
    cause: 'reasoning',
    title: 'Reasoning of the turn before was left out',
    certainty: 'likely',
    advice:
      'Give a task in one prompt rather than in many: some models are not sent the reasoning of earlier turns, so that with a prompt all behind its place may be written again.',
  },
  {
    cause: 'tools',
    title: 'Tools or settings were changed',
    certainty: 'likely',
    advice: 'Set up tools, MCP servers and settings before the work: they stand before all messages.',
  },
  {
    cause: 'mode',
    title: 'Another mode',
    certainty: 'likely',
    advice: 'Choose the mode before the work: with it the instructions or tools before all messages may change.',
  },
  {
    cause: 'skill',
    title: 'A skill was loaded',
    certainty: 'likely',
    advice: 'Load the skills that a task needs at its beginning, while little has to be written again.',
  },
  {
    cause: 'provider-error',
    title: 'The provider failed in between',
    certainty: 'likely',
    advice: 'Nothing to do: a request failed and was sent again, most likely to a server that did not have the cache.',
  },
  {
    cause: 'dropped',
    title: 'Nothing changed: the provider lost it',
    certainty: 'likely',
    advice:
      'Nothing to do: no change is recorded, and the tools at the beginning of the context were still in the cache. Most likely the provider dropped the rest early, or used a server that did not have it.',
  },
  {
    cause: 'unknown',
    title: 'Cause not recorded',
    certainty: 'unknown',
    advice:
      'Nothing of the cache was found, and the log does not say why. The tools, the instructions or the API key may have changed, which agents do not record, or the provider dropped the cache.',
  },
] as const satisfies readonly CauseRow[]

export type BreakCause = (typeof BREAK_CAUSES)[number]['cause']

/** Commands of an agent's program that end it. */
const LEAVING: ReadonlySet<string> = new Set(['exit', 'quit'])
/** Those that change what is sent before all messages. */
const SETTING_UP: ReadonlySet<string> = new Set(['mcp', 'plugin', 'agents', 'output-style', 'config', 'permissions'])

const COMMAND = /<command-name>\/?([a-z-]{1,40})<\/command-name>/
const SKILL = /^\s*Base directory for this skill:/
/** A command stands near the beginning of its text. */
const COMMAND_WITHIN = 1_000
/** What Claude Code puts in the place of a reply where a session is resumed. */
const NO_REPLY = 'No response requested.'
const FAILED = /^api ?error\b/i

/**
 * What a text shows to have changed the cached prefix: `skill` for a skill that the program added, `restart` for a
 * command that leaves the agent, `tools` for one that changes its setup; undefined for anything else.
 * @param isMeta whether the program added it
 */
const causeInText = (text: string, isMeta: boolean): BreakCause | undefined => {
  if (isMeta && SKILL.test(text)) return 'skill'
  const command = COMMAND.exec(text.slice(0, COMMAND_WITHIN))?.[1]
  if (command === undefined) return undefined
  if (LEAVING.has(command)) return 'restart'
  return SETTING_UP.has(command) ? 'tools' : undefined
}

/**
 * The cause in the first text of a user's message that shows one, or `restart` for the text that Claude Code puts in
 * the place of a reply; undefined for everything else.
 */
const causeInMessage = ({ role, origin, content }: MessageEntry): BreakCause | undefined => {
  if (role === 'assistant' && origin === 'meta')
    return content.some((block) => block.type === 'text' && block.text === NO_REPLY) ? 'restart' : undefined
  if (role !== 'user') return undefined
  for (const block of content) {
    const cause = block.type === 'text' ? causeInText(block.text, origin === 'meta') : undefined
    if (cause !== undefined) return cause
  }
  return undefined
}

/**
 * What an entry of the log may have the cache lost by: `edit` for a rewind, rewrite, truncation or edit,
 * `cleared-results` for a partial compaction, else what a text shows (a resumed session, an API error, a command, a
 * skill). Undefined for all else, also for a whole compaction.
 */
export const causeIn = (entry: LogEntry): BreakCause | undefined => {
  switch (entry.kind) {
    case 'message':
      return causeInMessage(entry)
    case 'notice':
      if (entry.text === SESSION_RESUMED) return 'restart'
      if (entry.level === 'error' && FAILED.test(entry.text)) return 'provider-error'
      return causeInText(entry.text, false)
    case 'compaction':
      return entry.partial === true ? 'cleared-results' : undefined
    case 'rewind':
    case 'rewrite':
    case 'truncation':
    case 'edit':
      return 'edit'
    default:
      return undefined
  }
}
