/** `cairn memory list`, `search` and `history`. */
import { CairnError, MEMORY_END_NAMES, createMarker } from '@cairn/core'
import type { MemoryEntry, MemoryKind, MemoryVersion } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { entryLines, percent, shortId } from '../output/memory-output.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { counted, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { instantOf } from './memory-values.ts'

/** The conditions of a list of entries. */
export interface ListOptions extends CommonOptions {
  readonly kind?: MemoryKind
  readonly asOf?: string
}

/** The options of `memory list`. */
export interface LimitedListOptions extends ListOptions {
  readonly limit?: number
  readonly ended?: boolean
}

/** The options of `memory search`. */
export interface SearchOptions extends ListOptions {
  readonly limit: number
}

/** The options of `memory history`. */
export type HistoryOptions = CommonOptions

/** Returns the filter for the store's list of entries. Conditions that are not given are left out. */
const listingOf = (
  { kind }: ListOptions,
  asOf: number | undefined,
): { readonly kind?: MemoryKind; readonly asOf?: number } => ({
  ...(kind === undefined ? {} : { kind }),
  ...(asOf === undefined ? {} : { asOf }),
})

/** The average confidence of entries, 0 to 1. */
const averageOf = (entries: readonly MemoryEntry[]): number =>
  entries.reduce((sum, { confidence }) => sum + confidence, 0) / entries.length

/**
 * Lists entries, at most `--limit` of them, the most recently confirmed first: `{workspace, entries}` as JSON. No
 * entries are no failure. `--as-of` lists those of a time, `--ended` those that have ended.
 */
export const runList = async (options: LimitedListOptions, context: Context): Promise<void> => {
  if (options.ended === true) return listEnded(options, context)
  const { terminal } = context
  const asOf = await instantOf(options.asOf, options, context)
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const all = await engine.memory.list(workspace, listingOf(options, asOf))
  const entries = all.slice(0, options.limit ?? all.length)
  if (options.json === true) return context.json({ workspace, entries })
  for (const entry of entries) {
    for (const line of entryLines(entry, shortId(entry.id), terminal, { isShort: terminal.isOutputTerminal }))
      await terminal.line(line)
    await terminal.line()
  }
  const scope = `${options.kind === undefined ? '' : ` of the kind ${options.kind}`}${asOf === undefined ? '' : ` as of ${formatTime(asOf)}`}`
  const project = neutraliseLine(projectName(workspace))
  const left = all.length - entries.length
  const total =
    all.length === 0
      ? `Total: nothing is remembered of ${project}${scope}.`
      : `Total: ${counted(all.length, 'entry')} of ${project}${scope}, on average ${percent(averageOf(all))} sure${left === 0 ? '' : `; the last ${formatWhole(entries.length)} are shown`}`
  for (const line of wrapLine(total, terminal.width)) await terminal.line(line)
}

/**
 * Lists entries that have ended, the last ended first: `{workspace, ended: [{entry, validFrom, validTo, ended,
 * replacedBy}]}` as JSON. None are no failure. Rejects with `usage` for a time beside it.
 */
const listEnded = async (options: LimitedListOptions, context: Context): Promise<void> => {
  if (options.asOf !== undefined)
    throw new CairnError('usage', '--ended lists what has ended by now; it takes no --as-of. Leave one of them out.')
  const { terminal } = context
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const all = await engine.memory.ended(workspace, listingOf(options, undefined))
  const ended = all.slice(0, options.limit ?? all.length)
  if (options.json === true) return context.json({ workspace, ended })
  for (const version of ended) {
    for (const line of wrapLine(spanOf(version), terminal.width)) await terminal.line(terminal.style('bold', line))
    const display = { isShort: terminal.isOutputTerminal }
    for (const line of entryLines(version.entry, shortId(version.entry.id), terminal, display))
      await terminal.line(line)
    await terminal.line()
  }
  const project = neutraliseLine(projectName(workspace))
  const left = all.length - ended.length
  const total =
    all.length === 0
      ? `Total: no entry of ${project} has ended.`
      : `Total: ${formatWhole(all.length)} ended ${all.length === 1 ? 'entry' : 'entries'} of ${project}${left === 0 ? '' : `; the last ${formatWhole(ended.length)} are shown`}`
  for (const line of wrapLine(total, terminal.width)) await terminal.line(line)
}

/**
 * Searches a project's entries, best first: `{workspace, query, results: [{…entry, score}]}` as JSON. No results are no
 * failure. Rejects with `usage` for blank words.
 */
export const runSearch = async (words: string, options: SearchOptions, context: Context): Promise<void> => {
  if (words.trim() === '')
    throw new CairnError('usage', 'What should be searched for? Give some words: cairn memory search "redis tests"')
  const { terminal } = context
  const asOf = await instantOf(options.asOf, options, context)
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const found = await asUsage(
    engine.memory.search(workspace, words, { ...listingOf(options, asOf), limit: options.limit }),
  )
  if (options.json === true)
    return context.json({ workspace, query: words, results: found.map(({ entry, score }) => ({ ...entry, score })) })
  const entries = found.map(({ entry }) => entry)
  const marker = createMarker(words)
  for (const entry of entries) {
    const mark = (line: string): string => marker.mark(line, (hit) => terminal.style('bold', hit))
    for (const line of entryLines(entry, shortId(entry.id), terminal, { mark, isShort: terminal.isOutputTerminal }))
      await terminal.line(line)
    await terminal.line()
  }
  await terminal.line(entries.length === 0 ? 'Total: nothing was found.' : `Total: ${counted(entries.length, 'entry')}`)
}

/**
 * Returns when a version was valid: "since" its time if it is the current one, else both times, how it ended if known,
 * and the entry that took its place.
 */
const spanOf = ({ validFrom, validTo, ended, replacedBy }: MemoryVersion): string => {
  if (validTo === null) return `since ${formatTime(validFrom)}`
  const why = ended === null ? '' : `, then ${MEMORY_END_NAMES[ended]}`
  const link = ended === 'merged' ? 'into' : 'by'
  return `${formatTime(validFrom)} to ${formatTime(validTo)}${why}${replacedBy === null ? '' : ` ${link} ${neutraliseLine(shortId(replacedBy))}`}`
}

/**
 * Prints all versions of an entry, oldest first, and the entries that it took the place of or that were merged into it:
 * `{id, versions, replaces: [{id, text, ended}]}` as JSON. Rejects with `not-found` or `ambiguous`.
 */
export const runHistory = async (idOrPrefix: string, options: HistoryOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const engine = await context.readEngine(options)
  const versions = await asUsage(engine.memory.history(idOrPrefix))
  const id = versions[0]?.entry.id ?? idOrPrefix
  const workspace = versions.at(-1)?.entry.workspace
  const former = workspace === undefined ? [] : await engine.memory.ended(workspace)
  const replaces = former.flatMap(({ entry, ended, replacedBy }) =>
    replacedBy === id ? [{ id: entry.id, text: entry.text, ended }] : [],
  )
  if (options.json === true) return context.json({ id, versions, replaces })
  for (const version of versions) {
    for (const line of wrapLine(spanOf(version), terminal.width)) await terminal.line(terminal.style('bold', line))
    for (const line of entryLines(version.entry, shortId(id), terminal)) await terminal.line(line)
    await terminal.line()
  }
  for (const { id: formerId, text, ended } of replaces)
    await terminal.line(
      shortenEnd(
        `${ended === 'merged' ? 'Merged from' : 'Replaces'} ${neutraliseLine(shortId(formerId))}: ${neutraliseLine(text)}`,
        terminal.width,
      ),
    )
  if (replaces.length > 0) await terminal.line()
  await terminal.line(`Total: ${counted(versions.length, 'version')}`)
}
