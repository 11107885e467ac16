/** When a session last read or changed a file, according to its log, for a process that resumes the session. */
import { fileOperationsOf } from '../../file-activity/file-tools.ts'
import type { LogEntry } from '../../session-log.ts'

const OWN_TOOLS: ReadonlySet<string> = new Set(['read_file', 'edit_file', 'write_file'])

/**
 * For each path, as named by calls of `read_file`, `edit_file` and `write_file`, the latest time (ms) at which its
 * content was known: for a read, the time of the call, because the file may have changed while the result was recorded;
 * for a change, the time of the result. Calls that failed or have no result don't count.
 */
export const fileTimes = (entries: readonly LogEntry[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  const waiting = new Map<string, { readonly path: string; readonly readAt: number | undefined }>()
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.at === null) continue
    for (const block of entry.content) {
      if (block.type === 'tool_call' && OWN_TOOLS.has(block.name)) {
        const [operation] = fileOperationsOf(block)
        if (operation !== undefined)
          waiting.set(block.id, {
            path: operation.path,
            readAt: operation.operation === 'read' ? entry.at : undefined,
          })
      } else if (block.type === 'tool_result') {
        const call = waiting.get(block.callId)
        waiting.delete(block.callId)
        if (call !== undefined && block.isError !== true)
          times.set(call.path, Math.max(times.get(call.path) ?? 0, call.readAt ?? entry.at))
      }
    }
  }
  return times
}
