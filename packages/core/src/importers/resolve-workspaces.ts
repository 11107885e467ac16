/** Replaces the working folders that a parser named by the projects they belong to on this machine. */
import type { SessionBatch } from '../ports/import-storage.ts'
import type { EntryWrite } from '../ports/session-storage.ts'

/**
 * The sessions with the workspaces of their own and their requests resolved to projects; with `given` as they are. A
 * request in a folder inside the session's workspace was counted to that by the parser already. `workspaceOf` is asked
 * once for each folder, and its rejection is passed on. Where no folder is replaced it is the same list.
 */
export const resolveWorkspaces = async (
  sessions: readonly SessionBatch[],
  kind: 'folder' | 'given',
  workspaceOf: (folder: string) => Promise<string>,
): Promise<readonly SessionBatch[]> => {
  if (kind === 'given') return sessions
  const folders = new Set<string>()
  for (const { session, writes } of sessions) {
    if (session.workspace !== undefined) folders.add(session.workspace)
    for (const { request } of writes) if (request?.workspace !== undefined) folders.add(request.workspace)
  }
  const moved = new Map<string, string>()
  for (const folder of folders) {
    const workspace = await workspaceOf(folder)
    if (workspace !== folder) moved.set(folder, workspace)
  }
  if (moved.size === 0) return sessions

  const target = (folder: string | undefined): string | undefined =>
    folder === undefined ? undefined : moved.get(folder)
  /** The write with the new folder of its request; as it is where the folder stays, or it has no request. */
  const moveWrite = (write: EntryWrite): EntryWrite => {
    const workspace = target(write.request?.workspace)
    return write.request === undefined || workspace === undefined
      ? write
      : { ...write, request: { ...write.request, workspace } }
  }
  return sessions.map(({ session, writes }) => {
    const workspace = target(session.workspace)
    return {
      session: workspace === undefined ? session : { ...session, workspace },
      writes: writes.map(moveWrite),
    }
  })
}
