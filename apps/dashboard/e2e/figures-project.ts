/** What the pages of checkpoints, of a session's files and of health must show, from what `cairn … --json` prints. */
import { count } from './figures-expected.ts'
import type { Ask } from './figures-overview.ts'
import { figureOf } from './figures-page.ts'

type Figures = Map<string, string>

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in the largest unit of which there is one, a digit behind the point below 100 of it. */
const bytesOf = (bytes: number): string => {
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1]
  return `${unit === 0 ? value : value.toFixed(value < 99.95 ? 1 : 0)} ${UNITS[unit] ?? ''}`
}

const timeOf = (at: number | null, zone: string): string =>
  at === null
    ? '–'
    : new Intl.DateTimeFormat('en-US', {
        dateStyle: 'medium',
        timeStyle: 'short',
        hourCycle: 'h23',
        timeZone: zone,
      }).format(at)

const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`

interface PrintedCheckpoint {
  readonly id: string
  readonly sessionId: string | null
  readonly at: number
  readonly kind: string
  readonly label: string | null
  readonly files: number
  readonly bytes: number
}

/** The checkpoints of some folders, newest first. */
export const checkpointsOf = async (ask: Ask, roots: readonly string[]): Promise<readonly PrintedCheckpoint[]> => {
  const found: PrintedCheckpoint[] = []
  for (const root of roots) {
    const words = ['checkpoint', 'list', '--workspace', root, '--limit', '100000']
    const { checkpoints, total } = (await ask(...words)) as {
      readonly checkpoints: readonly PrintedCheckpoint[]
      readonly total: number
    }
    expect(checkpoints).toHaveLength(total)
    found.push(...checkpoints)
  }
  return found.toSorted((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
}

const CHECKPOINT_ROWS = 50

/**
 * What a page (from 1) of checkpoints must show.
 * @param leftOut how many files each left out, where that is known
 */
export const checkpointFigures = (
  all: readonly PrintedCheckpoint[],
  page: number,
  zone: string,
  leftOut: ReadonlyMap<string, number>,
): Figures => {
  const figures: Figures = new Map([['total / Checkpoints', plural(all.length, 'checkpoint')]])
  for (const { id, at, kind, label, files, bytes } of all.slice((page - 1) * CHECKPOINT_ROWS, page * CHECKPOINT_ROWS)) {
    const cell = (column: string, text: string): void => void figures.set(figureOf('checkpoints', id, column), text)
    const omitted = leftOut.get(id)
    cell('made', timeOf(at, zone))
    cell('for', kind === 'before-restore' ? 'before a restore' : (label ?? 'no label'))
    cell('files', count(files))
    cell('size', bytesOf(bytes))
    cell('left out', omitted === undefined ? '–' : count(omitted))
  }
  return figures
}

const COUNTS = ['reads', 'rereads', 'edits', 'failures', 'readTokens', 'rereadTokens'] as const
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>
const NONE: Counts = { reads: 0, rereads: 0, edits: 0, failures: 0, readTokens: 0, rereadTokens: 0 }

export interface PrintedFiles {
  readonly files: readonly {
    readonly path: string
    readonly state: 'active' | 'stale' | 'removed'
    readonly readAt: number | null
    readonly editAt: number | null
    readonly mentionAt: number | null
    readonly externalEditAt: number | null
  }[]
  readonly activity: {
    readonly files: readonly (Counts & { readonly path: string; readonly lastAt: number | null })[]
  }
}

interface ExpectedFile extends Counts {
  readonly path: string
  readonly state: 'active' | 'stale' | 'removed' | 'failed'
  readonly usedAt: number | null
}

/** Every file of a session, by what the command prints of its context and of what was done. */
export const expectedFiles = ({ files, activity }: PrintedFiles): readonly ExpectedFile[] => {
  const done = new Map(activity.files.map((file) => [file.path, file]))
  const known = new Map(files.map((file) => [file.path, file]))
  return [...new Set([...known.keys(), ...done.keys()])].map((path) => {
    const [file, counts] = [known.get(path), done.get(path)]
    const times = [file?.readAt, file?.editAt, file?.mentionAt, file?.externalEditAt, counts?.lastAt]
    const usedAt = times.flatMap((at) => (at === null || at === undefined ? [] : [at]))
    return {
      ...NONE,
      ...counts,
      path,
      state: file?.state ?? 'failed',
      usedAt: usedAt.length === 0 ? null : Math.max(...usedAt),
    }
  })
}

const STATES = ['active', 'stale', 'removed', 'failed'] as const
export type FileChoice = (typeof STATES)[number] | 'all'

/** The name of a state on the page: of a file that is removed from the context alone, it is no word for the file. */
const nameOf = (state: (typeof STATES)[number]): string =>
  state === 'removed' ? 'Not in context' : `${state.charAt(0).toUpperCase()}${state.slice(1)}`

/** What the table must show of the files of a state, of which these rows are on its page. */
export const fileFigures = (
  all: readonly ExpectedFile[],
  state: FileChoice,
  rows: readonly string[],
  zone: string,
): Figures => {
  const figures: Figures = new Map([['total / All', count(all.length)]])
  for (const one of STATES) {
    const of = all.filter((file) => file.state === one).length
    if (of > 0 || one === state) figures.set(`total / ${nameOf(one)}`, count(of))
  }
  const chosen = all.filter((file) => state === 'all' || file.state === state)
  for (const file of chosen) {
    if (!rows.includes(file.path)) continue
    figures.set(figureOf('files', file.path, 'state'), file.state === 'failed' ? '–' : nameOf(file.state).toLowerCase())
    figures.set(figureOf('files', file.path, 'usedAt'), timeOf(file.usedAt, zone))
    for (const field of COUNTS) figures.set(figureOf('files', file.path, field), count(file[field]))
  }
  if (chosen.length > 0)
    for (const field of COUNTS)
      figures.set(figureOf('files', 'Total', field), count(chosen.reduce((sum, file) => sum + file[field], 0)))
  return figures
}

export interface PrintedDoctor {
  readonly store: {
    readonly sessions: number
    readonly entries: number
    readonly requests: number
    readonly importedFiles: number
    readonly blocks: number
    readonly redactions: number
    readonly sourceBytes: number
    readonly totalBytes: number
    readonly compressionRatio: number | null
  }
  readonly skipped: readonly {
    readonly file: string
    readonly line?: number
    readonly reason: string
    readonly count: number
  }[]
  readonly tables: readonly { readonly name: string; readonly bytes: number }[]
  readonly backups: {
    readonly folder: string
    readonly count: number
    readonly bytes: number
    readonly latest: {
      readonly name: string
      readonly at: number
      readonly kind: string
      readonly bytes: number
      readonly verified: string
    } | null
  }
  readonly health: {
    readonly failures: Readonly<Record<string, number>>
    readonly trend: readonly {
      readonly at: number
      readonly writes: number
      readonly failures: number
      readonly p50Ms: number | null
      readonly p95Ms: number | null
      readonly hitRate: number | null
      readonly heapBytes: number
      readonly cacheBytes: number
    }[]
  }
  readonly cleanup: {
    readonly rows: readonly { readonly kind: string; readonly removed: number; readonly reason: string }[]
  } | null
}

const ms = (value: number | null): string => {
  if (value === null) return '–'
  return value < 10 ? `${value.toFixed(1)} ms` : `${count(Math.round(value))} ms`
}

const TABLES = 10
const WHY: Readonly<Record<string, string>> = { manual: 'asked for', automatic: 'made by itself' }

const backupFigures = (
  figures: Figures,
  { folder, count: kept, bytes, latest }: PrintedDoctor['backups'],
  zone: string,
) => {
  const fact = (name: string, text: string): void => void figures.set(figureOf('backups', 'latest', name), text)
  fact('In', folder)
  fact('Kept', kept === 0 ? 'none' : `${plural(kept, 'backup')}, ${bytesOf(bytes)} together`)
  if (latest === null) return
  fact('Made', timeOf(latest.at, zone))
  fact('Why', WHY[latest.kind] ?? '')
  fact('Size', bytesOf(latest.bytes))
  fact('File', latest.name)
  expect(latest.verified).toBe('content')
  fact('Verified', 'checked when it was made: every page, pack, block and row')
}

const contentFigures = (figures: Figures, { store, skipped }: PrintedDoctor): void => {
  const fact = (name: string, text: string): void => void figures.set(figureOf('content', name, 'figure'), text)
  fact('Sessions', count(store.sessions))
  fact('Log entries', count(store.entries))
  fact('Requests', count(store.requests))
  fact('Imported files', count(store.importedFiles))
  fact('Shared blocks', count(store.blocks))
  figures.set('total / Secrets replaced', count(store.redactions))
  fact('Read by imports', bytesOf(store.sourceBytes))
  if (store.compressionRatio !== null)
    fact('Size of the store, of that', `${(store.compressionRatio * 100).toFixed(1)} %`)
  for (const { file, line, reason, count: times } of skipped) {
    const first = line === undefined ? '' : count(line)
    const text = times === 1 ? `line ${first}` : `${first === '' ? '' : `from line ${first} on, `}${count(times)} times`
    if (times > 1 || first !== '') figures.set(figureOf('skips', `${file} ${line ?? ''} ${reason}`, 'lines'), text)
  }
}

/**
 * What the page on health must show. Left out is what each process adds of its own since it was started: the quarter of
 * an hour that has not ended, the score, and the caches.
 * @param before ms; the beginning of that quarter
 */
export const healthFigures = (printed: PrintedDoctor, before: number, zone: string): Figures => {
  const { store, tables, backups, health, cleanup } = printed
  const figures: Figures = new Map([['total / Size', bytesOf(store.totalBytes)]])
  contentFigures(figures, printed)
  const others = tables.slice(TABLES)
  for (const { name, bytes } of tables.slice(0, TABLES)) figures.set(figureOf('sizes', name, 'figure'), bytesOf(bytes))
  const rest = others.reduce((sum, { bytes }) => sum + bytes, 0)
  if (others.length > 0)
    figures.set(figureOf('sizes', `${others.length} smaller ones together`, 'figure'), bytesOf(rest))
  backupFigures(figures, backups, zone)
  for (const [code, failures] of Object.entries(health.failures))
    figures.set(figureOf('failures', code, 'figure'), count(failures))
  for (const { kind, removed, reason } of cleanup?.rows ?? [])
    if (removed > 0) figures.set(figureOf('cleanup', `${kind} ${reason}`, 'removed'), count(removed))
  for (const point of health.trend.filter(({ at }) => at < before)) {
    const cell = (column: string, text: string): void =>
      void figures.set(figureOf('quarters', String(point.at), column), text)
    cell('Writes', count(point.writes))
    cell('Failed', count(point.failures))
    cell('Half within', ms(point.p50Ms))
    cell('95 % within', ms(point.p95Ms))
    cell('In memory', point.hitRate === null ? '–' : `${(point.hitRate * 100).toFixed(1)} %`)
    cell('Heap', bytesOf(point.heapBytes))
    cell('Caches', bytesOf(point.cacheBytes))
  }
  return figures
}
