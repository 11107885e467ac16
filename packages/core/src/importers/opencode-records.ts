/** Which messages of OpenCode's storages are taken in, and as which records: a message is rewritten until it is finished. */
import { parseJson } from '../json.ts'

/** A message of a session as far as is known before its content is read. */
export interface MessageHead {
  readonly id: string
  /** When it was made, ms. */
  readonly time: number
  /** Of a message that can't be read it is not known. */
  readonly role: string | undefined
  /** OpenCode has said that it is finished, or that it failed. */
  readonly isDone: boolean
  /** ms. */
  readonly changedAt: number
  /** Of a summary: the message that asked for it, with what stays beside it. */
  readonly summaryOf?: string
}

/** After so long, ms, nobody goes on with a message that was not finished: its program ended before. */
const ABANDONED_MS = 24 * 60 * 60_000

/** The order of a session's messages: by time, then by id. */
export const compareHeads = (left: Pick<MessageHead, 'id' | 'time'>, right: Pick<MessageHead, 'id' | 'time'>): number =>
  left.time - right.time || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)

/**
 * How many of a session's messages, in order, are finished. A user's message is once another follows, a reply once it
 * says so or another reply follows; what comes after one that is not waits for it, so that the log keeps the order.
 * What has not changed for `ABANDONED_MS` counts as finished.
 */
export const finishedCount = (heads: readonly MessageHead[], now: number): number => {
  let lastReply = heads.length - 1
  while (lastReply >= 0 && heads[lastReply]?.role !== 'assistant') lastReply--
  const open = heads.findIndex(({ role, isDone, changedAt }, index) => {
    const isFollowed = role === 'user' ? index < heads.length - 1 : index < lastReply
    return !(isFollowed || (isDone && role !== 'user') || now - changedAt > ABANDONED_MS)
  })
  return open < 0 ? heads.length : open
}

/** Bytes of a message's parts that are taken, so that its record is no longer than a line may be. */
const PART_BYTES = 24 << 20

/** A session's own facts as a record holds them, under OpenCode's names for them. */
export interface SessionRecord {
  readonly id: string
  readonly title?: string
  readonly directory?: string
  readonly parentID?: string
  /** The parent's parent, and so on; absent where there is none. */
  readonly ancestors?: readonly string[]
  readonly version?: string
  readonly branch?: string
}

/** The id of a session as it is safe in a path. */
export const SESSION_ID = /^ses_[^/\\]+$/

/** Subagents are hardly nested deeper; also a circle of parents ends. */
export const MOST_ANCESTORS = 20

/** A message as it is stored: each text is the JSON of its own file or row. */
export interface StoredMessage {
  readonly id: string
  readonly isFirst: boolean
  readonly info: string
  readonly parts: readonly string[]
  /** Of a summary: the parts of the message that asked for it. */
  readonly asked?: readonly string[]
}

const encoder = new TextEncoder()

/** The record of a session without a message, as JSON in UTF-8: it brings a new title. */
export const sessionRecord = (session: SessionRecord): Uint8Array => encoder.encode(JSON.stringify({ session }))

/** The record of a message, as UTF-8. Each text must be JSON, which is not checked; it is taken as it stands. */
export const messageRecord = (session: SessionRecord, message: StoredMessage): Uint8Array => {
  const { id, isFirst, info, parts, asked } = message
  const fields = [
    `"session":${JSON.stringify(session)}`,
    `"id":${JSON.stringify(id)}`,
    `"isFirst":${String(isFirst)}`,
    `"info":${info}`,
    `"parts":[${parts.join(',')}]`,
    ...(asked === undefined ? [] : [`"asked":[${asked.join(',')}]`]),
  ]
  return encoder.encode(`{${fields.join(',')}}`)
}

/**
 * Gathers the JSON texts of a message's parts in `parts`, up to 24 MiB together: ask `hasSpace` before `add`, which
 * counts the part as left out where there is none. Damaged or missing ones are left out, too; `notices` tells of both.
 */
export const createPartList = () => {
  const parts: string[] = []
  const left = { large: 0, damaged: 0 }
  let bytes = 0
  return {
    parts,
    /** Whether a part of so many bytes can be taken. */
    hasSpace: (size: number): boolean => {
      if (bytes + size <= PART_BYTES) return true
      left.large++
      return false
    },
    add: (text: string | undefined): void => {
      if (text === undefined || parseJson(text) === undefined) {
        left.damaged++
        return
      }
      parts.push(text)
      bytes += text.length
    },
    /** What was left out, in words. */
    notices: (): readonly string[] => [
      ...(left.large === 0 ? [] : [`parts of a message that are over ${PART_BYTES >> 20} MiB together`]),
      ...(left.damaged === 0 ? [] : ['a part of a message that is not valid JSON']),
    ],
  }
}
