/** `cairn memory list`, `search` and `history`. */
import type { MemoryEntry, MemoryKind, MemoryVersion } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { entryIds, entryLines, percent } from '../memory-output.ts'
import { projectName, projectOf } from '../project-option.ts'
import { createMarker } from '../recall-snippet.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { asUsage } from '../wrong-usage.ts'
import { instantOf } from './memory-values.ts'

export interface ListOptions extends CommonOptions {
  readonly kind?: MemoryKind
  readonly asOf?: string
}

export interface SearchOptions extends ListOptions {
  readonly limit: number
}

export type HistoryOptions = CommonOptions

const listingOf = ({ kind }: ListOptions, asOf: number | undefined): { readonly kind?: MemoryKind; readonly asOf?: number } => ({
  ...(kind === undefined ? {} : { kind }),
  ...(asOf === undefined ? {} : { asOf }),
})

const averageOf = (entries: readonly MemoryEntry[]): number => entries.reduce((sum, { confidence }) => sum + confidence, 0) / entries.length

/** Lists entries: `{workspace, entries}` as JSON. */
export const runList = async (options: ListOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const asOf = await instantOf(options.asOf, options, context)
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const entries = await engine.memory.list(workspace, listingOf(options, asOf))
  if (options.json === true) return context.json({ workspace, entries })
  const ids = await entryIds(entries, engine)
  for (const entry of entries) {
    for (const line of entryLines(entry, ids.get(entry.id) ?? entry.id, terminal)) await terminal.line(line)
    await terminal.line()
  }
  const scope = `${options.kind === undefined ? '' : ` of the kind ${options.kind}`}${asOf === undefined ? '' : ` as of ${formatTime(asOf)}`}`
  const project = neutraliseLine(projectName(workspace))
  await terminal.line(entries.length === 0 ? `Total: nothing is remembered of ${project}${scope}.` : `Total: ${counted(entries.length, 'entry')} of ${project}${scope}, on average ${percent(averageOf(entries))} sure`)
}

/** Searches entries: `{workspace, query, results: [{…entry, score}]}` as JSON. */
export const runSearch = async (words: string, options: SearchOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const asOf = await instantOf(options.asOf, options, context)
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const found = await asUsage(engine.memory.search(workspace, words, { ...listingOf(options, asOf), limit: options.limit }))
  if (options.json === true) return context.json({ workspace, query: words, results: found.map(({ entry, score }) => ({ ...entry, score })) })
  const entries = found.map(({ entry }) => entry)
  const ids = await entryIds(entries, engine)
  const marker = createMarker(words)
  for (const entry of entries) {
    const mark = (line: string): string => marker.mark(line, (hit) => terminal.style('bold', hit))
    for (const line of entryLines(entry, ids.get(entry.id) ?? entry.id, terminal, mark)) await terminal.line(line)
    await terminal.line()
  }
  await terminal.line(entries.length === 0 ? 'Total: nothing was found.' : `Total: ${counted(entries.length, 'entry')}`)
}

const ENDS: Readonly<Record<NonNullable<MemoryVersion['ended']>, string>> = {
  updated: 'changed',
  forgotten: 'forgotten',
  superseded: 'replaced',
  pruned: 'pruned',
  merged: 'merged',
  contradicted: 'contradicted',
}

const spanOf = ({ validFrom, validTo, ended, replacedBy }: MemoryVersion): string => {
  if (validTo === null) return `since ${formatTime(validFrom)}`
  const why = ended === null ? '' : `, then ${ENDS[ended]}`
  return `${formatTime(validFrom)} to ${formatTime(validTo)}${why}${replacedBy === null ? '' : ` by ${neutraliseLine(replacedBy)}`}`
}

/** All versions of an entry: `{id, versions}` as JSON. */
export const runHistory = async (idOrPrefix: string, options: HistoryOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const engine = await context.readEngine(options)
  const versions = await asUsage(engine.memory.history(idOrPrefix))
  const id = versions[0]?.entry.id ?? idOrPrefix
  if (options.json === true) return context.json({ id, versions })
  for (const version of versions) {
    await terminal.line(terminal.style('bold', spanOf(version)))
    for (const line of entryLines(version.entry, id, terminal)) await terminal.line(line)
    await terminal.line()
  }
  await terminal.line(`Total: ${counted(versions.length, 'version')}`)
}
