/**
 * Parses what agents send to a hook on standard input into one format. Agents use different names for the same facts.
 * Facts they don't send are absent; input that is not a JSON object is ignored.
 */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject } from '../json.ts'

export const HOOK_EVENTS = [
  'session-start',
  'user-prompt-submit',
  'pre-compact',
  'post-compact',
  'stop',
  'session-end',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

export const HOOK_AGENTS = ['claude-code', 'codex', 'gemini', 'copilot', 'opencode', 'cline', 'pi'] as const
export type HookAgent = (typeof HOOK_AGENTS)[number]

/** Agents whose sessions can be marked manually, including agents without our hooks. */
export const MARKED_AGENTS: readonly string[] = [
  ...HOOK_AGENTS,
  'roo',
  'kilo',
  'continue',
  'aider',
  'clio',
  'cursor',
  'generic',
]

export interface HookInput {
  /** The session's id in the agent. */
  readonly sessionId?: string
  /** Absolute. */
  readonly transcriptPath?: string
  /** The agent's working folder, absolute. */
  readonly folder?: string
  /** Why the session starts: `startup`, `resume`, `clear`, `compact`, … */
  readonly source?: string
  /** The user's new prompt. */
  readonly prompt?: string
  /** Whether the agent, or whoever started it, says that nothing of the session may be stored. */
  readonly isIncognito: boolean
}

/** Maximum characters of a prompt that are used: a pasted log is not a question. */
const PROMPT_CHARACTERS = 20_000
/** No agent's id or path is longer. */
const NAME_CHARACTERS = 4_096

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[/\\]|\\\\)/.test(path)

/** The first of several properties that contains a text, without space around it; undefined if none does. */
const textIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const text = stringOf(input[name])?.trim()
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** The first of the names with a text; undefined if it is too long or contains NUL. */
const nameIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  const text = textIn(input, names)
  return text === undefined || text.length > NAME_CHARACTERS || text.includes('\0') ? undefined : text
}

/** Like {@link nameIn}, but only an absolute path, of any platform. */
const pathIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  const path = nameIn(input, names)
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** The first of Cline's folders, which it sends as a list. */
const firstRoot = (input: JsonObject): string | undefined => {
  const path = stringOf(arrayOf(input['workspaceRoots'])[0])
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** The prompt, from whichever field the agent uses; undefined if there is none. */
const promptIn = (input: JsonObject): string | undefined =>
  textIn(input, ['prompt', 'initialPrompt']) ??
  textIn(objectOf(input['userPromptSubmit']), ['prompt']) ??
  textIn(objectOf(objectOf(input['taskStart'])['taskMetadata']), ['initialTask'])

/** An object with the property, or an empty one when the value is undefined. */
const present = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string })

/**
 * Parses an agent's input to a hook; undefined if it is not a JSON object. Never throws. Fields that are blank, too
 * long, of an unexpected type, or paths that are not absolute count as missing. The prompt is cut to
 * `PROMPT_CHARACTERS`.
 */
export const parseHookInput = (text: string): HookInput | undefined => {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(input)) return undefined
  return {
    ...present('sessionId', nameIn(input, ['session_id', 'sessionId', 'sessionID', 'taskId'])),
    ...present('transcriptPath', pathIn(input, ['transcript_path', 'transcriptPath'])),
    ...present('folder', pathIn(input, ['cwd', 'directory']) ?? firstRoot(input)),
    ...present('source', nameIn(input, ['source'])),
    ...present('prompt', promptIn(input)?.slice(0, PROMPT_CHARACTERS)),
    isIncognito: input['incognito'] === true,
  }
}
