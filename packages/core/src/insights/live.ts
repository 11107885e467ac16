/** Sessions that are at work now, and how each stands. */
import type { WindowOrigin } from '../context/session-model.ts'
import type { NanoUsd } from '../money.ts'
import type { SessionQuery, SessionSummary } from '../ports/session-storage.ts'
import type { MonthlyBudget, MonthlyLimit } from './spending.ts'

/** A session is live for so long after its last message or action, ms. */
export const LIVE_MS = 600_000

export interface LiveQuery extends Pick<
  SessionQuery,
  'agent' | 'workspace' | 'project' | 'branch' | 'model' | 'text' | 'favourites'
> {
  /** What months may cost, asked for the projects of live sessions. Default: no session has a budget. */
  readonly limitsOf?: (projects: readonly string[]) => readonly MonthlyLimit[]
  /** IANA name; where months begin. Default UTC. */
  readonly timeZone?: string
}

/** A call of a tool. */
export interface LiveCall {
  readonly name: string
  /** The file, command or text that it is about, on one line and cut; '' where it has none. */
  readonly about: string
  /** ms; null where no time was recorded. */
  readonly at: number | null
  /** Who made it; null: the main conversation. */
  readonly subagent: string | null
}

export interface LiveActivity {
  /** `tool`: a call has no result yet. `model`: the model works on its answer. `person`: the reply is there, and it is a person's turn. */
  readonly state: 'tool' | 'model' | 'person'
  /** The call that runs, else the last one; null where there was none lately. */
  readonly call: LiveCall | null
}

/** How full the context is, by the newest request of the main conversation. */
export interface LiveContext {
  /** All of its input. */
  readonly tokens: number
  readonly window: number
  readonly windowFrom: WindowOrigin
}

/** What the provider keeps of the context. */
export interface LiveCache {
  readonly tokens: number
  /** When it is lost unless it is asked for, ms; it may be past. */
  readonly expiresAt: number
}

export interface LiveSession {
  readonly session: SessionSummary
  /** Of the newest request, or the one that was chosen since; null where none is known. */
  readonly model: string | null
  /** Null before the first request, and after a compaction until the next one. */
  readonly context: LiveContext | null
  /** At the pace of the last half hour's requests; null where these are less than ten minutes apart, or have no price. */
  readonly costNanoPerHour: NanoUsd | null
  /** Null where the end of the log has no message. */
  readonly activity: LiveActivity | null
  /** Null where nothing is known to be cached. */
  readonly cache: LiveCache | null
  /** That of its project, else that of all projects; null where none is set. */
  readonly budget: MonthlyBudget | null
}

export interface LiveSessions {
  /** The time that this is of, ms. */
  readonly now: number
  /** The latest first. */
  readonly sessions: readonly LiveSession[]
}
