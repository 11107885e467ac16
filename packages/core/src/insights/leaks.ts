/** What a leak is: its kinds, how sure each is, and what to do about it. */
import type { UsageTotals } from '../ports/usage-storage.ts'
import type { BreakCause, CauseCertainty } from './break-causes.ts'
import type { ProjectFilter } from './project-filter.ts'

/** `certain`: by recorded tokens and prices. `estimate`: part of it is estimated. `upper-bound`: at most so much. */
export type Certainty = 'certain' | 'estimate' | 'upper-bound'

interface LeakRow {
  readonly kind: string
  /**
   * A view shows dollars that other leaks have, too, or that are in no total: never add it to anything. All others are
   * of different dollars: their sum stays within the total.
   */
  readonly view: boolean
  readonly certainty: Certainty
  /** A few words. */
  readonly title: string
  /** What it is, and what to do: sentences. */
  readonly advice: string
}

/** All leaks: first those that add up, then the views. */
export const LEAKS = [
  {
    kind: 'pause',
    view: false,
    certainty: 'certain',
    title: 'Cache lost over a pause',
    advice:
      'Compact before a break, or start a fresh session after it: the cache had expired, and all was written again.',
  },
  {
    kind: 'cache-break',
    view: false,
    certainty: 'certain',
    title: 'Cache lost without a pause',
    advice: 'The cache had not expired, and yet the context was written again: what to do depends on the cause.',
  },
  {
    kind: 'unused-results',
    view: false,
    certainty: 'upper-bound',
    title: 'Results no longer used',
    advice: 'Read parts of files and filter output: results were carried on after their last use.',
  },
  {
    kind: 're-read',
    view: false,
    certainty: 'estimate',
    title: 'Read again, unchanged',
    advice:
      'Tell the agent that it has the file: every line of these reads was in the context already. What carrying them cost is estimated from characters.',
  },
  {
    kind: 'rejected-calls',
    view: false,
    certainty: 'certain',
    title: 'Rejected calls',
    advice: 'Agree on a plan first: these calls were paid for, and then refused.',
  },
  {
    kind: 'prefix',
    view: true,
    certainty: 'certain',
    title: 'Instructions and tools',
    advice: 'Shorten instruction files and drop unused MCP servers: every request pays for them again.',
  },
  {
    kind: 'long-context',
    view: true,
    certainty: 'certain',
    title: 'Context beyond 100k',
    advice: 'A new task deserves a new session: this is what reading the tokens above 100,000 costs.',
  },
  {
    kind: 'compaction',
    view: true,
    certainty: 'estimate',
    title: 'Compaction',
    advice: 'Compact when a task ends, not within it: the new context is written, and known files are read again.',
  },
  {
    kind: 'subagents',
    view: true,
    certainty: 'certain',
    title: 'Subagents',
    advice: 'Let subagents run on a cheaper model where their task allows it.',
  },
  {
    kind: 'oversized-results',
    view: true,
    certainty: 'estimate',
    title: 'Oversized output',
    advice: 'Filter what commands and searches print: this is what results cost beyond their first 10,000 characters.',
  },
  {
    kind: 'interrupted',
    view: true,
    certainty: 'certain',
    title: 'Interrupted requests',
    advice: 'Plan before long work: these requests were cut off by the user.',
  },
  {
    kind: 'missing-output',
    view: true,
    certainty: 'estimate',
    title: 'Output not recorded',
    advice:
      'Of these replies the agent recorded fewer output tokens than their text needs. This estimate of the rest, at the output price of their models, is not in the cost: what was billed is that much higher.',
  },
] as const satisfies readonly LeakRow[]

export type LeakKind = (typeof LEAKS)[number]['kind']

/** The most expensive cases of a leak. */
export interface LeakExample {
  readonly sessionId: string
  /** When the request was made that it began with, ms; null where not known. */
  readonly at: number | null
  /** That request among all of the session in order of time, from 1, as tables of requests number them. */
  readonly request: number
  /** The entry of the log with that request's reply; null where it is not known. */
  readonly seq: number | null
  /** What the case cost in the session, nano-USD. */
  readonly costNano: bigint
  /** Why, where the kind has several causes; else null. */
  readonly cause: BreakCause | null
}

/** The part of a leak that has one cause. */
export interface LeakCause {
  readonly cause: BreakCause
  readonly title: string
  readonly certainty: CauseCertainty
  readonly advice: string
  readonly costNano: bigint
  readonly requests: number
  /** Its most expensive cases. */
  readonly examples: readonly LeakExample[]
}

export interface Leak {
  readonly kind: LeakKind
  readonly title: string
  readonly view: boolean
  readonly costNano: bigint
  /** Of the total cost, 0 … 1; 0 where nothing was paid. */
  readonly share: number
  readonly certainty: Certainty
  /** Requests that paid for it. */
  readonly requests: number
  readonly advice: string
  readonly examples: readonly LeakExample[]
  /** Its parts by cause, most expensive first: they add up to it. Empty for a kind that has one cause. */
  readonly causes: readonly LeakCause[]
}

/** Which requests are looked at. */
export interface LeakQuery extends ProjectFilter {
  /** From this time on, ms. */
  readonly since?: number
  /** Before this time, ms. */
  readonly until?: number
  readonly sessionId?: string
}

export interface LeakReport {
  /** All requests that the query asks for. */
  readonly total: UsageTotals
  /** Every kind, also those that cost nothing: first those that add up, then views; each most expensive first. */
  readonly leaks: readonly Leak[]
  /** What the leaks that add up cost together, nano-USD. */
  readonly leakedNano: bigint
}
