/** Runs a keyring's program: bounded in time and output, with the secret on standard input. */
import { spawn } from 'node:child_process'
import { KeyringUnavailable } from '../../../ports/keyring.ts'
import { codeOf } from '../../system-reason.ts'

export interface ProgramCall {
  readonly program: string
  /** Without secrets: others can read them. */
  readonly args: readonly string[]
  /** Given on standard input. */
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
}

export interface ProgramResult {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Resolves whatever its exit code. @throws KeyringUnavailable when it can't be started, or does not end in time */
export type RunProgram = (call: ProgramCall) => Promise<ProgramResult>

/** Long enough for a person to unlock a keyring that asks for its password in a window. */
const TIME_LIMIT_MS = 60_000
const LARGEST_OUTPUT = 1 << 20

/**
 * A function that runs a program with its input to its end, and resolves with what it printed and its exit code,
 * whatever that is. It rejects with KeyringUnavailable when the program can't be started or takes longer than
 * `timeLimitMs`. Output beyond `LARGEST_OUTPUT` is cut.
 */
export const createRunProgram =
  (environment: NodeJS.ProcessEnv = process.env, timeLimitMs = TIME_LIMIT_MS): RunProgram =>
  ({ program, args, input = '', variables = {} }) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...environment, ...variables },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      })
      const output = { stdout: '', stderr: '' }
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new KeyringUnavailable(`${program} did not answer within ${Math.round(timeLimitMs / 1000)} s`))
      }, timeLimitMs)
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => {
          output[name] = (output[name] + text).slice(0, LARGEST_OUTPUT)
        })
      child.on('error', (cause) => {
        clearTimeout(timer)
        const reason = codeOf(cause) === 'ENOENT' ? 'is not installed' : "can't be started"
        reject(new KeyringUnavailable(`${program} ${reason}`, { cause }))
      })
      child.on('close', (code) => {
        clearTimeout(timer)
        resolve({ code, ...output })
      })
      // A program that ends before it has read its input says why by its exit code.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
