/** `run_command`: a shell command in the workspace, with what it printed and how it ended. */
import { lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AgentTool, ToolOutcome } from '../../agent/agent-tool.ts'
import { commandText } from '../../agent/tools/command-output.ts'
import { outsideWords, readOnlyCommand, type FoundByCommand } from '../../agent/tools/read-only-command.ts'
import { optionalNumber, optionalText, refused, textOf } from '../../agent/tools/tool-input.ts'
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'
import { escapeTags } from '../../summary/markup.ts'
import { textOutcome, type ToolParts } from './tool-parts.ts'
import { runProcess, type CommandResult } from './run-process.ts'
import type { FoundPath } from './workspace-paths.ts'

const MOST_SECONDS = 3_600
const OWN_IGNORE_FILE = /(?:^|\/)\.(?:cairn|cline)ignore$/
/** Named in commands without reading anything of the person's. */
const SYSTEM_PATH =
  /^\/(?:dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d+)|(?:usr\/)?(?:local\/)?s?bin\/[\w.+-]+)$/

export interface CommandOptions {
  /** Default limit of a command. */
  readonly timeoutMs: number
  /** Time that processes have to end by themselves. */
  readonly graceMs: number
}

/**
 * The tool `run_command`: one command in the system's shell, in the workspace. Its effect is `none` where it is known
 * only to read, else `command`. Preparing it rejects for an empty command, one with a zero byte, or what is no folder.
 */
export const runCommandTool = (parts: ToolParts, { timeoutMs, graceMs }: CommandOptions): AgentTool => ({
  definition: {
    name: 'run_command',
    description: `Runs a shell command in the workspace and gives what it printed, its exit code and its duration. It gets no input, and is ended after ${timeoutMs / 1_000} seconds unless timeout_seconds says otherwise; what it leaves in the background is ended with it. Of a long output the beginning and the end are given.`,
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        folder: { type: 'string', description: 'Where it runs. Default: the workspace.' },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: MOST_SECONDS },
      },
      required: ['command'],
    },
  },
  /**
   * Checks the call; refuses an empty command, and one with a zero byte. A command that is known to read only has the
   * effect `none`; `reaches` tells what needs approval besides. Starts it when it is run.
   */
  prepare: async (input, { signal, onOutput }) => {
    const command = textOf(input, 'command')
    if (command.trim() === '') throw refused('The command is empty.')
    if (command.includes('\0')) throw refused('The command holds a zero byte, which no command can.')
    const seconds = optionalNumber(input, 'timeout_seconds', { least: 1, most: MOST_SECONDS })
    const folder = await folderOf(parts, optionalText(input, 'folder'))
    const read = readOnlyCommand(command)
    const reaches = folder.reaches ?? (await reachOf(parts, command, folder))
    return {
      effect: read === undefined ? 'command' : 'none',
      title: `run ${echoed(command.trim().split('\n')[0] ?? '')}`,
      paths: [],
      command,
      ...(reaches === undefined ? {} : { reaches }),
      run: async () => {
        const limit = seconds === undefined ? timeoutMs : seconds * 1_000
        const result = await runProcess({ command, folder: folder.real, timeoutMs: limit, graceMs, signal, onOutput })
        return outcomeOf(result, limit)
      },
    }
  },
})

/**
 * The folder a command runs in, the workspace's first by default. One outside still has `reaches`; that an ignore file
 * leaves it out is no reason for approval here. Throws a refusal for anything but a folder.
 */
const folderOf = async ({ paths }: ToolParts, given: string | undefined): Promise<FoundPath> => {
  if (given === undefined || given === '.') return { real: paths.main, shown: '.' }
  const found = await paths.locate(given, { isFolder: true })
  if (statSync(found.real, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw refused(`${found.shown} is no folder that a command could run in.`)
  // A command in a folder that is left out reads no more than one beside it.
  const { reaches, ...inside } = found
  return reaches?.endsWith('ignore file.') === true ? inside : found
}

/**
 * Why a command needs approval whatever the rules say: it names a path outside, or a command that only reads names what
 * an ignore file leaves out, or reads whole folders (see `reachBelow`). Undefined if it does not.
 */
const reachOf = async (parts: ToolParts, command: string, folder: FoundPath): Promise<string | undefined> => {
  const read = readOnlyCommand(command)
  const words = read === undefined ? outsideWords(command) : [...read.paths, ...outsideWords(command)]
  for (const word of words) {
    if (SYSTEM_PATH.test(word)) continue
    const found = await wordPath(parts, word, folder.real)
    if (found?.reaches !== undefined && (read !== undefined || !found.reaches.endsWith('ignore file.')))
      return `The command names ${echoed(word)}: ${found.reaches}`
  }
  return read?.finds === undefined ? undefined : reachBelow(parts, read.finds)
}

/**
 * Where a word of a command leads: `reaches` says why that needs an approval, as for a word that begins with `~` or
 * `$`, or can't be looked at; absent where none is needed. Undefined for a word at whose path nothing is.
 */
const wordPath = async (
  { paths }: ToolParts,
  word: string,
  from: string,
): Promise<Pick<FoundPath, 'reaches'> | undefined> => {
  if (/^[~$]/.test(word)) return { reaches: `${word} is outside of the workspace.` }
  try {
    const facts = lstatSync(resolve(from, word), { throwIfNoEntry: false })
    return facts === undefined ? undefined : await paths.locate(word, { from, isFolder: facts.isDirectory() })
  } catch (error) {
    if (CairnError.is(error)) return undefined
    // It can't be looked at, so it can't be told where it leads.
    return { reaches: `${word} can’t be looked at.` }
  }
}

/**
 * Why a command that reads whole folders needs approval. `every-file` always does; `what-git-lists` where the workspace
 * has ignore files of Cairn or Cline, which git does not know, or is in no repository. Undefined where it does not.
 */
const reachBelow = async ({ files, paths }: ToolParts, finds: FoundByCommand): Promise<string | undefined> => {
  const { files: listed } = await files.list()
  const own = listed.find(({ path }) => OWN_IGNORE_FILE.test(path))
  const isByGit = finds === 'what-git-lists' && isInRepository(paths.main)
  const rules = own?.path ?? (isByGit ? undefined : 'an ignore file')
  return rules === undefined
    ? undefined
    : `The command reads whole folders, also what ${rules} leaves out; search_files keeps to it.`
}

/** Whether the folder or one above it has a `.git`. */
const isInRepository = (folder: string): boolean => {
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return true
    if (dirname(at) === at) return false
  }
}

/**
 * The outcome for the model: the output, cut if long, then how the command ended and what it left running. `isError`
 * only if it was stopped or did not start; any exit code of its own is no error.
 */
const outcomeOf = (result: CommandResult, limitMs: number): ToolOutcome => {
  const { end, stoppedBy, durationMs, hadBackground, left } = result
  if ('problem' in end) return textOutcome(`The command could not be started: ${end.problem}.`, { isError: true })
  const { text, whole } = commandText(result.output)
  /** Nothing that is printed passes for rules or records of Cairn's. */
  const printedText = (output: string): string => escapeTags(output.trimEnd())
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`
  const notes: string[] = []
  if (stoppedBy === 'time')
    notes.push(`ended after its limit of ${limitMs / 1_000} s, with everything that it had started`)
  else if (stoppedBy === 'cancel')
    notes.push(`stopped by the user after ${seconds}, with everything that it had started`)
  else
    notes.push(
      end.code === null ? `ended by ${end.signal ?? 'a signal'} after ${seconds}` : `exit code ${end.code}, ${seconds}`,
    )
  if (hadBackground) notes.push('what it left in the background was ended')
  if (left.length > 0)
    notes.push(
      `still running apart from it: ${left
        .slice(0, 5)
        .map(({ name, pid }) => `${name} (process ${pid})`)
        .join(', ')}`,
    )
  const ending = `${notes.join('; ')}.)`
  const printed = printedText(text)
  return {
    ...textOutcome(printed === '' ? `(No output; ${ending}` : `${printed}\n(${ending}`),
    ...(stoppedBy === undefined ? { exitCode: end.code } : { isError: true }),
    ...(whole === undefined ? {} : { whole: `${printedText(whole)}\n(${ending}` }),
  }
}
