/** The message of a snapshot's commit, and the name of its ref. */
import { isJsonObject } from '../json.ts'
import type { Snapshot, SnapshotKind, SnapshotRequest } from '../ports/snapshot-repository.ts'

/** The prefix of snapshot refs: `refs/cairn/<session>/<id>`. */
export const SNAPSHOT_REFS = 'refs/cairn/'
/** The ref of the last seen state, for comparisons; not a user's snapshot. */
export const CURRENT_REF = 'refs/cairn-current/files'
/** Like `CURRENT_REF`, after only some paths were checked: the cache of the whole folder refers to the other one. */
export const CURRENT_PATHS_REF = 'refs/cairn-current/paths'

/** Maximum characters of a session's id in a ref; file names are limited to 255 bytes. */
const LONGEST_PART = 120

/**
 * Encodes a text as one part of a ref's name: letters, digits and dashes; anything else as `_` and its code. Cut to
 * `LONGEST_PART` characters.
 */
const refPart = (text: string): string =>
  text
    .slice(0, LONGEST_PART)
    .replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, LONGEST_PART)

/** The ref of a snapshot, by session (`none` without one) and id. Characters that are invalid in refs are replaced. */
export const snapshotRef = ({ id, sessionId }: Pick<SnapshotRequest, 'id' | 'sessionId'>): string =>
  `${SNAPSHOT_REFS}${sessionId === null || sessionId === '' ? 'none' : refPart(sessionId)}/${refPart(id)}`

/** What a snapshot's commit records in addition to the request. */
type SnapshotFacts = Pick<Snapshot, 'files' | 'bytes' | 'paths'>

/**
 * The message of a snapshot's commit: JSON in ASCII, with everything else escaped. {@link parseSnapshotMessage} reads
 * it.
 */
export const snapshotMessage = (request: SnapshotRequest, { files, bytes, paths }: SnapshotFacts): string =>
  JSON.stringify({ version: 1, ...request, files, bytes, ...(paths === null ? {} : { paths }) }).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const KINDS: readonly SnapshotKind[] = ['manual', 'agent', 'before-restore']

/**
 * Parses the message of the commit with the id `commit`; undefined if it is not a snapshot's. A session, label or paths
 * that are absent or of another type become null.
 */
export const parseSnapshotMessage = (commit: string, text: string): Snapshot | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { id, sessionId, at, kind, label, files, bytes, paths: some } = value
    const known = KINDS.find((each) => each === kind)
    if (typeof id !== 'string' || typeof at !== 'number' || known === undefined) return undefined
    if (typeof files !== 'number' || typeof bytes !== 'number') return undefined
    const textOrNull = (each: unknown): string | null => (typeof each === 'string' ? each : null)
    const paths = Array.isArray(some) ? some.filter((path) => typeof path === 'string') : null
    const texts = { sessionId: textOrNull(sessionId), label: textOrNull(label) }
    return { id, at, kind: known, ...texts, commit, files, bytes, paths }
  } catch {
    return undefined
  }
}
