/** The messages of a view that a search counts: those that workspace, session, agent and time let through. */
import type { View } from './view.ts'

/** Conditions on what is counted. */
export interface CorpusLimits {
  /** Numbers (of the store) of the sessions that are let through; absent: all. */
  readonly sessions?: ReadonlySet<number>
  /** From this time (ms) on, and before this one. Either excludes messages without a time. */
  readonly since?: number
  readonly until?: number
}

/** The counted messages and their totals. */
export interface Corpus {
  /** By passage, 1: counted. Undefined: all are. */
  readonly allowed: Uint8Array | undefined
  readonly messages: number
  readonly passages: number
  readonly sessions: number
  readonly tokens: number
}

/**
 * The messages of a view that fit the limits of session and time, with their counts; `allowed` is undefined where that
 * is all of them. `since` is included, `until` is not; a message without a time fits no limit of time.
 */
// eslint-disable-next-line complexity -- one pass over all messages of a large store, which calls would slow down
export const selectCorpus = (view: View, { sessions, since, until }: CorpusLimits): Corpus => {
  if (sessions === undefined && since === undefined && until === undefined) {
    return {
      allowed: undefined,
      messages: view.messages,
      passages: view.passages,
      sessions: view.sessions.length,
      tokens: view.tokens,
    }
  }
  const allowed = new Uint8Array(view.passages)
  const hasMessage = new Uint8Array(view.sessions.length)
  const [from, to] = [since ?? -Infinity, until ?? Infinity]
  const anyTime = since === undefined && until === undefined
  let [messages, passages, tokens] = [0, 0, 0]
  for (const { segment, passageBase } of view.segments) {
    for (let run = 0; run < segment.runSession.length; run += 1) {
      if (sessions?.has(segment.runSession[run] as number) === false) continue
      for (
        let message = segment.runStart[run] as number;
        message < (segment.runStart[run + 1] as number);
        message += 1
      ) {
        const at = segment.at[message] as number
        if (!anyTime && !(at >= from && at < to)) continue
        const [first, end] = [segment.firstPassage[message] as number, segment.firstPassage[message + 1] as number]
        messages += 1
        passages += end - first
        hasMessage[view.sessionOf[passageBase + first] as number] = 1
        for (let passage = first; passage < end; passage += 1) {
          allowed[passageBase + passage] = 1
          tokens += segment.passageTokens[passage] as number
        }
      }
    }
  }
  return { allowed, messages, passages, sessions: hasMessage.reduce((sum, one) => sum + one, 0), tokens }
}
