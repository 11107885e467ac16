/** Why a cache was lost within its lifetime, as far as the log tells: what it has between the two requests. */
import type { MessageEntry, LogEntry } from '../session-log.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'

interface CauseRow {
  readonly cause: string
  /** A few words. */
  readonly title: string
  /** What to do: sentences. */
  readonly advice: string
}

/** All causes; of several that fit, the first one is told. */
export const BREAK_CAUSES = [
  {
    cause: 'model',
    title: 'Another model',
    advice: 'Choose the model before the work: each model has a cache of its own, so that all is written again.',
  },
  {
    cause: 'cleared-results',
    title: 'Old tool results were cleared',
    advice:
      'The agent cleared old tool results to make room, which has all behind them written again. Keep large results out of the context, or compact when a task ends.',
  },
  {
    cause: 'edit',
    title: 'Earlier messages were changed or taken back',
    advice: 'Go back as few messages as needed: all behind the first one that changed is written again.',
  },
  {
    cause: 'restart',
    title: 'The agent was left and started again',
    advice: 'Finish a task before you leave the agent, or begin the next one in a fresh session.',
  },
  {
    cause: 'tools',
    title: 'Tools or settings were changed',
    advice: 'Set up tools, MCP servers and settings before the work: they stand before all messages.',
  },
  {
    cause: 'mode',
    title: 'Another mode',
    advice: 'Choose the mode before the work: with it the instructions or tools before all messages may change.',
  },
  {
    cause: 'skill',
    title: 'A skill was loaded',
    advice: 'Load the skills that a task needs at its beginning, while little has to be written again.',
  },
  {
    cause: 'unknown',
    title: 'Cause not recorded',
    advice:
      'The log does not say why. A provider may drop a cache early, and agents log no change of their tools or instructions, so that nothing can be advised.',
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

/**
 * What a text shows to have changed the cached prefix; undefined if nothing.
 * @param isMeta whether the program added it
 */
const causeInText = (text: string, isMeta: boolean): BreakCause | undefined => {
  if (isMeta && SKILL.test(text)) return 'skill'
  const command = COMMAND.exec(text.slice(0, COMMAND_WITHIN))?.[1]
  if (command === undefined) return undefined
  if (LEAVING.has(command)) return 'restart'
  return SETTING_UP.has(command) ? 'tools' : undefined
}

/** The cause in the first text of a user's message that shows one; undefined for none and for other roles. */
const causeInMessage = ({ role, origin, content }: MessageEntry): BreakCause | undefined => {
  if (role !== 'user') return undefined
  for (const block of content) {
    const cause = block.type === 'text' ? causeInText(block.text, origin === 'meta') : undefined
    if (cause !== undefined) return cause
  }
  return undefined
}

/** What an entry of the log may have the cache lost by; undefined for one that only adds to the conversation. */
export const causeIn = (entry: LogEntry): BreakCause | undefined => {
  switch (entry.kind) {
    case 'message':
      return causeInMessage(entry)
    case 'notice':
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

/**
 * Why a request did not find the cache of the one before: `unknown` where neither the log nor the requests tell.
 * @param logged what `causeIn` gave for the entries between both
 */
export const breakCause = (
  before: Pick<StoredRequest, 'model' | 'mode'>,
  request: Pick<StoredRequest, 'model' | 'mode'>,
  logged: ReadonlySet<BreakCause> | undefined,
): BreakCause => {
  const causes = new Set(logged)
  if (before.model !== request.model) causes.add('model')
  // Where the mode before is not known, it may have been the same.
  if (before.mode !== null && request.mode !== null && before.mode !== request.mode) causes.add('mode')
  return BREAK_CAUSES.find(({ cause }) => causes.has(cause))?.cause ?? 'unknown'
}
