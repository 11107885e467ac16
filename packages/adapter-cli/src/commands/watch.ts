/** `cairn watch`: follows agents' transcripts into the store until it is stopped. */
import { setTimeout as wait } from 'node:timers/promises'
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { findImporter } from '@cairn/core/importers'
import { dataFolder } from '@cairn/core/node'
import { watchTranscripts } from '@cairn/core/node/watching'
import type { WatchedEngine } from '@cairn/core/node/watching'
import type { Context, Define } from '../command.ts'
import { createWatchReport } from '../output/watch-report.ts'
import { exists } from '../options/exists.ts'
import { excludedAgents } from '../options/excluded-agents.ts'
import { keepBackingUp } from '../runtime/automatic-backup.ts'
import { OTEL_OPTION, startLiveExport, type LiveExportOptions } from '../telemetry/live-export.ts'
import { importEnvironment } from '../runtime/import-environment.ts'

interface WatchCommandOptions extends LiveExportOptions {
  readonly from?: readonly string[]
  readonly agent?: string
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/**
 * How long a batch may take to be written after a signal, and the store to be closed, ms. Nothing is lost if it does
 * not.
 */
const PATIENCE_MS = 400

const HELP = `
It starts with an import; from then on what agents write is in the store within
a second. Ctrl-C stops it. If it is killed, nothing is missed: the next start
continues from there. If several follow the same folders, one works and the
others wait to take over.

Examples:
  cairn watch
  cairn watch --agent claude-code
  cairn watch --from ~/backup/.claude --store file:backup.db
  cairn watch --json > imports.jsonl
  cairn watch --otel http://127.0.0.1:4318`

/** Declares `cairn watch`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Follow the transcripts of coding agents and import new lines within a second.')
    .option('--from <path...>', "a file, or a folder at any level of an agent's layout (repeatable)")
    .option('--agent <name>', 'only this agent')
    .option(...OTEL_OPTION)
    .option('--json', 'print one JSON document per line for each import')
    .addHelpText('after', HELP)
    .action((options: WatchCommandOptions) => runWatch(options, context))
}

/**
 * The files and folders of `--from`, absolute; they may be missing as yet, which is said: it may be a misspelt name.
 * Throws `usage` for a blank one.
 */
const rootsOf = ({ from = [] }: WatchCommandOptions, { surroundings, terminal }: Context): readonly string[] => {
  if (from.some((path) => path.trim() === '')) throw new CairnError('usage', "--from takes a file or a folder, not ''.")
  const roots = from.map((path) => resolve(surroundings.folder, path))
  const missing = roots.filter((path) => !exists(path))
  if (missing.length > 0)
    terminal.note(`There is no file or folder ${missing.join(', ')} yet; it is followed once it is there.`)
  return roots
}

/**
 * `cairn watch`: follows until a signal comes or nobody reads its output, then ends the process with 0: it does not
 * resolve. Rejects if its store can't be used. With `--agent` also one that is excluded in the settings.
 */
const runWatch = async (options: WatchCommandOptions, context: Context): Promise<void> => {
  const { agent } = options
  if (agent !== undefined) findImporter(agent)
  const from = rootsOf(options, context)
  const settings = await context.settings(options)
  const { store, 'watch.exclude': excluded } = settings
  const exclude = agent === undefined ? excludedAgents(excluded.value) : []
  // A store that can't be opened ends it before it begins.
  const opened = [await context.watchedEngine(options)]
  const unused = (): WatchedEngine | undefined => opened.pop()
  keepBackingUp(settings, context.surroundings.variables)
  const sending = await startLiveExport(options, context, 'cairn watch')
  const stop = stopOnSignal()
  const report = createWatchReport(context, { isJson: options.json === true, store: store.value })
  const watching = watchTranscripts({
    environment: importEnvironment(context.surroundings),
    ...(from.length === 0 ? {} : { from }),
    ...(agent === undefined ? {} : { agent }),
    ...(exclude.length === 0 ? {} : { exclude }),
    program: 'cairn watch',
    open: async () => unused() ?? context.watchedEngine(options),
    dataFolder: dataFolder(context.surroundings),
    store: store.value,
    listener: (event) => {
      if (event.type === 'busy') stop.leaveToSystem(event.isBusy)
      else if (event.type !== 'transcripts') report.tell(event)
      // Nobody reads any more.
      if (context.terminal.outputFailure !== undefined) stop.now()
    },
    signal: stop.signal,
  })
  // A failure ends it before any signal.
  await Promise.race([watching, stop.requested.then(() => wait(PATIENCE_MS))])
  report.end()
  await sending?.end()
  await Promise.race([Promise.all([context.terminal.flush(), unused()?.engine.close()]), wait(PATIENCE_MS)])
  process.exit(0)
}

interface Stop {
  /** Aborted when the watch has to end. */
  readonly signal: AbortSignal
  /** Resolves once `signal` is aborted. */
  readonly requested: Promise<void>
  /** Stops, as a signal would. */
  now(): void
  /** With `true` signals end the program at once, for work during which they could not be answered in time. */
  leaveToSystem(isLeft: boolean): void
}

/**
 * Makes the signals that end a program abort an AbortSignal, from now on; while something is busy they can be left to
 * the system. `now` aborts it as well. Signals are caught until the process ends.
 */
const stopOnSignal = (): Stop => {
  const controller = new AbortController()
  const { signal } = controller
  const now = (): void => controller.abort()
  const begin = (): void => {
    for (const name of SIGNALS) process.on(name, now)
  }
  begin()
  return {
    signal,
    requested: new Promise((done) => signal.addEventListener('abort', () => done(), { once: true })),
    now,
    leaveToSystem: (isLeft) => {
      if (!isLeft) begin()
      else for (const name of SIGNALS) process.off(name, now)
    },
  }
}
