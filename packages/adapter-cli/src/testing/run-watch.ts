/** For end-to-end tests: runs `cairn watch --json` as a process, and collects what it tells. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from './run-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const PATIENCE_MS = 60_000

type WatchLine = Readonly<Record<string, unknown>>

export interface RunningWatch {
  readonly child: ChildProcess
  readonly lines: readonly WatchLine[]
  /** All that it wrote on standard error. */
  readonly errors: () => string
  readonly ended: Promise<number | null>
}

export interface Watches {
  start(...args: readonly string[]): RunningWatch
  /** Resolves when a condition holds; rejects after a minute with all that was told. */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>
  /** Kills those that still run. */
  end(): Promise<void>
}

/**
 * Watches of one test, which run as processes until `end`; `until` rejects with what they told where something does not
 * come to be.
 */
export const createWatches = (sandbox: () => Sandbox): Watches => {
  const running: RunningWatch[] = []
  return {
    start: (...args) => {
      const { folder } = sandbox()
      const child = spawn(process.execPath, [BIN, 'watch', '--json', ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: join(folder, 'home'), CAIRN_HOME: join(folder, 'data'), TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const lines: WatchLine[] = []
      let text = ''
      let errors = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = `${text}${chunk}`.split('\n')
        text = parts.pop() ?? ''
        for (const part of parts) lines.push(JSON.parse(part) as WatchLine)
      })
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        errors += chunk
      })
      const ended = new Promise<number | null>((resolve) => {
        child.once('close', resolve)
      })
      const watch = { child, lines, errors: () => errors, ended }
      running.push(watch)
      return watch
    },
    until: async (what, isSo) => {
      const end = Date.now() + PATIENCE_MS
      while (!(await isSo())) {
        if (Date.now() > end)
          throw new Error(`It did not come to this: ${what}: ${JSON.stringify(running.map(({ lines }) => lines))}`)
        await wait(20)
      }
    },
    end: async () => {
      for (const { child, ended } of running.splice(0)) {
        child.kill('SIGKILL')
        await ended
      }
    },
  }
}

/** Whether the watch has told an event of this name so far; it does not wait for one. */
export const hasTold = ({ lines }: RunningWatch, event: string): boolean =>
  lines.some((line) => line['event'] === event)

/** How many messages the watch has taken in since it follows. */
export const messagesOf = ({ lines }: RunningWatch): number =>
  lines.reduce((sum, line) => sum + (line['event'] === 'import' ? Number(line['messages']) : 0), 0)
