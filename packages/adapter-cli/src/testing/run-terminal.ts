/** For end-to-end tests: the command on a terminal of its own, by util-linux's `script`; what it shows, and keys to it. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { shellWord } from '../output/shell-word.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
/** Longer than anything takes on a busy machine, ms. */
const PATIENCE_MS = 100_000
const LOOK_MS = 20

/** Whether this machine can give a test a terminal; the program of this name is another one on macOS. */
export const hasTerminals = (): boolean =>
  process.platform === 'linux' && /util-linux/.test(String(spawnSync('script', ['--version']).stdout))

export interface RunningTerminal {
  send(keys: string): void
  /** Resolves when what is shown since the last call fits; rejects with all that was shown when it never does. */
  until(pattern: RegExp): Promise<string>
  /** All that was shown, without escape sequences. */
  shown(): string
  /** All that was shown, as it came. */
  raw(): string
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Starts `cairn` on a terminal of this size. `until` looks only at what came after the last match, and throws if that
 * is never shown.
 */
export const runOnTerminal = (
  args: readonly string[],
  { columns, rows }: TerminalSize,
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): RunningTerminal => {
  const words = [process.execPath, BIN, ...args].map(shellWord).join(' ')
  const command = `stty cols ${columns} rows ${rows}; exec ${words}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let raw = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (raw += text))
  const shown = (): string => stripVTControlCharacters(raw).replaceAll('\r', '')
  return {
    raw: () => raw,
    shown,
    send: (keys) => void child.stdin.write(keys),
    until: async (pattern) => {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
        const text = shown().slice(seen)
        const found = pattern.exec(text)
        if (found !== null) {
          seen += found.index + found[0].length
          return text
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
      child.kill()
      throw new Error(`${String(pattern)} was never shown:\n${shown()}`)
    },
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code))),
  }
}
