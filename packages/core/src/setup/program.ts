/**
 * How agents start Cairn: the commands that setup writes, and how they are recognised later. They are recognised by the
 * command itself, its script and its words, which survives agents rewriting their settings and entries being moved.
 */
import type { JsonObject } from '../json.ts'
import type { Machine } from './machine.ts'

/** Events, by the names used by `cairn hook`. */
export type HookEvent = 'session-start' | 'user-prompt-submit' | 'pre-compact' | 'post-compact' | 'stop' | 'session-end'

/** The files of an installation; absolute paths. */
export interface CairnProgram {
  /**
   * The Node on which Cairn runs, not a version manager's wrapper. Within an editor, a script that runs the editor's own
   * Node: a batch file (`.cmd`) on Windows.
   */
  readonly node: string
  /** The bundled entry point of hooks and status line. */
  readonly hook: string
  /** The command, for the MCP server. */
  readonly command: string
  /**
   * A script that starts the hook's entry point and whose path every shell accepts as one word. Needed on Windows if
   * the paths above contain spaces or similar characters, because its shells quote differently.
   */
  readonly launcher?: string
  /** The value for CAIRN_HOME, because an MCP server is started without the user's variables. */
  readonly dataFolder?: string
}

/** A word that bash, cmd, PowerShell, zsh and fish accept without quotes. */
const PLAIN_WORD = /^[A-Za-z0-9_./:@+,~-]+$/

const forward = (path: string): string => path.replaceAll('\\', '/')

/** Whether a hook can't be started by its own path on this machine, so that it needs a small script. */
export const needsLauncher = ({ node, hook }: CairnProgram, { platform }: Machine): boolean =>
  platform === 'win32' && ![node, hook].every((path) => PLAIN_WORD.test(forward(path)))

/** Whether every shell accepts the path, with forward slashes, as one unquoted word. */
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

/** The command line of a hook, as one text for the platform's shell, quoted if necessary. */
export const hookCommand = (program: CairnProgram, machine: Machine, event: HookEvent, agent: string): string =>
  commandLine(program, machine, [event, '--agent', agent])

/** The command line of the status line, as one text for the platform's shell, quoted if necessary. */
export const statusLineCommand = (program: CairnProgram, machine: Machine): string =>
  commandLine(program, machine, ['statusline'])

/**
 * Program and arguments of the MCP server, to be started without a shell; a batch file is run by `cmd`. Uses forward
 * slashes on Windows.
 */
export const serverCommand = (
  { node, command }: CairnProgram,
  { platform }: Machine,
): { readonly command: string; readonly args: readonly string[] } => {
  const path = (file: string): string => (platform === 'win32' ? forward(file) : file)
  // Windows starts a batch file only through its shell, which takes the first and last quote away from what begins with one.
  if (isBatchFile(node)) return { command: 'cmd', args: ['/c', 'call', path(node), path(command), 'mcp'] }
  return { command: path(node), args: [path(command), 'mcp'] }
}

/** Whether a program is a batch file, which Windows starts only through its shell. */
export const isBatchFile = (path: string): boolean => /\.(?:cmd|bat)$/i.test(path)

/**
 * The `env` entry of the MCP server if it has to be told the data folder; otherwise an empty object, which means no
 * entry.
 */
export const serverVariables = ({ dataFolder }: CairnProgram): JsonObject =>
  dataFolder === undefined ? {} : { env: { CAIRN_HOME: dataFolder } }

const EVENT = 'session-start|user-prompt-submit|pre-compact|post-compact|stop|session-end'
const SCRIPT = String.raw`(?:dist[\\/]hook\.js|cairn-hook(?:\.cmd)?|\bcairn(?:\.js|\.cmd)?['"]?\s+hook)`
const HOOK = new RegExp(String.raw`${SCRIPT}['"]?\s+(?:${EVENT})(?![\w-])`)
const STATUS_LINE = /(?:dist[\\/]hook\.js|cairn-hook(?:\.cmd)?|\bcairn(?:\.js|\.cmd)?)['"]?\s+statusline(?![\w-])/

/** Whether a command line runs one of Cairn's hooks, from any installation; judged by its words alone. */
export const isOwnHook = (line: string): boolean => HOOK.test(line)

/** Whether a command line shows Cairn's status line, from any installation; judged by its words alone. */
export const isOwnStatusLine = (line: string): boolean => STATUS_LINE.test(line)

/** The position of Cairn's script among a server's words; undefined for another server. */
export const ownServerScript = (words: readonly string[]): number | undefined => {
  const at = words.findIndex((word) => /(?:^|[\\/])cairn(?:\.js|\.cmd|\.exe)?$/.test(word))
  return at !== -1 && words[at + 1] === 'mcp' ? at : undefined
}
