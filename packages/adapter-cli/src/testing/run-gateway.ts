/** For end-to-end tests: runs `cairn gateway --json`, or another server, as a process, and collects what it tells. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { environmentOf, type Sandbox } from './run-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const PATIENCE_MS = 60_000

type GatewayLine = Readonly<Record<string, unknown>>

export interface RunningGateway {
  readonly child: ChildProcess
  readonly url: string
  readonly lines: readonly GatewayLine[]
  /** All that it wrote on standard error. */
  errors(): string
  /** Resolves with the lines of an event when there are so many; rejects after a minute with all that was told. */
  until(event: string, count: number): Promise<readonly GatewayLine[]>
  /** Ends it as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts a gateway on a free port; the caller stops it. Rejects with what it said where it ends, or does not listen within
 * a minute: then it still runs.
 */
export const startGatewayProcess = (
  box: Sandbox,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> => startServerProcess(box, ['gateway', ...args], variables)

/**
 * Starts a command that tells with --json where it listens, and waits for that. `until` rejects after `PATIENCE_MS`, or
 * once it has ended.
 */
export const startServerProcess = async (
  { folder }: Sandbox,
  [command = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> => {
  const child = spawn(process.execPath, [BIN, command, '--json', '--port', '0', ...args], {
    cwd: folder,
    env: environmentOf(folder, variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: GatewayLine[] = []
  let [text, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${text}${chunk}`.split('\n')
    text = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part) as GatewayLine)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  const until = async (event: string, count: number): Promise<readonly GatewayLine[]> => {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const found = lines.filter((line) => line['event'] === event)
      if (found.length >= count) return found
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`It told ${found.length} of ${count} ${event}: ${JSON.stringify(lines)} ${errors}`)
      await wait(20)
    }
  }
  const [listening] = await until('listening', 1)
  return {
    child,
    url: String(listening?.['url']),
    lines,
    errors: () => errors,
    until,
    stop: async () => {
      child.kill('SIGINT')
      return ended
    },
  }
}
