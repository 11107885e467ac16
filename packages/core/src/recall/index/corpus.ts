/** Which messages of a view count for a question: those that workspace, session, agent and time let through. */
import type { View } from './view.ts'

export interface CorpusLimits {
  /** Sessions (numbers of the store) that are let through; absent: all. */
  readonly sessions?: ReadonlySet<number>
  /** ms, from (included) and to (not included). Messages without a time are not let through by either. */
  readonly since?: number
  readonly until?: number
}

export interface Corpus {
  /** By passage, 1: counts. Undefined: all do. */
  readonly allowed: Uint8Array | undefined
  readonly messages: number
  readonly passages: number
  readonly sessions: number
  readonly tokens: number
}

export const corpusOf = (view: View, { sessions, since, until }: CorpusLimits): Corpus => {
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
