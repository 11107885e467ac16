/** Runs the dashboard's server as a child process that does not outlive this one. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { CairnError } from '@cairn/core'
import type { WatchStatusText } from '@cairn/core/node/watching'
import type { Dashboard } from './location.ts'
import type { SettingsAnswer } from './settings-answer.ts'

/** A dashboard that is running. */
export interface DashboardServer {
  /** With its token, where it has one. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Tells the pages how following transcripts stands. */
  readonly tell: (status: WatchStatusText) => void
  /** Resolves with the server's exit code; 0 when it was stopped. */
  readonly ended: Promise<number>
}

/** What a dashboard is started with. */
export interface DashboardServerOptions {
  readonly store: string
  readonly host: string
  /** Names, perhaps with a port, that it answers to besides its own. */
  readonly allowedHosts: readonly string[]
  /** The project that the page shows first. */
  readonly project?: string
  /** Whether its pages may change what is remembered. */
  readonly isWritable: boolean
  /** Whether its pages know the long-term memory. */
  readonly longTermMemory: boolean
  /** The file by which a team's dashboard goes; it has no token then. */
  readonly team?: string
  /** The settings in force, for the page that shows them; must not reject. */
  readonly settings: () => Promise<SettingsAnswer>
  /** 0: a free one. */
  readonly port: number
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** How long the server may take to stop before it is killed. */
const STOP_LIMIT_MS = 5_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const READY = /^ready (\S+)$/m
/** Characters of the server's output that are kept to explain why it ended. */
const LOG_KEPT = 4_000

/**
 * Starts the server, with a new token unless it is a team's, and resolves when it is ready. Rejects with the server's
 * own reason if it ends before; later `ended` resolves with its exit code.
 */
export const startDashboard = async (
  { script }: Dashboard,
  options: DashboardServerOptions,
): Promise<DashboardServer> => {
  const { store, host, allowedHosts, project, isWritable, longTermMemory, settings, port, variables, team } = options
  const token = team === undefined ? randomBytes(24).toString('base64url') : undefined
  const child = spawn(process.execPath, [script], {
    // By the IPC channel the server notices when this process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...variables,
      CAIRN_STORE: store,
      CAIRN_DASHBOARD_TOKEN: token ?? '',
      CAIRN_DASHBOARD_TEAM: team ?? '',
      PORT: String(port),
      HOSTNAME: host,
      CAIRN_DASHBOARD_HOSTS: allowedHosts.join(','),
      CAIRN_DASHBOARD_WRITES: isWritable ? 'on' : 'off',
      CAIRN_DASHBOARD_LTM: longTermMemory ? 'on' : 'off',
    },
  })
  const ended = endOf(child)
  answerSettings(child, settings)
  const address = await readyAddress(child)
  if (project !== undefined) address.searchParams.set('project', project)
  if (token !== undefined) address.searchParams.set('token', token)
  return {
    url: address.href,
    port: Number(address.port),
    pid: child.pid ?? 0,
    // It may have ended already.
    tell: (status) => {
      if (child.connected) child.send({ type: 'watch', status }, () => undefined)
    },
    ended,
  }
}

/**
 * Answers the server whenever it asks for the settings, which may have changed since it started. `settings` may not
 * reject. Other messages are ignored.
 */
const answerSettings = (child: ChildProcess, settings: DashboardServerOptions['settings']): void => {
  child.on('message', (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'settings') return
    const id = 'id' in message ? message.id : undefined
    if (typeof id !== 'number') return
    void settings().then((answer) => {
      // It may have ended meanwhile.
      if (child.connected) child.send({ type: 'settings', id, answer: { ...answer } }, () => undefined)
    })
  })
}

/**
 * Resolves with the address that the server prints when it is ready. Rejects with `read-failed` and its last line of
 * error output if it ends before.
 */
const readyAddress = (child: ChildProcess): Promise<URL> =>
  new Promise((resolve, reject) => {
    let output = ''
    let log = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LOG_KEPT)
      const address = READY.exec(output)?.[1]
      if (address !== undefined) resolve(new URL(address))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_KEPT)
    })
    child.on('error', (cause) =>
      reject(new CairnError('read-failed', `The dashboard did not start: ${cause.message}.`, { cause })),
    )
    child.on('close', () => {
      const lastLine = log.trim().split('\n').at(-1) ?? ''
      reject(new CairnError('read-failed', lastLine === '' ? 'The dashboard ended before it was ready.' : lastLine))
    })
  })

/**
 * Passes signals on to the child, and kills it if it does not end in time. Resolves with its exit code, 0 if it was stopped
 * by a signal, 1 if it could not be started or ended by itself without a code.
 */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    let isStopping = false
    const stop = (): void => {
      if (isStopping) return
      isStopping = true
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS).unref()
    }
    const atExit = (): void => void child.kill('SIGKILL')
    for (const signal of SIGNALS) process.on(signal, stop)
    process.on('exit', atExit)
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, stop)
      process.off('exit', atExit)
      resolve(isStopping ? 0 : (code ?? 1))
    })
  })
