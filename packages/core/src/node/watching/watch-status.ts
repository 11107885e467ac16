/** How following transcripts stands, for programs that show it all the time. */
import { hostname } from 'node:os'
import { messageOf } from '../../errors.ts'
import type { LeaseOwner } from '../../watching/lease.ts'
import type { WatchEvent } from './watch-events.ts'

export type WatchStatus =
  /** Nobody here follows; `reason` is a sentence. */
  | { readonly state: 'off'; readonly reason: string }
  /** What is there already is taken in. */
  | { readonly state: 'starting'; readonly transcripts: number; readonly trouble?: string }
  | { readonly state: 'following'; readonly transcripts: number; readonly trouble?: string }
  | { readonly state: 'standby'; readonly owner: LeaseOwner | undefined; readonly trouble?: string }

/** What a program shows: a few words, and what they mean in one or two sentences. */
export interface WatchStatusText {
  readonly text: string
  readonly detail: string
  readonly isTrouble: boolean
}

/** How it stands before the first event. */
export const STARTING: WatchStatus = { state: 'starting', transcripts: 0 }

/**
 * The status of a watch after one more event; the same object after events that don't change it. `status` is not
 * changed. `following`, `standby` and `recovered` end what was in trouble; `sentenceOf` words an error for people.
 */
export const watchStatusAfter = (
  status: WatchStatus,
  event: WatchEvent,
  sentenceOf: (error: unknown) => string = messageOf,
): WatchStatus => {
  switch (event.type) {
    case 'standby':
      return { state: 'standby', owner: event.owner }
    case 'transcripts':
      return status.state === 'following'
        ? { ...status, transcripts: event.count }
        : { ...troubleOf(status), state: 'starting', transcripts: event.count }
    case 'following':
      return {
        state: 'following',
        transcripts: status.state === 'starting' || status.state === 'following' ? status.transcripts : 0,
      }
    case 'trouble':
      return { ...(status.state === 'off' ? STARTING : status), trouble: sentenceOf(event.error) }
    case 'recovered':
      return withoutTrouble(status)
    default:
      return status
  }
}

const troubleOf = (status: WatchStatus): { readonly trouble?: string } =>
  status.state === 'off' || status.trouble === undefined ? {} : { trouble: status.trouble }

/** The status without its trouble; one that is off as it is. */
const withoutTrouble = (status: WatchStatus): WatchStatus => {
  if (status.state === 'off') return status
  const { trouble: _, ...rest } = status
  return rest
}

const counted = (transcripts: number): string =>
  `${transcripts.toLocaleString('en-US')} ${transcripts === 1 ? 'transcript' : 'transcripts'}`

/**
 * The words for a status, for people. `subject`: who takes transcripts in, such as `This dashboard`. In trouble only
 * that is told, and `isTrouble` is true; being off is no trouble.
 */
export const watchStatusText = (status: WatchStatus, subject: string): WatchStatusText => {
  const words = plainText(status, subject)
  const trouble = status.state === 'off' ? undefined : status.trouble
  return trouble === undefined
    ? { ...words, isTrouble: false }
    : { text: 'Nothing new can be taken in', detail: `${trouble} It is tried again.`, isTrouble: true }
}

/** The status in words, without trouble. `subject` is the program that follows. */
const plainText = (status: WatchStatus, subject: string): Omit<WatchStatusText, 'isTrouble'> => {
  switch (status.state) {
    case 'off':
      return { text: 'Not following transcripts', detail: status.reason }
    case 'starting':
      return {
        text: `Taking in ${counted(status.transcripts)}`,
        detail: `${subject} takes in what your agents have written so far, and then what they write.`,
      }
    case 'following':
      return {
        text: `Following ${counted(status.transcripts)}`,
        detail: `${subject} takes in what your agents write, within a second.`,
      }
    case 'standby': {
      const { owner } = status
      const who = owner?.program ?? 'another program'
      const which =
        owner === undefined
          ? ''
          : owner.host === hostname()
            ? ` (process ${owner.pid})`
            : ` (process ${owner.pid} on ${owner.host})`
      return {
        text: `Followed by ${who}`,
        detail: `Transcripts are taken in by ${who}${which}. ${subject} takes over when that ends.`,
      }
    }
  }
}
