/** The command that undoes what was appended after a session's newest message. */
import { liveEntries, planRewind } from '@cairn/core'
import type { LogEntry, MessageEntry } from '@cairn/core'
import { shellCommand, shellOption } from '../output/shell-word.ts'
import { shortIds } from './context-session.ts'

/** Whether an entry is a message of the main conversation. */
const isMain = (entry: LogEntry): entry is MessageEntry => entry.kind === 'message' && entry.subagent === undefined

/**
 * The rewind that takes back what is appended now, ready to paste: to the newest message where nothing but notices would
 * leave with it, else to the last entry; undefined for an empty log. Runs nothing. `id` and `store` are as `sessionText`
 * gives them: the id not quoted, the store an option's text with a blank before, or ''. `now` in ms.
 * @param entries the log before anything is appended
 */
export const undoCommand = (
  entries: readonly LogEntry[],
  { id, program, store }: { readonly id: string; readonly program: string; readonly store: string },
  now: number,
): string | undefined => {
  const last = entries.at(-1)
  if (last === undefined) return undefined
  const target = newestMessage(entries, now) ?? `#${last.seq}`
  return shellCommand(`${program} session rewind`, id, `${shellOption('--to', target)}${store}`)
}

/**
 * Returns the short id of the newest message in force; undefined if there is none, and if a rewind to it would remove
 * more than notices or bring something back.
 */
const newestMessage = (entries: readonly LogEntry[], now: number): string | undefined => {
  const newest = liveEntries(entries).findLast(isMain)
  if (newest === undefined) return undefined
  const { left, back } = planRewind({ message: newest.id }, entries, now)
  // Notices, such as those of billed requests, are no part of the conversation.
  if (back.length > 0 || left.some(({ kind }) => kind !== 'notice')) return undefined
  return shortIds(entries.filter(isMain).map((message) => message.id)).get(newest.id)
}
