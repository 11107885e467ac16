/** `cairn memory show`, `stats`, `prune`, `consolidate` and `check`. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { CairnError, MEMORY_KINDS, citationText } from '@cairn/core'
import type { Engine, PruneReport, StalenessReport } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { entryLines, formatDay, percent, shortId } from '../output/memory-output.ts'
import { currentProject, otherProject, projectName, projectOf } from '../options/project-option.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { instantOf } from './memory-values.ts'

/** The options of `memory show`. */
export interface ShowOptions extends CommonOptions {
  readonly maxTokens?: number
  readonly asOf?: string
}

/** The options of `memory prune`. */
export interface PruneOptions extends CommonOptions {
  readonly dryRun?: boolean
  readonly maxAgeDays: number
  readonly minConfidence: number
}

/** The options of `memory check`. */
export interface CheckOptions extends CommonOptions {
  readonly dryRun?: boolean
}

/**
 * Shows an entry: `{entry}` as JSON. Without an id, shows what a new session is given: `{workspace, text, tokens,
 * entries, left}`. Rejects with `not-found` or `ambiguous`, and with `usage` for an id together with `--max-tokens`.
 * `asOf` asks for an earlier time.
 */
export const runShow = async (id: string | undefined, options: ShowOptions, context: Context): Promise<void> => {
  const asOf = await instantOf(options.asOf, options, context)
  const engine = await context.readEngine(options)
  if (id === undefined) return showSection(engine, asOf, options, context)
  if (options.maxTokens !== undefined) throw new CairnError('usage', 'Give either an id or --max-tokens, not both.')
  const entry = await asUsage(engine.memory.get(id, asOf))
  if (options.json === true) return context.json({ entry })
  const { terminal } = context
  for (const line of entryLines(entry, entry.id, terminal, {
    project: otherProject(entry.workspace, await currentProject(context)),
  }))
    await terminal.line(line)
}

/**
 * Shows the memory section that a new session is given, or was given at `at` (ms): `{workspace, text, tokens, entries,
 * left}` as JSON.
 */
const showSection = async (
  engine: Engine,
  at: number | undefined,
  options: ShowOptions,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const workspace = await projectOf(options, engine, context)
  const { maxTokens } = options
  const section = await asUsage(
    engine.memory.section(workspace, {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(at === undefined ? {} : { at }),
    }),
  )
  if (options.json === true) return context.json({ workspace, ...section })
  const { text, tokens, entries, left } = section
  if (text !== '') await terminal.line(`${neutralise(text).trimEnd()}\n`)
  const rest = left === 0 ? '' : `; ${counted(left, 'entry')} had no room`
  const total =
    entries.length === 0 && left === 0
      ? `Total: nothing is remembered of ${neutraliseLine(projectName(workspace))}.`
      : `Total: ${counted(entries.length, 'entry')}, about ${counted(tokens, 'token')}${rest}`
  await terminal.line(total)
}

/**
 * Counts a project's entries by kind as a table: the fields of `MemoryStats` as JSON. Kinds without entries are
 * included; an empty memory is no failure.
 */
export const runStats = async (options: CommonOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const engine = await context.readEngine(options)
  const stats = await engine.memory.stats(await projectOf(options, engine, context))
  if (options.json === true) return context.json(stats)
  const { workspace, entries, byKind, averageConfidence, oldestAt, newestAt, prunable, characters } = stats
  for (const line of wrapLine(neutraliseLine(workspace), terminal.width))
    await terminal.line(terminal.style('dim', line))
  if (entries > 0) {
    const facts = [
      `first seen ${formatDay(oldestAt)} to ${formatDay(newestAt)}`,
      ...(averageConfidence === null ? [] : [`on average ${percent(averageConfidence)} sure`]),
      counted(characters, 'character'),
      ...(prunable === 0 ? [] : [`${formatWhole(prunable)} to prune (cairn memory prune --dry-run)`]),
    ]
    for (const line of wrapLine(facts.join(' · '), terminal.width)) await terminal.line(line)
    await terminal.line()
  }
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [{ title: 'kind' }, { title: 'entries', align: 'right' }],
    rows: MEMORY_KINDS.map((kind) => [kind, formatWhole(byKind[kind])]),
    total: ['Total', formatWhole(entries)],
    width: terminal.width,
  })
  await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  await terminal.line(terminal.style('bold', total))
}

const WHY: Readonly<Record<PruneReport['pruned'][number]['why'], string>> = {
  age: 'not confirmed for long',
  confidence: 'hardly sure',
  cap: 'beyond the best of its kind',
}

/**
 * Ends entries that are too old, have too little confidence, or are beyond the best of their kind: the fields of
 * `PruneReport`, and `workspace`, as JSON. Their history stays. A dry run ends none.
 */
export const runPrune = async (options: PruneOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const dryRun = options.dryRun === true
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const report = await asUsage(
    engine.memory.prune(workspace, { maxAgeDays: options.maxAgeDays, minConfidence: options.minConfidence, dryRun }),
  )
  if (options.json === true) return context.json({ workspace, ...report })
  for (const { entry, why } of report.pruned) {
    for (const line of entryLines(entry, shortId(entry.id), terminal)) await terminal.line(line)
    for (const line of wrapAfter('  ', `ended, as it is: ${WHY[why]}`, terminal.width))
      await terminal.line(
        terminal.style('yellow', dryRun ? line.replace('ended, as it is', 'would end, as it is') : line),
      )
    await terminal.line()
  }
  await terminal.line(
    `Total: ${counted(report.pruned.length, 'entry')} ${dryRun ? 'would end' : 'ended'}, ${formatWhole(report.kept)} stay`,
  )
}

/**
 * Merges a project's entries with the same text: `{workspace, merged: [{id, into}], entries}` as JSON, where `id` went
 * into `into`, and `entries` counts those that are left.
 */
export const runConsolidate = async (options: CommonOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const report = await engine.memory.consolidate(workspace)
  if (options.json === true) return context.json({ workspace, ...report })
  for (const { id, into } of report.merged)
    await terminal.line(`${neutraliseLine(shortId(id))} merged into ${neutraliseLine(shortId(into))}`)
  await terminal.line(`Total: ${counted(report.merged.length, 'entry')} merged, ${formatWhole(report.entries)} in all`)
}

const VERDICT_STYLES = {
  current: 'green',
  moved: 'yellow',
  changed: 'yellow',
  missing: 'red',
  unchecked: 'dim',
} as const

/** How many citations have each verdict, in words. */
const verdictCounts = ({ checked }: StalenessReport): string =>
  [...Map.groupBy(checked, ({ verdict }) => verdict)]
    .map(([verdict, own]) => `${formatWhole(own.length)} ${verdict}`)
    .join(', ')

/**
 * Checks the citations of a project's entries against its files, moves those whose lines moved, and lowers the
 * confidence of entries that are out of date: `{workspace, checked, changed: [id]}` as JSON. A dry run changes none.
 * Rejects with `usage` if the project is not on this machine.
 */
export const runCheck = async (options: CheckOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const dryRun = options.dryRun === true
  const engine = await context.engine(options)
  const folder = await projectOf(options, engine, context)
  if (!isAbsolute(folder) || !existsSync(folder))
    throw new CairnError(
      'usage',
      `The files of ${neutraliseLine(folder)} are not on this machine; give the project's folder with --workspace.`,
    )
  const report = await engine.memory.check(folder, folder, { dryRun })
  if (options.json === true) return context.json({ workspace: folder, ...report })
  for (const { entry, example, verdict, detail } of report.checked) {
    const citation = `${neutraliseLine(shortId(entry.id))}  ${neutraliseLine(citationText(example))}`
    for (const line of wrapAfter('', citation, terminal.width)) await terminal.line(line)
    const [first = '', ...rest] = wrapAfter(
      `  ${verdict}`,
      detail === '' ? '' : `: ${neutraliseLine(detail)}`,
      terminal.width,
    )
    await terminal.line(`  ${terminal.style(VERDICT_STYLES[verdict], verdict)}${first.slice(verdict.length + 2)}`)
    for (const line of rest) await terminal.line(line)
  }
  if (report.checked.length > 0) await terminal.line()
  const changed =
    report.changed.length === 0
      ? 'no entry changed'
      : `${counted(report.changed.length, 'entry')} ${dryRun ? 'would change' : 'changed'}`
  await terminal.line(
    report.checked.length === 0
      ? 'Total: no entry cites a file.'
      : `Total: ${counted(report.checked.length, 'citation')} (${verdictCounts(report)}); ${changed}`,
  )
}
