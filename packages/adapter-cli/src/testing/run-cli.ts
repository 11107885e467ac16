/** For end-to-end tests: runs the built command as a process in a folder of its own, away from the user's files. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Sandbox {
  readonly folder: string
  /** Runs `cairn` and waits for its end. */
  cairn(...args: readonly string[]): Promise<CliResult>
  /** Runs a line in a shell that knows `cairn` and `npx cairn`. */
  shell(line: string): Promise<CliResult>
  /** `cairn` with `--json`; the parsed document. */
  json(...args: readonly string[]): Promise<unknown>
  /** Writes a file, with its folders; returns its path. */
  file(path: string, content: string | Uint8Array): string
  remove(): void
}

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

/**
 * The environment of a new user, whose home is in the sandbox's folder, in UTC; of this process only the PATH, and that
 * the sandbox is in no repository of the temporary folder. `extra` wins.
 */
export const environmentOf = (folder: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: join(folder, 'home'),
  USERPROFILE: join(folder, 'home'),
  CAIRN_HOME: join(folder, 'data'),
  TZ: 'UTC',
  GIT_CEILING_DIRECTORIES: process.env['GIT_CEILING_DIRECTORIES'],
  ...extra,
})

const run = (
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<CliResult> => resultOf(spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }))

/**
 * Collects the output of a process as UTF-8; resolves when it has ended, with whatever code (null: by a signal), and
 * rejects where it can't be started.
 */
export const resultOf = (child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

/** Makes `cairn` and `npx` for a shell, as an installed repository would have them. */
const writePrograms = (folder: string): void => {
  const program = (name: string, text: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  mkdirSync(folder)
  program('cairn', `exec '${process.execPath}' '${BIN}' "$@"`)
  program('npx', `[ "$1" = --no-install ] && shift\n[ "$1" = cairn ] && shift && exec cairn "$@"\nexit 127`)
}

/** A new temporary folder to run the built command in, as a user of its own; `remove` it at the end. */
export const createSandbox = (variables: Readonly<Record<string, string>> = {}): Sandbox => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-cli-'))
  mkdirSync(join(folder, 'home'))
  const environment = environmentOf(folder, variables)
  const programs = join(folder, 'home', '.programs')
  return {
    folder,
    cairn: (...args) => run(process.execPath, [BIN, ...args], folder, environment),
    shell: (line) => {
      if (!existsSync(programs)) writePrograms(programs)
      return run('bash', ['-c', line], folder, {
        ...environment,
        PATH: `${programs}${delimiter}${environment['PATH'] ?? ''}`,
      })
    },
    json: async (...args) => {
      const { stdout } = await run(process.execPath, [BIN, ...args, '--json'], folder, environment)
      return JSON.parse(stdout) as unknown
    },
    file: (path, content) => {
      const whole = join(folder, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, content)
      return whole
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
