/** `cairn export otel`: sends recorded requests to a collector of OpenTelemetry. */
import { CairnError, type Engine } from '@cairn/core'
import {
  SentRecord,
  destinationOf,
  exportTelemetry,
  openSender,
  previewExport,
  serverOf,
  type Destination,
  type ExportQuery,
  type ExportSource,
  type OtlpProtocol,
} from '@cairn/core/node/telemetry-export'
import type { DatabaseStore } from '@cairn/storage-prisma'
import type { CommonOptions, Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { sayUnmatched } from '../options/filters.ts'
import { timeRange } from '../options/option-values.ts'
import { projectFilterOf } from '../options/project-option.ts'
import { exportJson, showExport, showExportPreview } from '../output/export-text.ts'
import { createExportProgress } from '../terminal/export-progress.ts'

/** The options of `export otel`. */
export interface ExportOptions extends CommonOptions {
  readonly endpoint?: string
  readonly header?: readonly string[]
  readonly protocol?: OtlpProtocol
  readonly session?: string
  readonly since?: string
  readonly project?: string
  readonly content?: boolean
  readonly names?: boolean
  readonly all?: boolean
  readonly dryRun?: boolean
}

/**
 * Sends recorded requests that were not sent there before (`--all`: these too) to a collector, remembers that, and
 * prints what was sent; `--dry-run` only prints what would be. Rejects with `usage` without a collector (a dry run
 * needs none), and with another code if that can't be reached or refuses all.
 */
export const runExport = async (options: ExportOptions, context: Context): Promise<void> => {
  const start = performance.now()
  const destination = destinationFor(options, context)
  const engine = await context.readEngine(options)
  const query = await queryOf(options, engine, context)
  const { now } = context
  const source = sourceOf(engine)
  const record = await SentRecord.of(destination, engine.store.state, now())
  if (options.dryRun === true) {
    const { report, spans } = await previewExport({ source, record, now }, query)
    if (options.json === true) return context.json({ ...exportJson(report), toSend: spans })
    const server = destination === undefined ? undefined : serverOf(destination.traces)
    return showExportPreview(report, server, context.terminal)
  }
  // Only a dry run names none.
  if (destination === undefined) return
  const progress = createExportProgress(context.terminal)
  try {
    const report = await exportTelemetry(
      { source, destination, record, sender: () => openSender(destination), now, onProgress: progress.onProgress },
      query,
    )
    progress.clear()
    const ms = Math.round(performance.now() - start)
    const server = serverOf(destination.traces)
    if (options.json === true) await context.json({ collector: server, ...exportJson(report), ms })
    else await showExport(report, server, ms, context.terminal)
  } finally {
    progress.clear()
  }
}

/**
 * Where data is sent; undefined for a dry run without a collector.
 * @throws CairnError `usage` if there is no valid collector
 */
const destinationFor = (options: ExportOptions, { surroundings }: Context): Destination | undefined => {
  const { endpoint, protocol, header = [], dryRun } = options
  const headers = Object.fromEntries(header.map(headerOf))
  try {
    return destinationOf({ endpoint, option: '--endpoint', protocol, headers, variables: surroundings.variables })
  } catch (error) {
    if (dryRun === true && endpoint === undefined && CairnError.is(error)) return undefined
    throw error
  }
}

/**
 * A header, given as `name=value` or `name: value`. Errors do not repeat it, because it may be a key.
 * @throws CairnError `usage` if it is invalid
 */
const headerOf = (text: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+)\s*[=:]\s*([\t\x20-\x7e]*)$/.exec(text.trim()) ?? []
  if (name === '' || value === '')
    throw new CairnError('usage', '--header takes a name and a value, such as api-key=0123.')
  return [name, value]
}

const NO_SOURCE: ExportSource = {
  allSessions: () => Promise.resolve([]),
  sessions: () => Promise.resolve([]),
  requests: () => Promise.resolve([]),
  entries: () => Promise.resolve([]),
}

/** What is read from the store; nothing if there is none yet. */
const sourceOf = ({ store }: Engine): ExportSource =>
  // Only a store in a database has it.
  'sync' in store ? (store as DatabaseStore).sync.source : NO_SOURCE

/**
 * What the options ask to send: which requests (by time, session and project; `--all`: also those sent before), and
 * whether their texts and names go along. Rejects for a bad time or an unknown or ambiguous session; a project that the
 * store does not have is only noted on standard error, and then nothing is sent.
 */
const queryOf = async (options: ExportOptions, engine: Engine, context: Context): Promise<ExportQuery> => {
  const settings = await context.settings(options)
  const { since } = timeRange(
    options.since === undefined ? {} : { since: options.since },
    settings.timezone.value,
    context.now(),
  )
  const session = options.session === undefined ? undefined : await engine.sessions.find(options.session)
  const { workspace, project } = await projectFilterOf(
    await context.workspace(options),
    options.project,
    engine,
    context,
  )
  const filter = definedValues({ workspace, project: project?.key })
  const isFiltered = Object.keys(filter).length > 0
  if (isFiltered) await sayUnmatched(filter, engine, context)
  const { rows } = isFiltered ? await engine.usage.report({ by: 'workspace', filter }) : { rows: [] }
  return {
    ...definedValues({ since, sessionId: session?.id }),
    ...(isFiltered ? { workspaces: new Set(rows.map(({ key }) => key)) } : {}),
    isAll: options.all === true,
    hasTexts: options.content === true,
    hasNames: options.names === true,
  }
}
