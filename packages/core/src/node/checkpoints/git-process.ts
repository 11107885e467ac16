/** Runs git on a private repository: with an environment of its own, so that no setting of the user's changes what it does. */
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { StorageError } from '../../errors.ts'
import { CEILINGS } from '../folder-above.ts'
import { codeOf } from '../system-reason.ts'

export interface GitAnswer {
  readonly code: number
  /** As bytes, a character each. */
  readonly output: string
  /** As text. */
  readonly error: string
}

/** Variables that git needs from its surroundings; none that begins with GIT_ is among them. */
const INHERITED = ['PATH', 'Path', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH'] as const

/** The variables of this process that git may see, and that are set. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

/**
 * The environment of git on a private repository; `objects`: a folder of objects that it may read beside its own.
 * Nothing of the user's git settings counts.
 */
const privateEnvironment = (gitFolder: string, objects: string | undefined): NodeJS.ProcessEnv => ({
  ...inherited(),
  GIT_DIR: gitFolder,
  HOME: gitFolder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  ...(objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }),
})

/**
 * The environment in which git reads the user's repository and settings; it takes no optional locks and asks nothing.
 * Of git's variables only how far up it looks: others name another repository than the folder's.
 */
export const readingEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === CEILINGS || !name.toUpperCase().startsWith('GIT_')),
  ),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
})

/** The error for a git that is missing or can't be started, as one sentence for the user. */
const noGit = (cause: unknown): StorageError =>
  new StorageError(
    'storage-failed',
    codeOf(cause) === 'ENOENT'
      ? 'Checkpoints need git, and there is none in the PATH; nothing was changed. Install git (2.31 or later) and run this again.'
      : `Checkpoints need git, and it could not be started (${codeOf(cause) ?? 'unknown reason'}); nothing was changed.`,
    { cause },
  )

/** Whether there is a git that can be started. */
export const hasGit = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('git', ['--version'], { env: inherited(), windowsHide: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })

/**
 * Starts git on a private repository. `objects`: a folder of objects that this process may read beside its own. Returns
 * at once; a git that can't be started is an `error` event.
 */
export const startGit = (
  gitFolder: string,
  options: readonly string[],
  objects?: string,
): ChildProcessWithoutNullStreams =>
  spawn('git', options, {
    cwd: gitFolder,
    env: privateEnvironment(gitFolder, objects),
    windowsHide: true,
    stdio: 'pipe',
  })

/**
 * Waits for the end of a process and gathers what it says. Rejects with `storage-failed` where git can't be started.
 * Any exit code resolves; -1 stands for a signal. Output is bytes (latin1), errors are trimmed UTF-8.
 */
export const answerOf = (child: ChildProcessWithoutNullStreams): Promise<GitAnswer> =>
  new Promise((resolve, reject) => {
    const output: Buffer[] = []
    const error: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => error.push(chunk))
    // A process that ends early closes its input; its exit code says why.
    child.stdin.on('error', () => undefined)
    child.on('error', (cause) => reject(noGit(cause)))
    child.on('close', (code) =>
      resolve({
        code: code ?? -1,
        output: Buffer.concat(output).toString('latin1'),
        error: Buffer.concat(error).toString('utf8').trim(),
      }),
    )
  })

/**
 * Runs git on a private repository to its end; it never rejects for an exit code. `input` and the output are bytes
 * (latin1). Rejects with `storage-failed` where git can't be started. `objects`: a folder of further objects to read.
 */
export const runGit = (
  gitFolder: string,
  options: readonly string[],
  input = '',
  objects?: string,
): Promise<GitAnswer> => {
  const child = startGit(gitFolder, options, objects)
  const answer = answerOf(child)
  child.stdin.end(Buffer.from(input, 'latin1'))
  return answer
}

/** What git printed, as bytes (latin1). @throws StorageError when it failed or can't be started */
export const gitOutput = async (gitFolder: string, options: readonly string[], input = ''): Promise<string> => {
  const answer = await runGit(gitFolder, options, input)
  if (answer.code !== 0) throw gitFailure(gitFolder, options[0] ?? '', answer)
  return answer.output
}

/**
 * The error (`storage-failed`) for a git that failed on a private repository, with the last line that it said. Code -1:
 * ended by a signal.
 */
export const gitFailure = (gitFolder: string, command: string, { error, code }: GitAnswer): StorageError =>
  new StorageError(
    'storage-failed',
    `Checkpoints could not be read or written: git ${command} in ${gitFolder} ended with ${code === -1 ? 'a signal' : code}${error === '' ? '' : `: ${error.split('\n').at(-1) ?? ''}`}. Your own files and repository are as they were; cairn doctor checks what is kept.`,
  )

/**
 * What git prints in the user's own repository, as bytes (latin1), without changing it; undefined where it ends with a
 * failure. Rejects with `storage-failed` where git can't be started.
 */
export const readUserGit = (folder: string, options: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', ['-c', 'core.fsmonitor=false', ...options], {
      cwd: folder,
      env: readingEnvironment(),
      windowsHide: true,
      stdio: 'pipe',
    })
    child.stdin.end()
    answerOf(child).then(({ code, output }) => resolve(code === 0 ? output : undefined), reject)
  })
