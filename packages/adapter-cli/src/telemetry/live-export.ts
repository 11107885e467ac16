/** `--otel` of the commands that record: starts the thread that sends what they record to a collector. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { CairnError, messageOf } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { Destination } from '@cairn/core/node/telemetry-export'
import type { CommonOptions, Context } from '../command.ts'
import { usableStore } from '../config/settings.ts'
import { httpAddress } from '../options/option-values.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The option `--otel`. */
export interface LiveExportOptions extends CommonOptions {
  /** A collector's address; `true`: the one that the environment names. */
  readonly otel?: string | true
}

/** The thread's input: only data that can be passed to another thread. */
export interface LiveExportSetting {
  readonly store: string
  readonly destination: Destination
  /** Held by the one program over this store that sends to this collector. */
  readonly lease: string
  /** What others are told that holds the lease. */
  readonly program: string
}

/** A running export of what is recorded. */
export interface RunningExport {
  /** Sends what is new once more, and ends. Never rejects. */
  end(): Promise<void>
}

/** The arguments for commander's `option`. */
export const OTEL_OPTION = [
  '--otel [url]',
  'send requests to this collector as they are recorded',
  httpAddress('--otel', 'put the key in OTEL_EXPORTER_OTLP_HEADERS'),
] as const

/** Next to the command's own file; the build makes it from `live-export-thread.ts`. */
const PROGRAM = './live-export-thread.js'
/** How long the last pass may take; the next start sends the rest. */
const LAST_PASS_MS = 4_000

/**
 * Starts sending recorded requests to a collector if `--otel` is given; otherwise returns undefined. Later failures are
 * reported as notes and retried. `program` is the name that other processes are told. Rejects with `usage` if no
 * collector is set or nothing is recorded that could be sent.
 */
export const startLiveExport = async (
  options: LiveExportOptions,
  context: Context,
  program: string,
): Promise<RunningExport | undefined> => {
  const { otel, incognito } = options
  if (otel === undefined) return undefined
  if (incognito === true)
    throw new CairnError('usage', '--otel sends what is recorded, and --incognito records nothing: give one of them.')
  const { surroundings, terminal } = context
  // OpenTelemetry's libraries are loaded by those who send.
  const { destinationOf, serverOf } = await import('@cairn/core/node/telemetry-export')
  const destination = destinationOf({
    endpoint: otel === true ? undefined : otel,
    option: '--otel',
    protocol: undefined,
    headers: {},
    variables: surroundings.variables,
  })
  const store = usableStore(await context.settings(options))
  const target = createHash('sha256')
    .update(JSON.stringify([destination.traces.url, store]))
    .digest('hex')
  const lease = join(dataFolder(surroundings), `otel-${target.slice(0, 16)}.lease`)
  const running = startThread({ store, destination, lease, program }, (sentence) =>
    terminal.note(neutraliseLine(sentence)),
  )
  terminal.note(`Requests are sent to ${neutraliseLine(serverOf(destination.traces))} as they are recorded.`)
  return running
}

/**
 * Starts the thread that sends; it does not keep the process alive. `end` waits for a last pass, at most
 * `LAST_PASS_MS`; `tell` is told what goes wrong.
 */
const startThread = (workerData: LiveExportSetting, tell: (sentence: string) => void): RunningExport => {
  const worker = new Worker(new URL(PROGRAM, import.meta.url), { workerData, name: 'telemetry' })
  worker.on('message', (sentence: string) => tell(sentence))
  worker.on('error', (error: unknown) => tell(`Requests are not sent any more: ${messageOf(error)}`))
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  // The command's work decides when it ends.
  worker.unref()
  return {
    end: async () => {
      worker.ref()
      worker.postMessage('end')
      await Promise.race([exited, wait(LAST_PASS_MS, undefined, { ref: false })])
      await worker.terminate()
    },
  }
}
