/** `cairn import`: imports the transcripts of coding agents. */
import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine, EngineEvent } from '@cairn/core'
import { importAgents, findImporter } from '@cairn/core/importers'
import type { ImportReport } from '@cairn/core/importers'
import type { CommonOptions, Context, Define } from '../command.ts'
import { exists } from '../options/exists.ts'
import { programName, storeOption } from '../options/called-as.ts'
import { Interrupted, exitCodeOf, failureOf } from '../runtime/failure.ts'
import { createImportPreview } from '../output/import-preview.ts'
import { startAutomaticBackup } from '../runtime/automatic-backup.ts'
import { importEnvironment } from '../runtime/import-environment.ts'
import { jsonText } from '../output/json-output.ts'
import { skipText } from '../output/skip-text.ts'
import { storeName } from '../output/store-name.ts'
import { counted, formatBytes, formatDuration } from '../terminal/format.ts'
import { createImportProgress } from '../terminal/import-progress.ts'
import { wrapAfter } from '../terminal/wrap.ts'

interface ImportCommandOptions extends CommonOptions {
  readonly from?: readonly string[]
  readonly agent?: string
  readonly dryRun?: boolean
}

/** Rows of skipped input that are shown; `--json` has all of them. */
const SKIPS_SHOWN = 20

const HELP = `
Without --from, imports everything in the usual folders of each agent. Aider and
CLIO keep their transcripts in the projects: name those with --from.
Run again, it imports only what is new, even after it was killed.
Incognito sessions are left out (cairn hook --help).

Examples:
  cairn import
  cairn import --agent claude-code
  cairn import --from ~/backup/.claude --from rollout.jsonl
  cairn import --from . --agent aider   in a project where Aider is used
  cairn import --from chat.jsonl --agent generic --store file:chat.db
  cairn import --dry-run           what would be read`

/** Declares `cairn import`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description(`Import the transcripts of coding agents: ${importAgents().join(', ')}.`)
    .option('--from <path...>', "a file, or a folder at any level of an agent's layout (repeatable)")
    .option('--agent <name>', 'only this agent')
    .option('--dry-run', 'only list the files that would be read')
    .addHelpText('after', HELP)
    .action((options: ImportCommandOptions) => runImportCommand(options, context))
}

/**
 * The paths of `--from`, absolute, in order; empty without it. Missing ones are named on standard error, and stay in.
 * @throws CairnError `usage` if all are missing or one is empty
 */
const pathsOf = (options: ImportCommandOptions, { surroundings, terminal }: Context): readonly string[] => {
  if (options.from?.some((path) => path.trim() === '') === true)
    throw new CairnError('usage', "--from takes a file or a folder, not ''.")
  const paths = (options.from ?? []).map((path) => resolve(surroundings.folder, path))
  const missing = paths.filter((path) => !exists(path))
  const sentence = `There is no file or folder ${missing.join(', ')}`
  if (paths.length > 0 && missing.length === paths.length)
    throw new CairnError('usage', `${sentence}; nothing was imported.`)
  if (missing.length > 0) terminal.note(`${sentence}; the others are imported.`)
  return paths
}

/**
 * Removes what killed processes left behind if that is due, imports with a progress bar, starts a backup if one is due,
 * and prints the report (as JSON: `ImportReport`); with `--dry-run` only what would be read. Rejects with `Interrupted`
 * after a signal; what was imported is kept.
 */
const runImportCommand = async (options: ImportCommandOptions, context: Context): Promise<void> => {
  // Checked first, so that a misspelt name does no work.
  if (options.agent !== undefined) findImporter(options.agent)
  const from = pathsOf(options, context)
  const request = {
    ...(from.length === 0 ? {} : { from }),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    environment: importEnvironment(context.surroundings),
  }
  if (options.dryRun === true) {
    const preview = await createImportPreview(request)
    if (options.json === true) return context.json(preview)
    for (const { agent, files, bytes } of preview.agents)
      await context.terminal.line(`${agent}: ${counted(files, 'file')}, ${formatBytes(bytes)}`)
    return context.terminal.line(`Total: ${counted(preview.files, 'file')}`)
  }
  const engine = await context.engine(options)
  await engine.cleanUp.atStart()
  const bar = createImportProgress(context.terminal, context.now)
  const stop = stopOnSignal(options, context, () => bar.clear())
  try {
    let found = 0
    const listen = (event: EngineEvent): void => {
      if (event.type === 'import-started') found = event.files
      if (event.type === 'import-busy') stop.leaveToSystem(event.isBusy)
      bar.listen(event)
    }
    const report = await engine.imports.run(request, listen, stop.signal)
    // A signal that came too late stops nothing.
    stop.end()
    bar.clear()
    const settings = await context.settings(options)
    await startAutomaticBackup(settings, context.surroundings.variables)
    if (options.json === true) {
      await context.json(report)
      return
    }
    const { store } = settings
    await showReport(
      report,
      { found, store: storeName(store.value), isNamed: from.length > 0, next: nextLine(options, context) },
      context,
      engine,
    )
  } catch (error) {
    stop.end()
    bar.clear()
    if (!stop.signal.aborted) throw error
    const { sessions, requests } = await engine.store.statistics()
    throw stopped(
      `What was imported is kept (the store holds ${counted(sessions, 'session')} and ${counted(requests, 'request')})`,
    )
  } finally {
    stop.end()
  }
}

/** The error of an import that was stopped; `what` says what was kept. */
const stopped = (what: string): Interrupted => new Interrupted(`Stopped. ${what}; the same command goes on from here.`)

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** How long a batch may take to finish after Ctrl-C; nothing is lost if it takes longer. */
const PATIENCE_MS = 400

/** Stops an import. */
interface Stop {
  readonly signal: AbortSignal
  /**
   * With `true` signals end the program at once, for work during which they could not be answered in time; `false`
   * takes them over again.
   */
  leaveToSystem(isLeft: boolean): void
  /** Lets go of the signals, which end the program again. */
  end(): void
}

/**
 * Handles SIGINT and SIGTERM: the first asks the import to stop after the current batch and ends the program if that
 * takes over 400 ms, the second ends it at once. `clear` removes the progress bar.
 */
const stopOnSignal = (options: ImportCommandOptions, context: Context, clear: () => void): Stop => {
  const controller = new AbortController()
  let patience: NodeJS.Timeout | undefined
  const letGo = (): void => {
    for (const signal of SIGNALS) process.off(signal, abort)
  }
  /** The first signal: lets go of the signals, asks the import to stop, and ends the program if that takes too long. */
  const abort = (): void => {
    letGo()
    clear()
    context.terminal.note('Stopping after this batch …')
    controller.abort()
    patience = setTimeout(() => endNow(options), PATIENCE_MS).unref()
  }
  const begin = (): void => {
    for (const signal of SIGNALS) process.once(signal, abort)
  }
  begin()
  return {
    signal: controller.signal,
    leaveToSystem: (isLeft) => {
      if (controller.signal.aborted) return
      if (isLeft) letGo()
      else begin()
    },
    end: () => {
      letGo()
      // The import has ended: what is still to be closed may take its time.
      clearTimeout(patience)
    },
  }
}

/**
 * Ends the program at once, with a sentence on standard error (and a document with `--json`); each write of an import
 * is atomic.
 */
const endNow = ({ json }: ImportCommandOptions): never => {
  const error = stopped('What was imported is kept')
  if (json === true) writeSync(process.stdout.fd, `${jsonText(failureOf(error))}\n`)
  writeSync(process.stderr.fd, `${error.message}\n`)
  process.exit(exitCodeOf(error))
}

/** Replaces the spaces within a command, so that lines are not broken there. */
const UNBROKEN = '\u00a0'

/** Returns the next commands, ready to paste; where the store has to be named, one alone. */
const nextLine = (options: ImportCommandOptions, { surroundings }: Context): string => {
  const store = storeOption(options, surroundings)
  // Where the store has to be named, one command fits on the line, else several.
  const commands = store === '' ? ['usage', 'session list', 'recall "<words>"', 'dashboard'] : ['usage']
  return commands
    .map((command) => `${programName(surroundings)} ${command}${store}`.replaceAll(' ', UNBROKEN))
    .join(', ')
}

/** What the report depends on besides the import. */
interface ReportSurroundings {
  /** Files that were found, including those that were read before. */
  readonly found: number
  readonly store: string
  readonly isNamed: boolean
  readonly next: string
}

/** Whether nothing was taken in, as something of every file that was found was skipped. */
const nothingCouldBeRead = ({ sessions, messages, requests, skipped }: ImportReport, found: number): boolean =>
  skipped.length > 0 && sessions + messages + requests === 0 && new Set(skipped.map(({ file }) => file)).size >= found

/** A sentence for an import that read nothing. */
const vainText = async (engine: Engine): Promise<string> =>
  (await engine.store.statistics()).sessions > 0 ? 'Nothing new could be read.' : 'Nothing could be read.'

/**
 * Prints what was imported, what was skipped (some of it), and what to do next; that nothing is new, or that nothing
 * was found. Rejects as the store does.
 */
const showReport = async (
  report: ImportReport,
  { found, store, isNamed, next }: ReportSurroundings,
  { terminal }: Context,
  engine: Engine,
): Promise<void> => {
  const { files, sessions, messages, requests, skipped, ms } = report
  if (files === 0 && skipped.length === 0) {
    const known = await engine.store.statistics()
    if (known.sessions > 0)
      await terminal.line(`Nothing new. The store holds ${counted(known.sessions, 'session')}: ${store}`)
    else
      await terminal.line(
        isNamed
          ? 'No transcripts were found there.'
          : `No transcripts were found in the usual places of ${importAgents().join(', ')}. Name a folder: cairn import --from <path>`,
      )
    return
  }
  const isVain = nothingCouldBeRead(report, found)
  if (isVain) await terminal.line(await vainText(engine))
  else
    await terminal.line(
      `Read ${counted(files, 'file')} in ${formatDuration(ms)}: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}, ${counted(requests, 'new request')}.`,
    )
  if (skipped.length > 0) {
    const skippedLines = skipped.reduce((sum, { count }) => sum + count, 0)
    await terminal.line(`Left out (${counted(skippedLines, 'place')}):`)
    for (const skip of skipped.slice(0, SKIPS_SHOWN))
      for (const line of wrapAfter('  ', skipText(skip), terminal.width)) await terminal.line(line)
    if (skipped.length > SKIPS_SHOWN)
      await terminal.line(`  … and ${skipped.length - SKIPS_SHOWN} more (--json names all).`)
  }
  await terminal.line(`Store: ${store}`)
  if (!isVain)
    for (const line of wrapAfter('Next: ', next, terminal.width)) await terminal.line(line.replaceAll(UNBROKEN, ' '))
}
