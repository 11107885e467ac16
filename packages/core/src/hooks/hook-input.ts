/**
 * What an agent tells a hook on standard input, in one form for all of them. The agents' names for the same facts differ;
 * what they don't tell is absent, and what is no JSON object of theirs is nothing.
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

/** Whose sessions can be marked by hand: also agents without hooks of ours. */
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
  /** The agent's own id of the session. */
  readonly sessionId?: string
  /** Absolute. */
  readonly transcriptPath?: string
  /** The agent's working folder, absolute. */
  readonly folder?: string
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`, … */
  readonly source?: string
  /** What the user has just asked. */
  readonly prompt?: string
  /** Whether the agent, or whoever started it, says that nothing of the session may be kept. */
  readonly isIncognito: boolean
}

/** The characters of a prompt that are looked at: a pasted log is no question. */
const PROMPT_CHARACTERS = 20_000
/** No id or path of an agent is longer. */
const NAME_CHARACTERS = 4_096

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[/\\]|\\\\)/.test(path)

/** The first of several properties that holds a text. */
const textIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const text = stringOf(input[name])?.trim()
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** The first of the names that has a text; undefined for an overlong one and one with NUL. */
const nameIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  const text = textIn(input, names)
  return text === undefined || text.length > NAME_CHARACTERS || text.includes('\0') ? undefined : text
}

/** As {@link nameIn}, but only an absolute path, of any platform. */
const pathIn = (input: JsonObject, names: readonly string[]): string | undefined => {
  const path = nameIn(input, names)
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** Cline tells its folders as a list. */
const firstRoot = (input: JsonObject): string | undefined => {
  const path = stringOf(arrayOf(input['workspaceRoots'])[0])
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** The prompt, in whichever field an agent sends it; undefined without one. */
const promptIn = (input: JsonObject): string | undefined =>
  textIn(input, ['prompt', 'initialPrompt']) ??
  textIn(objectOf(input['userPromptSubmit']), ['prompt']) ??
  textIn(objectOf(objectOf(input['taskStart'])['taskMetadata']), ['initialTask'])

/** An object with the property, or an empty one when the value is undefined. */
const present = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string })

/**
 * The facts in what an agent gives a hook on standard input; undefined for what is no JSON object, never throws.
 * Fields of another type count as missing. The prompt is cut to `PROMPT_CHARACTERS`.
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
