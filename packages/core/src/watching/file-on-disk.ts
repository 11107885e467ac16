/** What a file on disk shows against what a session knew of it last: after the fact, when nobody watched. */
import type { ChangeVerdict, FileContent } from './attribution-types.ts'

export interface LastKnown {
  /** When the session touched the file last, ms; null where its log has no times. */
  readonly at: number | null
  /** What it held then; undefined where the log does not tell. */
  readonly content: FileContent | undefined
}

export interface DiskFile {
  readonly modifiedAt: number
  /** Undefined: it was not read. */
  readonly content: FileContent | undefined
}

/** Another session that edited the file after this one. */
export interface OtherEdit {
  readonly agent: string
  readonly sessionId: string
  readonly at: number
}

/** What speaks for somebody, beside content and times. */
export interface ChangeEvidence {
  /** The newest edit by another session since. */
  readonly other: OtherEdit | null
  /** A git command left the file as it is. */
  readonly isByGit: boolean
  /** A command of the session's own agent ran when the file was written, and named it or did not. */
  readonly command: 'named' | 'running' | null
}

export const NO_EVIDENCE: ChangeEvidence = { other: null, isByGit: false, command: null }

/**
 * `same`: nothing speaks for a change. `changed`: it holds something else, or was written to since and the log does not tell what
 * it held. `gone`: there is no such file. `unknown`: the log has no time and no content to compare with.
 */
export type DiskState = 'same' | 'changed' | 'gone' | 'unknown'

export interface DiskCheck {
  readonly state: DiskState
  /** Who, where it changed or is gone; null otherwise. */
  readonly verdict: ChangeVerdict | null
  /** The session whose agent it was, for `agent`. */
  readonly other: OtherEdit | null
  /** Time of the file's last write, ms; null: it is gone. */
  readonly modifiedAt: number | null
}

/** What a session's own write may set the file's time to after its log's time of the result, ms. */
const OWN_WRITE_MS = 1_500
const FORMATTER_MS = 3_000

/**
 * Compares a file with what a session last knew of it; `file` undefined: gone. By content where both are known; else by
 * time, of which up to 1.5 s after the session's own is the same. `evidence`: what else speaks for somebody. `verdict`
 * says who changed it, and is null where nothing changed or nothing can be told.
 */
export const checkOnDisk = (
  known: LastKnown,
  file: DiskFile | undefined,
  evidence: ChangeEvidence = NO_EVIDENCE,
): DiskCheck => {
  if (file === undefined) return { state: 'gone', ...who(evidence, 'unsure'), modifiedAt: null }
  const { modifiedAt, content } = file
  const quiet = { verdict: null, other: null, modifiedAt }
  const since = known.at === null ? null : modifiedAt - known.at
  if (known.content !== undefined && content !== undefined) {
    if (known.content.hash === content.hash) return { state: 'same', ...quiet }
    const isForm = known.content.shape !== undefined && known.content.shape === content.shape
    if (isForm && since !== null && since <= FORMATTER_MS)
      return { state: 'changed', verdict: 'formatter', other: null, modifiedAt }
    const stranger = since !== null && since > OWN_WRITE_MS ? 'person' : 'unsure'
    return { state: 'changed', ...who(evidence, stranger), modifiedAt }
  }
  if (since === null) return { state: 'unknown', ...quiet }
  return since <= OWN_WRITE_MS
    ? { state: 'same', ...quiet }
    : { state: 'changed', ...who(evidence, 'unsure'), modifiedAt }
}

/** The evidence that says most decides; a command that does not name the file makes everybody else doubtful. */
const who = (
  { other, isByGit, command }: ChangeEvidence,
  stranger: 'person' | 'unsure',
): Pick<DiskCheck, 'verdict' | 'other'> => {
  if (isByGit) return { verdict: 'git', other: null }
  if (command === 'named') return { verdict: 'agent-tool', other: null }
  if (other !== null) return { verdict: 'agent', other }
  return { verdict: command === 'running' ? 'unsure' : stranger, other: null }
}
