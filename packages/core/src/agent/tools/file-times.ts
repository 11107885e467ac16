/** When a session last read or changed a file, by its log: what a process that resumes it did not see itself. */
import { fileOperationsOf } from '../../file-activity/file-tools.ts'
import type { LogEntry } from '../../session-log.ts'

const OWN_TOOLS: ReadonlySet<string> = new Set(['read_file', 'edit_file', 'write_file'])

/**
 * For each path, as calls name it, a time (ms) at which its content was known: of a read the call's, as it may have changed
 * while the result was written down; of a change the result's. Calls that failed, or have no result, say nothing.
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
