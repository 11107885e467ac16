/**
 * How agents start Cairn: the commands that setup writes, and how they are known again later. The mark is the command
 * itself, its script and its words, so it survives when an agent writes its settings anew or entries are moved.
 */
import type { JsonObject } from '../json.ts'
import type { Machine } from './machine.ts'

/** Events by the names that `cairn hook` takes. */
export type HookEvent = 'session-start' | 'user-prompt-submit' | 'pre-compact' | 'post-compact' | 'stop' | 'session-end'

/** The files of an installation, absolute. */
export interface CairnProgram {
  /** The Node that Cairn runs on, not what a version manager puts before it. */
  readonly node: string
  /** The bundled entry for hooks and status line. */
  readonly hook: string
  /** The command, for the MCP server. */
  readonly command: string
  /**
   * A script that starts the hook's entry, whose path every shell takes as one word; needed on Windows where the paths above
   * hold blanks or the like, as its shells disagree on quotes.
   */
  readonly launcher?: string
  /** What CAIRN_HOME is set to: an MCP server is started without the user's variables. */
  readonly dataFolder?: string
}

/** A word that bash, cmd, PowerShell, zsh and fish all take as it is. */
const PLAIN_WORD = /^[A-Za-z0-9_./:@+,~-]+$/

const forward = (path: string): string => path.replaceAll('\\', '/')

/** Whether the hook can't be started by its own path on this machine, so that a small script has to do it. */
export const needsLauncher = ({ node, hook }: CairnProgram, { platform }: Machine): boolean =>
  platform === 'win32' && ![node, hook].every((path) => PLAIN_WORD.test(forward(path)))

/** Whether every shell takes the path, with forward slashes, as one word without quotes. */
export const isPlainPath = (path: string): boolean => PLAIN_WORD.test(forward(path))

/** A word for a POSIX shell, quoted where it must be. */
const shellWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A command line for the platform's shell: the launcher, or node with its script. */
const commandLine = (program: CairnProgram, { platform }: Machine, words: readonly string[]): string => {
  const { node, hook, launcher } = program
  if (launcher !== undefined) return [forward(launcher), ...words].join(' ')
  const start = platform === 'win32' ? [forward(node), forward(hook)] : [shellWord(node), shellWord(hook)]
  return [...start, ...words].join(' ')
}

/** The command line that a hook runs, as one text for the platform's shell, quoted where it is needed. */
export const hookCommand = (program: CairnProgram, machine: Machine, event: HookEvent, agent: string): string =>
  commandLine(program, machine, [event, '--agent', agent])

/** The command line that shows the status line, as one text for the platform's shell, quoted where it is needed. */
export const statusLineCommand = (program: CairnProgram, machine: Machine): string =>
  commandLine(program, machine, ['statusline'])

/** Program and arguments of the MCP server; no shell stands between. On Windows with forward slashes. */
export const serverCommand = (
  { node, command }: CairnProgram,
  { platform }: Machine,
): { readonly command: string; readonly args: readonly string[] } => {
  const path = (file: string): string => (platform === 'win32' ? forward(file) : file)
  return { command: path(node), args: [path(command), 'mcp'] }
}

/**
 * The entry `env` of the MCP server where it has to be told the data folder; an empty object, and so no entry,
 * elsewhere.
 */
export const serverVariables = ({ dataFolder }: CairnProgram): JsonObject =>
  dataFolder === undefined ? {} : { env: { CAIRN_HOME: dataFolder } }

const EVENT = 'session-start|user-prompt-submit|pre-compact|post-compact|stop|session-end'
const SCRIPT = String.raw`(?:dist[\\/]hook\.js|cairn-hook(?:\.cmd)?|\bcairn(?:\.js|\.cmd)?['"]?\s+hook)`
const HOOK = new RegExp(String.raw`${SCRIPT}['"]?\s+(?:${EVENT})(?![\w-])`)
const STATUS_LINE = /(?:dist[\\/]hook\.js|cairn-hook(?:\.cmd)?|\bcairn(?:\.js|\.cmd)?)['"]?\s+statusline(?![\w-])/

/** Whether a command line runs a hook of Cairn's, of whatever installation; by its words alone. */
export const isOwnHook = (line: string): boolean => HOOK.test(line)

/** Whether a command line shows Cairn's status line, of whatever installation; by its words alone. */
export const isOwnStatusLine = (line: string): boolean => STATUS_LINE.test(line)

/** The position of Cairn's own script among a server's words; undefined where the server is another one. */
export const ownServerScript = (words: readonly string[]): number | undefined => {
  const at = words.findIndex((word) => /(?:^|[\\/])cairn(?:\.js|\.cmd|\.exe)?$/.test(word))
  return at !== -1 && words[at + 1] === 'mcp' ? at : undefined
}
