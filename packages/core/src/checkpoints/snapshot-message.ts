/** What a snapshot's commit says of it, and the name of its ref. */
import { isJsonObject } from '../json.ts'
import type { Snapshot, SnapshotKind, SnapshotRequest } from '../ports/snapshot-repository.ts'

/** Below this are the refs of snapshots: `refs/cairn/<session>/<id>`. */
export const SNAPSHOT_REFS = 'refs/cairn/'
/** The ref of what was seen last, for comparisons; no snapshot that anybody made. */
export const CURRENT_REF = 'refs/cairn-current/files'
/** As CURRENT_REF, where only some paths were looked at: the cache of the whole folder stands on the other one. */
export const CURRENT_PATHS_REF = 'refs/cairn-current/paths'

/** Characters of a session's id in a ref; file names end at 255 bytes. */
const LONGEST_PART = 120

/** A text as one part of a ref's name: letters, digits and dashes; all else as `_` and its code. */
const refPart = (text: string): string =>
  text
    .slice(0, LONGEST_PART)
    .replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, LONGEST_PART)

/** The ref of a snapshot, by session (`none` without one) and id. Characters that no ref may have are replaced. */
export const snapshotRef = ({ id, sessionId }: Pick<SnapshotRequest, 'id' | 'sessionId'>): string =>
  `${SNAPSHOT_REFS}${sessionId === null || sessionId === '' ? 'none' : refPart(sessionId)}/${refPart(id)}`

/** What a snapshot's commit says beside what was asked for. */
type SnapshotFacts = Pick<Snapshot, 'files' | 'bytes' | 'paths'>

/** The message of a snapshot's commit: JSON in ASCII, everything else escaped. {@link parseSnapshotMessage} reads it. */
export const snapshotMessage = (request: SnapshotRequest, { files, bytes, paths }: SnapshotFacts): string =>
  JSON.stringify({ version: 1, ...request, files, bytes, ...(paths === null ? {} : { paths }) }).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const KINDS: readonly SnapshotKind[] = ['manual', 'agent', 'before-restore']

/** Reads a commit's message; undefined for one that is no snapshot's. */
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
