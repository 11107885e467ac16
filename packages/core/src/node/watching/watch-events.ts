/** What following transcripts tells whoever listens. */
import type { ImportSkip } from '../../events.ts'
import type { ImportReport } from '../../importers/index.ts'
import type { NanoUsd } from '../../money.ts'
import type { LeaseOwner } from '../../watching/lease.ts'

/** What was taken in of one file. */
export interface WatchedImport {
  readonly file: string
  readonly agent: string
  readonly sessions: readonly string[]
  /** Of the last of the sessions; null where it is not known. */
  readonly workspace: string | null
  readonly newSessions: number
  readonly newMessages: number
  readonly newRequests: number
  /** By how much the sessions' cost has grown. */
  readonly costNano: NanoUsd
}

export type WatchEvent =
  /** Another program follows the same; undefined where it can't be told which. */
  | { readonly type: 'standby'; readonly owner: LeaseOwner | undefined }
  /** All that was there has been taken in, and what comes is followed. */
  | { readonly type: 'following'; readonly report: ImportReport; readonly roots: readonly string[] }
  /** How many transcripts there are; once before `following`, and when it has changed. */
  | { readonly type: 'transcripts'; readonly count: number }
  | { readonly type: 'import'; readonly import: WatchedImport }
  /** Left out of a file for good; what is only not finished yet is no event. */
  | { readonly type: 'skip'; readonly skip: ImportSkip }
  /** Something failed, and is tried again; told once until it works or fails for another reason. */
  | { readonly type: 'trouble'; readonly error: unknown }
  /** What failed works again. */
  | { readonly type: 'recovered' }
  /** The system's notices of changes don't cover all folders; the others are looked at every few seconds. */
  | { readonly type: 'unwatched' }
  /** As in EngineEvent. */
  | { readonly type: 'busy'; readonly isBusy: boolean }

export type WatchListener = (event: WatchEvent) => void
