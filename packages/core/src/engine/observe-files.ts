/**
 * Records the state of the files in a session's context, so that changes can be detected later without a watcher: at
 * the next prompt, or after a restart.
 */
import type { Store } from '../ports/store.ts'
import { KNOWN_FILES_KEY, stampOf, storedKnownFiles } from '../watching/known-files.ts'
import type { KnownFile, KnownFiles, ReadTranscript } from '../watching/known-files.ts'
import { contentOfFile } from '../watching/compare-file.ts'
import { compareFiles, rootOf } from './compared-files.ts'
import type { CompareDeps, ComparedFile, FilesOfLog } from './compared-files.ts'

export interface ObserveDeps extends CompareDeps {
  readonly store: Pick<Store, 'sessions' | 'search' | 'state'>
}

/** Maximum number of files recorded, most recently touched first. */
const MOST_KEPT = 200
/** Maximum number of a session's transcripts, including subagents', whose sizes are recorded. */
const MOST_TRANSCRIPTS = 16

/**
 * Reads the session's active files, at most 200, and records their state and the sizes of the transcripts in `read`;
 * writes nothing if nothing changed. False, and nothing recorded, if the session's folder is not there. An earlier size
 * of a transcript is replaced; only the newest `MOST_TRANSCRIPTS` are kept.
 */
export const observeFiles = async (
  deps: ObserveDeps,
  log: FilesOfLog,
  before: KnownFiles | undefined,
  read: readonly ReadTranscript[],
): Promise<boolean> => {
  const workspace = await rootOf(deps, log)
  if (workspace === null) return false
  const files = log.files.filter(({ state }) => state === 'active').slice(0, MOST_KEPT)
  const compared = await compareFiles(deps, { ...log, workspace }, before, files)
  const kept = await Promise.all([...compared.values()].map((one) => knownFile(deps, one)))
  const others = before?.transcripts.filter(({ path }) => read.every((each) => each.path !== path)) ?? []
  const transcripts = [...others, ...read].slice(-MOST_TRANSCRIPTS)
  const after = storedKnownFiles({ workspace, transcripts, files: kept })
  if (before !== undefined && JSON.stringify(storedKnownFiles(before)) === JSON.stringify(after)) return true
  await deps.store.state.set({ tier: 'session', sessionId: log.sessionId }, new Map([[KNOWN_FILES_KEY, after]]))
  return true
}

/**
 * What the session knows of a file: the version on disk, with its stamp; if it was changed since the session touched
 * it, the version known before, without a stamp, and the change as far as it is known who made it (its stamp is `gone`
 * for a file that is not there).
 */
const knownFile = async (
  deps: CompareDeps,
  { file, known, found, content, check }: ComparedFile,
): Promise<KnownFile> => {
  const { path } = file
  const stamp = found.facts === undefined ? 'gone' : stampOf(found.facts)
  if (check.state === 'same')
    return { path, at: known.at, content: content ?? (await contentOfFile(deps, found)), stamp, change: undefined }
  const who = check.other?.agent ?? check.verdict
  return {
    path,
    at: known.at,
    content: known.content,
    stamp: undefined,
    change: who === null ? undefined : { stamp, who },
  }
}
