/** Entries, versions, suggestions and notes as the page shows them, ready to be sent. */
import type {
  KnownMemory,
  MemoryEntry,
  MemoryVersion,
  Note,
  SessionSummary,
  StaleCitation,
  Suggestion,
  SuggestionReport,
} from '@cairn/core'
import { citationText } from '@cairn/core'
import { sessionRow } from '../sessions/session-row.ts'
import { rowName } from '../usage/dimension.ts'
import type { ProjectNames } from '../usage/project-names.ts'

/** A session that something was learnt in. */
export interface SourceSession {
  readonly id: string
  readonly title: string
  /** The entry of its log; null where it is not known. */
  readonly seq: number | null
  readonly at: number | null
}

/** An entry as a row. */
export interface EntryView {
  readonly id: string
  readonly workspace: string
  readonly project: string
  readonly kind: MemoryEntry['kind']
  readonly text: string
  /** 0 … 1. */
  readonly confidence: number
  readonly examples: readonly string[]
  readonly sessionId: string | null
  readonly commit: string | null
  readonly source: string
  readonly firstSeenAt: number
  readonly lastConfirmedAt: number
  readonly applications: number
  readonly confirmations: number
  readonly contradictions: number
  /** When it was contradicted last, ms; null if never, or where its history does not tell. */
  readonly contradictedAt: number | null
  readonly stale: readonly StaleCitation[]
  /** How and when it ended, ms; null while it is current. */
  readonly ended: { readonly how: NonNullable<MemoryVersion['ended']>; readonly at: number } | null
}

/** What of an entry's history its row shows. */
type Past = Pick<EntryView, 'contradictedAt' | 'ended'>

const NO_PAST: Past = { contradictedAt: null, ended: null }

/**
 * Returns an entry as a row; `stale` is empty if no citation changed. An entry is current unless `past` says how it
 * ended. `names`: as projects are shown.
 */
export const entryView = (
  { messageId: _message, examples, stale = [], ...entry }: KnownMemory,
  names?: ProjectNames,
  past: Partial<Past> = NO_PAST,
): EntryView => ({
  ...entry,
  project: rowName('project', entry.workspace, names).label,
  examples: examples.map(citationText),
  stale,
  ...NO_PAST,
  ...past,
})

/** Returns when the last version that counts one contradiction more began, ms; null without one. `versions`: oldest first. */
export const lastContradictionAt = (versions: readonly MemoryVersion[]): number | null =>
  versions.findLast(
    ({ entry }, index) => entry.contradictions > (versions[index - 1]?.entry.contradictions ?? entry.contradictions),
  )?.validFrom ?? null

/** Returns how and when a version's entry ended; null if it is current. */
export const endOf = ({ ended, validTo }: MemoryVersion): EntryView['ended'] =>
  ended === null || validTo === null ? null : { how: ended, at: validTo }

/** Another entry that replaces one, or was replaced by it. */
export interface LinkedEntry {
  readonly id: string
  readonly workspace: string
  readonly text: string
}

/** Returns the link to the entry of a version. */
export const linkedEntry = ({ entry: { id, workspace, text } }: MemoryVersion): LinkedEntry => ({ id, workspace, text })

/** A version of an entry as a row. */
export interface VersionView {
  readonly text: string
  readonly kind: MemoryEntry['kind']
  readonly confidence: number
  readonly from: number
  /** Null: it is current. */
  readonly to: number | null
  readonly ended: MemoryVersion['ended']
  readonly replacedBy: string | null
}

/** Returns a version as a row; `to` is null while it is current. */
export const versionView = ({ entry, validFrom, validTo, ended, replacedBy }: MemoryVersion): VersionView => ({
  text: entry.text,
  kind: entry.kind,
  confidence: entry.confidence,
  from: validFrom,
  to: validTo,
  ended,
  replacedBy,
})

/**
 * Returns the link to a session, with its title as lists show it. `seq`: the entry to go to, null for the session as a
 * whole.
 */
export const sourceSession = (session: SessionSummary, seq: number | null): SourceSession => ({
  id: session.id,
  title: sessionRow(session).title,
  seq,
  at: session.updatedAt,
})

/** A suggestion as a row. */
export interface SuggestionView {
  readonly id: string
  readonly kind: Suggestion['kind']
  readonly text: string
  /** Sessions in which it was seen, of the `of` that were looked at. */
  readonly sessions: number
  readonly of: number
  /** The newest session first. */
  readonly evidence: readonly SourceSession[]
}

/** The suggestions of a project. */
export interface SuggestionsView {
  readonly suggestions: readonly SuggestionView[]
  /** Sessions that were looked at. */
  readonly sessions: number
  /** Findings that are not offered: instruction files or the memory say them already, or somebody decided on them. */
  readonly known: number
  readonly decided: number
  /** Instruction files that could not be read, so that what they say may be offered again. */
  readonly unread: readonly string[]
}

/**
 * Returns the suggestions of a project, with the sessions in which they were seen. A session without a title is named
 * by its external id.
 */
export const suggestionsView = ({
  suggestions,
  sessions,
  known,
  decided,
  unread,
}: SuggestionReport): SuggestionsView => ({
  suggestions: suggestions.map(({ id, kind, text, sessions: seen, of, evidence }) => ({
    id,
    kind,
    text,
    sessions: seen,
    of,
    evidence: evidence.map(({ sessionId, externalId, title, at }) => ({
      id: sessionId,
      title: title === null || title.trim() === '' ? externalId : title,
      seq: null,
      at,
    })),
  })),
  sessions,
  known,
  decided,
  unread,
})

/** A note as a row. */
export interface NoteView {
  readonly workspace: string
  readonly project: string
  readonly key: string
  readonly text: string
  /** Of the whole text, which may be cut here. */
  readonly length: number
  readonly sessionId: string | null
  readonly updatedAt: number
}

/** Returns a note with at most `characters` of its text (UTF-16 units); `length` is that of the whole text. */
export const noteView = (
  { workspace, key, text, sessionId, updatedAt }: Note,
  characters: number,
  names?: ProjectNames,
): NoteView => ({
  workspace,
  project: rowName('project', workspace, names).label,
  key,
  text: text.length <= characters ? text : text.slice(0, characters).toWellFormed(),
  length: text.length,
  sessionId,
  updatedAt,
})
