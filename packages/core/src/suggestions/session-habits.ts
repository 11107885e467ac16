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

/** Work trees of git within a project, as `git worktree add` and Claude Code are told to make them. */
const WORK_TREES = /^(?:\.claude\/worktrees|\.worktrees)\//

/**
 * The habits of a session: its checks and the files of its first `FIRST_CALLS` calls, each with the message it was
 * first seen in; all files; and the edited ones in the order of their last edit, with the message of that. Paths are
 * relative; those outside of the workspace are left out, those of a work tree within it are the project's own. Reads
 * the messages of the log; other entries are passed over.
 * @param branch the session's; a work tree may be called after it, slashes included
 */
export const habitsOf = (entries: readonly LogEntry[], workspace: string, branch: string | null): SessionHabits => {
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
        const inside = outOfWorkTree(relativePath(path, workspace), branch)
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

/**
 * A path as it is outside of a work tree: `.worktrees/fix/src/a.ts` is `src/a.ts`. Other paths stay. A branch in it
 * goes whole.
 */
const outOfWorkTree = (path: string, branch: string | null): string => {
  const folder = WORK_TREES.exec(path)?.[0]
  if (folder === undefined) return path
  const rest = path.slice(folder.length)
  return rest.slice(branch !== null && rest.startsWith(`${branch}/`) ? branch.length + 1 : rest.indexOf('/') + 1)
}

/** Whether a path that was made relative lies below the workspace. */
const isInside = (path: string): boolean =>
  path !== '' && !/^(?:[/~]|[A-Za-z]:)/.test(path) && !path.split('/').includes('..')
