/** What a session did that later ones may do again: the checks it ran, the files it began with, the files it edited. */
import { relativePath } from '../file-activity/file-activity.ts'
import { fileOperationsOf, shellCommandOf, toolCallIn } from '../file-activity/file-tools.ts'
import type { LogEntry } from '../session-log.ts'
import { checkCommandsIn } from './check-commands.ts'

export interface SessionHabits {
  /** Each check with the message that ran it first. */
  readonly checks: ReadonlyMap<string, string>
  /** Files of the first calls, relative to the workspace, with the message that named each first. */
  readonly firstFiles: ReadonlyMap<string, string>
  /** All files that were read or edited. */
  readonly files: ReadonlySet<string>
  /** Files that were edited, the last edited at the end, with the message that edited each last. */
  readonly edited: ReadonlyMap<string, string>
}

/** Tool calls that count as a session's beginning. */
const FIRST_CALLS = 10

/**
 * The habits of a session: its checks, the files of its first `FIRST_CALLS` calls and all files, as relative paths,
 * each with the message it was first seen in; edited ones in the order of their last edit. Reads the messages of the
 * log; other entries are passed over. Paths outside of the workspace are left out.
 */
export const habitsOf = (entries: readonly LogEntry[], workspace: string): SessionHabits => {
  const checks = new Map<string, string>()
  const firstFiles = new Map<string, string>()
  const edited = new Map<string, string>()
  const files = new Set<string>()
  let calls = 0
  for (const entry of entries) {
    if (entry.kind !== 'message') continue
    for (const block of entry.content) {
      const call = toolCallIn(block)
      if (call === undefined) continue
      calls += 1
      for (const check of checkCommandsIn(shellCommandOf(call) ?? ''))
        if (!checks.has(check)) checks.set(check, entry.id)
      for (const { path, operation } of fileOperationsOf(call)) {
        const inside = relativePath(path, workspace)
        if (!isInside(inside)) continue
        files.add(inside)
        if (calls <= FIRST_CALLS && !firstFiles.has(inside)) firstFiles.set(inside, entry.id)
        if (operation !== 'edit') continue
        edited.delete(inside)
        edited.set(inside, entry.id)
      }
    }
  }
  return { checks, firstFiles, files, edited }
}

/** Whether a path that was made relative lies below the workspace. */
const isInside = (path: string): boolean =>
  path !== '' && !/^(?:[/~]|[A-Za-z]:)/.test(path) && !path.split('/').includes('..')
