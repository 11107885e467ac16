/**
 * The ids under which an import counts Codex's requests. They are made of the session's running total, which no request
 * holds; so its rollout is read as an import would read it, and the request is looked up there by its reply's id, or, of a
 * Codex that writes none, by its counters.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { codexImporter } from '../../importers/codex.ts'
import { objectOf, stringOf } from '../../json.ts'
import type { Hasher } from '../../ports/hasher.ts'
import { pickTokens, type TokenUsage } from '../../ports/price-book.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { createFollowedSessions } from '../followed-sessions.ts'

/** How long Codex may take to write down a reply, ms. */
const WRITTEN_MS = 5_000
const BETWEEN_LOOKS_MS = 100

export interface CodexCalls {
  /**
   * The call's id in the rollout; undefined where the rollout does not have the request, also a moment later: at `until`
   * (as `performance.now()` counts, default in five seconds). Each request of a rollout is given once. Never rejects.
   */
  idOf(path: string, responseId: string | undefined, usage: TokenUsage, until?: number): Promise<string | undefined>
}

/** A request of a rollout that nobody has asked for. */
interface ToldRequest {
  readonly responseId: string | undefined
  readonly fact: RequestFact
}

/**
 * Finds the id under which Codex's rollout counts a request: by the reply's id, or, where either side has none, as the
 * first one with the same counters. `idOf` waits for it to be written until its time is over, and then returns
 * undefined; a request that was given is not given again.
 * @param signal aborted: nothing is waited for any more
 */
export const createCodexCalls = (hasher: Hasher, signal: AbortSignal): CodexCalls => {
  const rolloutAt = createFollowedSessions({
    importer: codexImporter,
    hasher,
    begin: (): ToldRequest[] => [],
    take: (told, line, facts) => {
      const responseId = stringOf(objectOf(line.payload).response_id)
      // Of several that a line tells, its own is the last.
      for (const [index, fact] of facts.entries())
        told.push({ fact, responseId: index === facts.length - 1 ? responseId : undefined })
    },
  })
  return {
    idOf: async (path, responseId, usage, until = performance.now() + WRITTEN_MS) => {
      const rollout = rolloutAt(path)
      const told = rollout.known
      const counters = countersOf(usage)
      for (;;) {
        await rollout.readOn([path])
        const found = told.findIndex((one) =>
          one.responseId === undefined || responseId === undefined
            ? countersOf(one.fact) === counters
            : one.responseId === responseId,
        )
        if (found !== -1) return told.splice(found, 1)[0]?.fact.callId
        if (signal.aborted || performance.now() > until) return undefined
        await wait(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

/** A request's counters as one text, without reasoning (a part of the output) and without zeros. */
const countersOf = (usage: TokenUsage): string => {
  const { reasoningTokens: _part, ...tokens } = pickTokens(usage)
  return JSON.stringify(Object.entries(tokens).filter(([, count]) => count > 0))
}
