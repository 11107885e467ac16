/** Starts the built dashboard as `cairn dashboard` does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const TOKEN = 'e2e-token-0123456789abcdef'

export interface ServerOptions {
  readonly token?: string
  /** 0: any that is free. */
  readonly port?: number
  /** Whether pages may change what is remembered. */
  readonly isWritable?: boolean
  readonly variables?: Readonly<Record<string, string>>
}

export interface RunningServer {
  /** With a slash at the end. */
  readonly url: string
  /** Everything that it printed on stdout. */
  readonly printed: readonly string[]
  /** Ends it as a terminal would; resolves with its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts the built dashboard, and resolves once it listens; rejects where it ends before. `stop` resolves with its exit
 * code.
 * @param hostname what it listens on
 */
export const startServer = async (
  store: string,
  hostname = '127.0.0.1',
  { token = TOKEN, port = 0, isWritable = false, variables = {} }: ServerOptions = {},
): Promise<RunningServer> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../bin/serve.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...variables,
      CAIRN_STORE: store,
      CAIRN_DASHBOARD_TOKEN: token,
      CAIRN_DASHBOARD_WRITES: isWritable ? 'on' : 'off',
      PORT: String(port),
      HOSTNAME: hostname,
    },
  })
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => printed.push(line))
  await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the dashboard ended before it listened')
    }),
  ])
  const url = /^ready (http:\/\/127\.0\.0\.1:\d+\/)$/.exec(printed[0] ?? '')?.[1]
  if (url === undefined) throw new Error(`the dashboard printed "${printed[0] ?? ''}"`)
  return {
    url,
    printed,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/**
 * A request with exactly these headers; fetch() would not let a test name a foreign Host. Resolves for any status;
 * rejects where there is no answer.
 */
export const ask = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    request(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
    })
      .on('error', reject)
      .end(body)
  })
