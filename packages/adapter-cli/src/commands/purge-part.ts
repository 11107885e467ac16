/** `cairn purge --person` and `--expired`: removes a part of a store, and tells what went and what still holds it. */
import { existsSync, rmSync } from 'node:fs'
import { CairnError } from '@cairn/core'
import type { DatabaseStore, ErasureReport, ErasureScope } from '@cairn/storage-prisma'
import type { CommonOptions, Context } from '../command.ts'
import { retentionAgeMs } from '../config/retention-age.ts'
import { usableStore } from '../config/settings.ts'
import type { Settings } from '../config/settings.ts'
import { storeName } from '../output/store-name.ts'
import { counted, formatBytes, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'

/** The options of a purge that removes only a part. */
export interface PartialPurgeOptions extends CommonOptions {
  readonly yes?: boolean
  readonly person?: string
  readonly dryRun: boolean
  readonly backups: boolean
}

/** A part to remove, and its name. */
interface Part {
  readonly name: string
  readonly scope: ErasureScope
}

/** A part with what was removed of it, or would be. */
interface PartReport extends Part {
  readonly report: ErasureReport
}

/** Backups of a SQLite store, which hold what was there when they were made. */
interface Backups {
  readonly count: number
  /** When the first and the last of them were made, ms; null: there is none. */
  readonly oldest: number | null
  readonly newest: number | null
  /** How many were removed by `--backups`. */
  readonly removed: number
}

/**
 * Removes a person's part, or everything older than the retention settings allow, after a question that `--yes`
 * answers; `--dry-run` only counts. `{store, dryRun, parts, backups}` as JSON. Rejects with `usage` if the user does
 * not agree, no retention is set, or `--backups` is given for PostgreSQL; with `not-found` for an unknown person or a
 * missing store.
 */
export const runPartialPurge = async (options: PartialPurgeOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  const address = storeAddress(settings)
  const path = address.startsWith('file:') ? address.slice('file:'.length) : undefined
  if (options.backups && path === undefined)
    throw new CairnError(
      'usage',
      '--backups is for SQLite stores, whose backups Cairn makes; dumps of a server are removed by whoever runs it.',
    )
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address)
  const reports: PartReport[] = []
  try {
    const parts =
      options.person === undefined ? policies(settings, context.now()) : [await personIn(store, options.person)]
    if (!options.dryRun && options.yes !== true) await confirm(await runParts(store, parts, true), options, context)
    reports.push(...(await runParts(store, parts, options.dryRun)))
  } finally {
    await store.close()
  }
  const backups = path === undefined ? undefined : await handleBackups(path, options)
  if (options.json === true)
    return context.json({
      store: storeName(address),
      dryRun: options.dryRun,
      parts: reports.map(({ name, scope, report }) => ({
        part: name,
        ...(scope.by === 'age' ? { before: scope.before } : {}),
        ...report,
      })),
      backups: backups ?? null,
    })
  for (const each of reports) await sayWrapped(partLine(each, options.dryRun), context.terminal)
  for (const line of remaining(reports, backups, options)) await sayWrapped(line, context.terminal)
}

/**
 * Returns the store's address.
 * @throws CairnError `usage` for a store that may not be used, `not-found` for one that does not exist
 */
const storeAddress = (settings: Settings): string => {
  const address = usableStore(settings)
  if (address.startsWith('file:') && !existsSync(address.slice('file:'.length)))
    throw new CairnError('not-found', `There is no store at ${storeName(address)}; nothing was removed.`)
  return address
}

/**
 * Returns the part of a person. Rejects with `not-found` if nobody is called so, and lists who is known; with `usage`
 * for a name that looks like an option.
 */
const personIn = async (store: DatabaseStore, person: string): Promise<Part> => {
  if (person.startsWith('--'))
    throw new CairnError('usage', `--person takes a name, and ${person} is an option: put the name between them.`)
  const people = await store.erasure.people()
  if (!people.includes(person))
    throw new CairnError(
      'not-found',
      people.length === 0
        ? "No machine has sent anything to this store: --person is for a team's store (--store postgresql://…)."
        : `Nobody is called '${person}' in this store; there are ${people.map(neutraliseLine).join(', ')}.`,
    )
  return { name: person, scope: { by: 'person', person } }
}

/**
 * Returns the parts that are older than the settings allow, whole sessions first; `now` in ms. A session is as old as
 * its last activity.
 * @throws CairnError `usage` if no retention is set
 */
const policies = (settings: Settings, now: number): readonly Part[] => {
  const border = (key: 'retention.sessions' | 'retention.text'): number | undefined => {
    const age = retentionAgeMs(settings[key].value)
    return age === undefined ? undefined : now - age
  }
  const [sessions, text] = [border('retention.sessions'), border('retention.text')]
  const parts: Part[] = []
  if (sessions !== undefined)
    parts.push({ name: 'retention.sessions', scope: { by: 'age', what: 'session', before: sessions } })
  if (text !== undefined)
    parts.push({
      name: 'retention.text',
      scope: { by: 'age', what: 'text', before: text, ...(sessions === undefined ? {} : { since: sessions }) },
    })
  if (parts.length === 0)
    throw new CairnError(
      'usage',
      'No policy is set, so nothing is ever too old: cairn config set retention.text 90d, or retention.sessions 2y.',
    )
  return parts
}

/** Removes the parts one after the other, or with `dryRun` only counts them; returns a report for each. */
const runParts = async (store: DatabaseStore, parts: readonly Part[], dryRun: boolean): Promise<PartReport[]> => {
  const reports: PartReport[] = []
  for (const part of parts) reports.push({ ...part, report: await store.erasure.run(part.scope, { dryRun }) })
  return reports
}

/**
 * Says on standard error what would be removed, and asks; returns only if the user agrees. Rejects with `usage` for any
 * answer but yes, or if there is no terminal to ask on.
 */
const confirm = async (
  planned: readonly PartReport[],
  { backups }: PartialPurgeOptions,
  { terminal }: Context,
): Promise<void> => {
  if (!terminal.canAsk)
    throw new CairnError('usage', 'There is no terminal to ask on: add --yes to remove it, or --dry-run to count it.')
  for (const each of planned) terminal.note(partLine(each, true))
  if (backups) terminal.note('Would also remove all backups of this store, and make a new one of what is left.')
  const answer = await terminal.ask('Remove it for real? [y/N] ')
  if (answer === undefined || !/^y(?:es)?$/i.test(answer)) throw new CairnError('usage', 'Nothing was removed.')
}

/**
 * With `--backups`, if there are any, makes a backup of what is left, then removes all others; a dry run does neither.
 * Returns how many of the former backups stay and how many were removed; the new one counts as neither.
 */
const handleBackups = async (
  path: string,
  { backups: areToGo, dryRun }: Pick<PartialPurgeOptions, 'backups' | 'dryRun'>,
): Promise<Backups> => {
  const { backUpStore, listBackups } = await import('@cairn/storage-prisma/backups')
  const there = listBackups(path)
  const isRemoving = areToGo && !dryRun
  if (isRemoving && there.length > 0) {
    // The new one first: where it can't be made, the old ones are all there is.
    await backUpStore(path, { kind: 'manual' })
    for (const { path: backup } of there) rmSync(backup, { force: true })
  }
  const staying = isRemoving ? [] : there
  return {
    count: staying.length,
    oldest: staying.at(-1)?.at ?? null,
    newest: staying[0]?.at ?? null,
    removed: there.length - staying.length,
  }
}

/**
 * Returns what was removed of a part, or would be, by kind, as a sentence. All kinds are named, with 0 too, but names
 * only if any went.
 * @param dryRun whether it is what would be removed
 */
const partLine = ({ name, scope, report }: PartReport, dryRun: boolean): string => {
  const { sessions, entries, requests, failures, sourceLines, settings, machines, names, bytes } = report
  const verb = dryRun ? 'Would remove' : 'Removed'
  const of =
    scope.by === 'person'
      ? `of ${neutraliseLine(name)}`
      : `by ${name} (last activity before ${formatTime(scope.before)}${scope.what === 'text' ? '; figures stay' : ''})`
  const kinds = [
    counted(sessions, 'session'),
    counted(entries, 'log entry'),
    counted(requests, 'request'),
    counted(failures, 'failed request'),
    counted(sourceLines, 'transcript line'),
    counted(settings, 'setting'),
    ...(scope.by === 'person' ? [counted(machines, 'machine')] : []),
    ...(names > 0 ? [`${counted(names, 'name')} that nothing else had`] : []),
  ]
  return `${verb} ${of}: ${kinds.join(', ')}; ${formatBytes(bytes)} of content.`
}

/**
 * Returns sentences about what still holds the removed data, and what keeps it from coming back. Empty if there is
 * nothing to say.
 */
const remaining = (
  reports: readonly PartReport[],
  backups: Backups | undefined,
  { dryRun, person, backups: areToGo }: PartialPurgeOptions,
): readonly string[] => {
  const lines: string[] = []
  const isAny = reports.some(({ report }) => report.sessions > 0)
  if (isAny && !dryRun && reports.some(({ scope }) => scope.by === 'person' || scope.what === 'session'))
    lines.push('Only ids of the sessions stay, so that no later sync or import brings them back.')
  if (isAny && !dryRun && person !== undefined)
    lines.push(
      "What the person's own machines hold stays there, and new sessions of theirs arrive with their next sync.",
    )
  if (backups === undefined)
    lines.push('Dumps of this server, and archives of its log, hold what they held until whoever runs it removes them.')
  else if (backups.removed > 0)
    lines.push(`${counted(backups.removed, 'backup')} went, and a new one was made of what is left.`)
  else if (backups.oldest !== null && backups.newest !== null)
    lines.push(
      `${counted(backups.count, 'backup')} from ${formatTime(backups.oldest)} to ${formatTime(backups.newest)} still ${backups.count === 1 ? 'holds' : 'hold'} what was there then, until newer ones take ${backups.count === 1 ? 'its' : 'their'} place (docs/backups.md); ${areToGo ? 'without --dry-run they go now' : 'with --backups they go now'}.`,
    )
  return lines
}
