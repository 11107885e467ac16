/** Runs one shell command in a process group of its own, with a time limit, and ends what it started. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { codeOf, systemReason } from '../system-reason.ts'
import { createOutputBuffer, type OutputBuffer } from '../../agent/tools/output-buffer.ts'
import { createLiveOutput } from './live-output.ts'
import {
  COMMAND_VARIABLE,
  endEverything,
  endGroup,
  isGroupAlive,
  killGroupNow,
  processesBelow,
  waitUntil,
  type CommandProcesses,
  type FoundProcess,
} from './processes-below.ts'

export interface CommandRequest {
  readonly command: string
  /** Absolute. */
  readonly folder: string
  readonly timeoutMs: number
  /** Time that a process has to end by itself once it was asked to. */
  readonly graceMs: number
  readonly signal: AbortSignal
  readonly onOutput: (text: string) => void
}

export interface CommandResult {
  readonly output: Pick<OutputBuffer, 'total' | 'kept'>
  /** How the shell ended; a text says why it was never started. */
  readonly end: { readonly code: number | null; readonly signal: string | null } | { readonly problem: string }
  /** What ended it before it ended by itself. */
  readonly stoppedBy?: 'time' | 'cancel'
  readonly durationMs: number
  /** Processes in its background were ended. */
  readonly hadBackground: boolean
  /** What left its process group and goes on running. */
  readonly left: readonly FoundProcess[]
}

/** Bytes of output that are kept, of its beginning and of its end. */
const KEPT_HEAD = 500_000
const KEPT_TAIL = 500_000
/** Output may come for so long after the shell has ended. */
const LAST_OUTPUT_MS = 250

const running = new Set<CommandProcesses>()
const killAll = (): void => running.forEach(killGroupNow)

/**
 * Runs a command in a shell to its end, or ends it and all below it when its time is over or the signal aborts
 * (`stoppedBy`). Its output, errors too, goes to `onOutput` as it comes; of a long one beginning and end are kept.
 * Resolves when the command, and what it must not leave in the background, has ended; never rejects. Never waits for
 * what has left its process group, which is in `left` (Linux).
 */
export const runProcess = async (request: CommandRequest): Promise<CommandResult> => {
  const output = createOutputBuffer(KEPT_HEAD, KEPT_TAIL)
  const live = createLiveOutput(request.onOutput)
  const startedAt = performance.now()
  const mark = randomBytes(12).toString('hex')
  const unstarted = { output, durationMs: 0, hadBackground: false, left: [] }
  if (request.signal.aborted) return { ...unstarted, end: { code: null, signal: null }, stoppedBy: 'cancel' }
  const started = start(request, mark)
  if ('problem' in started) return { ...unstarted, end: started }
  const { child, command } = started
  child.stdout?.on('data', (bytes: Buffer) => {
    output.add(bytes)
    live.add(bytes)
  })
  const watched = watch(child)
  if (running.size === 0) process.on('exit', killAll)
  running.add(command)
  try {
    const stoppedBy = await firstOf(watched.exited, request)
    if (stoppedBy !== undefined) {
      await endEverything(command, request.graceMs)
      await Promise.race([watched.exited, waitUntil(() => false, request.graceMs)])
    }
    await waitUntil(watched.isClosed, LAST_OUTPUT_MS)
    const hadBackground = stoppedBy === undefined && isGroupAlive(command)
    if (hadBackground) await endGroup(command, request.graceMs)
    await waitUntil(watched.isClosed, LAST_OUTPUT_MS)
    child.stdout?.destroy()
    live.end()
    return {
      output,
      end: watched.end() ?? { code: null, signal: 'SIGKILL' },
      ...(stoppedBy === undefined ? {} : { stoppedBy }),
      durationMs: performance.now() - startedAt,
      hadBackground,
      left: stoppedBy === undefined && process.platform === 'linux' ? processesBelow(command) : [],
    }
  } finally {
    running.delete(command)
    if (running.size === 0) process.off('exit', killAll)
  }
}

type Started = { readonly child: ChildProcess; readonly command: CommandProcesses } | { readonly problem: string }

/** What programs print for a terminal, or ask there, would only be in the way. */
const ENVIRONMENT = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
} as const

/**
 * Starts a command in a shell, in a process group of its own and with the mark in its environment, without input,
 * errors and output in one stream; a `problem` if the system can't.
 */
const start = ({ command, folder }: CommandRequest, mark: string): Started => {
  const isWindows = process.platform === 'win32'
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  try {
    const child = spawn(
      isWindows ? (process.env['ComSpec'] ?? 'cmd.exe') : shell,
      // Both kinds of output in the order in which they come.
      isWindows ? ['/d', '/s', '/c', `"${command} 2>&1"`] : ['-c', 'exec "$0" -c "$1" 2>&1', shell, command],
      {
        cwd: folder,
        env: { ...process.env, ...ENVIRONMENT, [COMMAND_VARIABLE]: mark },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: !isWindows,
        windowsHide: true,
        windowsVerbatimArguments: isWindows,
      },
    )
    if (child.pid !== undefined) return { child, command: { pid: child.pid, mark } }
    child.on('error', () => undefined)
    return { problem: 'the system starts no shell in this folder' }
  } catch (error) {
    const code = codeOf(error)
    return { problem: code === 'E2BIG' ? 'it is too long' : (systemReason(error) ?? code ?? 'unknown reason') }
  }
}

/**
 * Follows a process. `exited` resolves when it ends or could not start; `end` is undefined until then; `isClosed` tells
 * whether its output has ended too.
 */
const watch = (child: ChildProcess) => {
  let end: { readonly code: number | null; readonly signal: string | null } | undefined
  let isClosed = false
  child.on('close', () => {
    isClosed = true
  })
  const exited = new Promise<undefined>((resolve) => {
    child.on('error', () => resolve(undefined))
    child.on('exit', (code, signal) => {
      end = { code, signal }
      resolve(undefined)
    })
  })
  return { exited, end: () => end, isClosed: () => isClosed }
}

/**
 * What comes first: the command's own end (undefined), the end of its time, or the signal's abort. Ends nothing itself.
 */
const firstOf = async (
  exited: Promise<undefined>,
  { timeoutMs, signal }: CommandRequest,
): Promise<'time' | 'cancel' | undefined> => {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  const stopped = new Promise<'time' | 'cancel'>((resolve) => {
    timer = setTimeout(() => resolve('time'), timeoutMs)
    onAbort = () => resolve('cancel')
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([exited, stopped])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
