/** The sessions that read or edited a file, the last first. */
import { relativePath } from '@cairn/core'
import type { FileTouch, SessionSummary, Store } from '@cairn/core'

/** The file whose sessions are looked for. */
export interface FileQuestion {
  /** The project, as the store names it; absolute. */
  readonly project: string
  /** Relative to the project, with `/`. */
  readonly path: string
}

/** A session that edited or read the file. */
export interface FileSession {
  readonly session: SessionSummary
  /** Calls that edited it, and that read it. */
  readonly edits: number
  readonly reads: number
  /** The newest touch: its time (ms, null where not known) and the message that did it. */
  readonly at: number | null
  readonly seq: number
  /** The message of the newest edit; undefined where it was only read. */
  readonly editSeq: number | undefined
}

/** Touches that are looked at, the newest. */
const MOST_TOUCHES = 2_000

/**
 * Whether a path is the file's, and not that of a file with the same name in another folder of the project. The same
 * file in another work tree counts.
 */
export const isSameFile = ({ path }: Pick<FileTouch, 'path'>, question: FileQuestion): boolean => {
  const name = relativePath(path, question.project)
  const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(name)
  return name === question.path || (isAbsolute && name.endsWith(`/${question.path}`))
}

/** The counts of one session while its touches are added up. */
interface Counted {
  edits: number
  reads: number
  readonly newest: FileTouch
  editSeq: number | undefined
}

/**
 * Returns the sessions that edited or read the file, the one with the newest touch first; sessions that only mentioned
 * it are left out. Looks at the newest 2,000 touches. Rejects as the store does.
 */
export const sessionsOfFile = async (
  { search, sessions }: Pick<Store, 'search' | 'sessions'>,
  question: FileQuestion,
): Promise<readonly FileSession[]> => {
  const { project, path } = question
  const touches = await search.touches({ file: path, workspace: project, limit: MOST_TOUCHES })
  const counts = new Map<string, Counted>()
  // The newest come first.
  for (const touch of touches) {
    if (touch.operation === 'mention' || !isSameFile(touch, question)) continue
    const count = counts.get(touch.sessionId) ?? { edits: 0, reads: 0, newest: touch, editSeq: undefined }
    counts.set(touch.sessionId, count)
    if (touch.operation === 'edit') {
      count.edits += 1
      count.editSeq ??= touch.seq
    } else count.reads += 1
  }
  const found = await Promise.all(
    [...counts].map(async ([id, { edits, reads, newest, editSeq }]): Promise<readonly FileSession[]> => {
      const session = await sessions.get(id)
      return session === undefined ? [] : [{ session, edits, reads, at: newest.at, seq: newest.seq, editSeq }]
    }),
  )
  return found.flat()
}
