/** Starts `cairn dashboard` and waits for its address. It ends with the window that started it. */
import { CairnError } from '@cairn/core'
import type { CairnCommand } from '../command/find-command.ts'
import { startCommand } from '../command/start-command.ts'
import { neutraliseLine } from '../text/neutralise.ts'

/** A dashboard that runs. */
export interface RunningDashboard {
  /** The address, with its token. */
  readonly url: string
  readonly pid: number
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  /** Ends the process; does nothing when it has ended. */
  stop(): void
}

const LOG_KEPT = 4_000
/** How long a start may take, ms: the first one in a checkout builds the dashboard. */
const START_LIMIT_MS = 180_000
const NOT_STARTED = 'The dashboard was not started.'

/**
 * Returns the address and process id in the command's output; undefined while they are incomplete, and for an address
 * on another machine.
 */
export const dashboardAddress = (output: string): { readonly url: string; readonly pid: number } | undefined => {
  try {
    const document: unknown = JSON.parse(output)
    if (typeof document !== 'object' || document === null || !('url' in document) || typeof document.url !== 'string')
      return undefined
    const url = new URL(document.url)
    if (url.protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return undefined
    return { url: url.href, pid: 'pid' in document && typeof document.pid === 'number' ? document.pid : 0 }
  } catch {
    // The output is not complete yet.
    return undefined
  }
}

/** What a dashboard is started with. */
export interface DashboardStart {
  readonly command: CairnCommand
  /** The store's address; passed in the environment, which other users of the machine can't read. */
  readonly store: string
  readonly folder: string | undefined
  readonly variables: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/**
 * Starts the command, and resolves once the dashboard listens. Rejects with `read-failed` if it ends or takes three
 * minutes before that, or if the signal is aborted; the process is ended then.
 */
export const startDashboard = ({
  command,
  store,
  folder,
  variables,
  signal,
}: DashboardStart): Promise<RunningDashboard> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) throw new CairnError('read-failed', NOT_STARTED)
    const words = ['dashboard', '--json', '--no-open']
    const child = startCommand(command, words, { ...variables, CAIRN_DATABASE_URL: store }, folder)
    let output = ''
    let log = ''
    const stop = (): void => {
      child.kill('SIGTERM')
    }
    const fail = (sentence: string): void => {
      stop()
      reject(new CairnError('read-failed', sentence))
    }
    const limit = setTimeout(() => fail('The dashboard did not start within three minutes.'), START_LIMIT_MS)
    const abort = (): void => fail(NOT_STARTED)
    signal.addEventListener('abort', abort, { once: true })
    const ended = new Promise<void>((resolveEnded) => {
      child.once('close', () => {
        clearTimeout(limit)
        resolveEnded()
        reject(
          new CairnError(
            'read-failed',
            neutraliseLine(log.trim().split('\n').at(-1) ?? '') || 'The dashboard ended before it was ready.',
          ),
        )
      })
    })
    child.once('error', (cause) => {
      clearTimeout(limit)
      reject(new CairnError('read-failed', `The dashboard did not start: ${cause.message}.`, { cause }))
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_KEPT)
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LOG_KEPT)
      const address = dashboardAddress(output)
      if (address === undefined) return
      clearTimeout(limit)
      signal.removeEventListener('abort', abort)
      resolve({ ...address, ended, stop })
    })
  })
