/**
 * Tracks the files in a session's context: a fold over its log. Each entry is processed once, and the newest dates are
 * kept as they come, so a query costs only what it lists. The model history decides whether content is still in the
 * model's view.
 */
import { relativePath } from '../file-activity/file-activity.ts'
import type { LogEntry } from '../session-log.ts'
import { createModelHistory } from '../session/model-history.ts'
import type { ModelHistory } from '../session/model-history.ts'
import { createFileOccurrences } from './file-occurrences.ts'
import type { BlockReference, FileOccurrence } from './file-occurrences.ts'
import type { FileRecord, FileSource, FileState, TrackedFile } from './tracked-file.ts'

export interface FileTrackerOptions {
  /** A folder; paths inside it are returned relative to it. */
  readonly workspace?: string
  /** Maximum number of records kept per file; older ones are only counted. Default 200. */
  readonly recordsKept?: number
  /** A model history of the same log that is stepped before this one; by default, one is created. */
  readonly history?: Pick<ModelHistory, 'block'>
}

/** Which files are returned; all of them if nothing is set. */
export interface FilesInContextQuery {
  /** Only files in one of these states. */
  readonly states?: readonly FileState[]
  /** Maximum number of files, of those in the states. */
  readonly limit?: number
}

/** What a file contained when it was last touched, as far as the log shows. */
export interface KnownContent {
  /** Time of that operation, ms; null if the log has no time. */
  readonly at: number | null
  /** The full text, after an edit; undefined after a read, and if the log does not determine it. */
  readonly text: string | undefined
  /** SHA-256 in hex, if the log has one. */
  readonly hash: string | undefined
}

/** Collects files entry by entry. */
export interface FileTracker {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The tracked files, most recently touched first; without a query, also those that the context has lost. */
  files(query?: FilesInContextQuery): readonly TrackedFile[]
  /** A file by its name in the log, or its path in the workspace; undefined if it was never touched. */
  file(path: string): TrackedFile | undefined
  /** What is known of a file's content after its newest read or edit; nothing (`at` null) if it was only mentioned. */
  known(path: string): KnownContent | undefined
  /** Paths edited by anyone after a time (ms, exclusive), latest edit first. */
  editedAfter(time: number): readonly string[]
}

type Dates = { -readonly [Name in 'readAt' | 'editAt' | 'mentionAt' | 'externalEditAt']: number | null }

/** An occurrence with its number among those of its file. */
interface Numbered {
  readonly number: number
  readonly occurrence: FileOccurrence
}

interface Kept {
  readonly path: string
  readonly dates: Dates
  readonly sources: Set<FileSource>
  /** The number of occurrences so far. */
  count: number
  /** The newest records. */
  records: Numbered[]
  /** Every block that showed the model content: any of them may still be in the view, or return to it. */
  readonly contents: (BlockReference & { readonly number: number })[]
  newestEdit: Numbered | undefined
  known: KnownContent
}

const DATE_OF: Readonly<Record<FileSource, keyof Dates>> = {
  read: 'readAt',
  edit: 'editAt',
  mention: 'mentionAt',
  'external-edit': 'externalEditAt',
}
const RECORDS_KEPT = 200

/**
 * Creates a fold that tracks the files that are, or were, in a session's context. Step it once with each entry of the
 * log, from the beginning, and `options.history`, if given, with that entry before. `files` go by the last touch in the
 * log, newest first, whatever its time; `file` and `known` return undefined for a path that was never touched.
 */
export const createFileTracker = (options: FileTrackerOptions = {}): FileTracker => {
  const { workspace, recordsKept = RECORDS_KEPT } = options
  const own = options.history === undefined ? createModelHistory() : undefined
  const history = options.history ?? own
  const occurrences = createFileOccurrences()
  /** In the order of the last touch. */
  const files = new Map<string, Kept>()

  const isSeen = (content: BlockReference): boolean => {
    const block = history?.block(content.seq, content.block)
    return block !== undefined && block.seen !== null && block.replacement === undefined
  }

  /** Adds an occurrence to its file, which becomes the newest; a file keeps only so many of its records. */
  const keep = (occurrence: FileOccurrence): void => {
    const path = relativePath(occurrence.path, workspace)
    const file = files.get(path) ?? emptyFile(path)
    files.delete(path)
    files.set(path, file)
    const { at, source, content } = occurrence
    const record = { number: file.count, occurrence }
    file.count += 1
    file.records.push(record)
    file.sources.add(source)
    if (content !== null) file.contents.push({ ...content, number: record.number })
    if (isEdit(occurrence)) file.newestEdit = record
    if (source !== 'mention') file.known = contentAfter(file.known, occurrence)
    const date = DATE_OF[source]
    const known = file.dates[date]
    if (at !== null && (known === null || at > known)) file.dates[date] = at
    // Twice as many may wait, so that dropping costs nothing a record.
    if (file.records.length >= recordsKept * 2) file.records = file.records.slice(-recordsKept)
  }

  return {
    step: (entry) => {
      own?.step(entry)
      for (const occurrence of occurrences.step(entry)) keep(occurrence)
    },
    files: ({ states, limit = Infinity } = {}) => {
      const found: TrackedFile[] = []
      for (const kept of [...files.values()].reverse()) {
        if (found.length >= limit) break
        const file = trackedFile(kept, recordsKept, isSeen)
        if (states === undefined || states.includes(file.state)) found.push(file)
      }
      return found
    },
    file: (path) => {
      const kept = files.get(relativePath(path, workspace))
      return kept === undefined ? undefined : trackedFile(kept, recordsKept, isSeen)
    },
    known: (path) => files.get(relativePath(path, workspace))?.known,
    editedAfter: (time) =>
      [...files.values()]
        .map(({ path, dates }) => ({
          path,
          at: Math.max(dates.editAt ?? -Infinity, dates.externalEditAt ?? -Infinity),
        }))
        .filter(({ at }) => at > time)
        .sort((left, right) => right.at - left.at)
        .map(({ path }) => path),
  }
}

/** A file that was not touched yet. */
const emptyFile = (path: string): Kept => ({
  path,
  dates: { readAt: null, editAt: null, mentionAt: null, externalEditAt: null },
  sources: new Set(),
  count: 0,
  records: [],
  contents: [],
  newestEdit: undefined,
  known: { at: null, text: undefined, hash: undefined },
})

/**
 * The known content after an occurrence. After a read, only its time is known, and a hash if the record has one:
 * someone may have changed the file before.
 */
const contentAfter = ({ text }: KnownContent, { doneAt, textAfter, hash }: FileOccurrence): KnownContent => ({
  at: doneAt,
  text: textAfter?.(text),
  hash,
})

const isEdit = ({ source }: Pick<FileRecord, 'source'>): boolean => source === 'edit' || source === 'external-edit'

/**
 * A file for display: what is known about it, and whether the context has its newest content. `active`, `stale` after a
 * later edit, `removed` if the context has none of it; records are the last `recordsKept`.
 */
const trackedFile = (
  { path, dates, sources, count, records, contents, newestEdit }: Kept,
  recordsKept: number,
  isSeen: (content: BlockReference) => boolean,
): TrackedFile => {
  const lastSeen = contents.findLast(isSeen)
  const change =
    newestEdit !== undefined && newestEdit.number > (lastSeen?.number ?? -1) ? newestEdit.occurrence : undefined
  const state: FileState = lastSeen === undefined ? 'removed' : change === undefined ? 'active' : 'stale'
  const history = records.slice(-recordsKept).map(({ number, occurrence }): FileRecord => {
    const { content, path: _path, doneAt: _doneAt, textAfter: _textAfter, ...record } = occurrence
    const isGone = content !== null && !isSeen(content)
    return { ...record, state: number === count - 1 ? state : isGone ? 'removed' : 'stale' }
  })
  return {
    path,
    state,
    ...dates,
    source: history.at(-1)?.source ?? 'mention',
    sources: [...sources],
    changedBy:
      state !== 'stale' || change === undefined
        ? null
        : { source: change.source, at: change.at, ...(change.by === undefined ? {} : { by: change.by }) },
    history,
    olderRecords: count - history.length,
  }
}

/**
 * The files in the context of a whole log, most recently touched first, at most `limit` of those in the requested
 * states; empty for an empty log.
 */
export const filesInContext = (
  entries: readonly LogEntry[],
  options: FileTrackerOptions & FilesInContextQuery = {},
): readonly TrackedFile[] => {
  const tracker = createFileTracker(options)
  for (const entry of entries) tracker.step(entry)
  return tracker.files(options)
}
