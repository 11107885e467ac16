/**
 * The ids under which an import counts Codex's requests. They are made of the session's running total, which no request
 * holds; so its rollout is read as an import would read it, and the request is looked up there by its reply's id, or, of a
 * Codex that writes none, by its counters.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { codexImporter } from '../../importers/codex.ts'
import type { FileParser } from '../../importers/importer.ts'
import { isJsonObject, objectOf, parseJson, stringOf } from '../../json.ts'
import type { Hasher } from '../../ports/hasher.ts'
import { pickTokens, type TokenUsage } from '../../ports/price-book.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { readNewLines } from '../new-lines.ts'

/** How long Codex may take to write down a reply, ms. */
const WRITTEN_MS = 5_000
const BETWEEN_LOOKS_MS = 100
/** Rollouts that are followed at once. */
const MOST_FILES = 50

export interface CodexCalls {
  /**
   * The call's id in the rollout; undefined where the rollout does not have the request, also a moment later. Each request
   * of a rollout is given once. Never rejects.
   */
  idOf(path: string, responseId: string | undefined, usage: TokenUsage): Promise<string | undefined>
}

/** A request of a rollout that nobody has asked for. */
interface ToldRequest {
  readonly responseId: string | undefined
  readonly fact: RequestFact
}

/** A rollout as far as it was read. */
interface Rollout {
  readonly parser: FileParser
  readonly told: ToldRequest[]
  offset: number
  line: number
}

/** @param signal aborted: nothing is waited for any more */
export const createCodexCalls = (hasher: Hasher, signal: AbortSignal): CodexCalls => {
  const rollouts = new Map<string, Rollout>()
  const rolloutAt = (path: string): Rollout => {
    const known = rollouts.get(path) ?? { parser: codexImporter.parser({ path, hasher }), told: [], offset: 0, line: 0 }
    rollouts.delete(path)
    rollouts.set(path, known)
    for (const oldest of rollouts.keys()) {
      if (rollouts.size <= MOST_FILES) break
      rollouts.delete(oldest)
    }
    return known
  }
  return {
    idOf: async (path, responseId, usage) => {
      const rollout = rolloutAt(path)
      const counters = countersOf(usage)
      for (const end = performance.now() + WRITTEN_MS; ;) {
        await readOn(path, rollout).catch(() => undefined)
        const found = rollout.told.findIndex((one) =>
          one.responseId === undefined || responseId === undefined
            ? countersOf(one.fact) === counters
            : one.responseId === responseId,
        )
        if (found !== -1) return rollout.told.splice(found, 1)[0]?.fact.callId
        if (signal.aborted || performance.now() > end) return undefined
        await wait(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

const countersOf = (usage: TokenUsage): string => {
  const { reasoningTokens: _part, ...tokens } = pickTokens(usage)
  return JSON.stringify(Object.entries(tokens).filter(([, count]) => count > 0))
}

/** Reads the whole lines that have come since. */
const readOn = async (path: string, rollout: Rollout): Promise<void> => {
  const { lines, offset } = await readNewLines(path, rollout.offset)
  for (const text of lines) takeLine(rollout, text)
  rollout.offset = offset
}

const takeLine = (rollout: Rollout, text: string): void => {
  const line = parseJson(text)?.value
  rollout.line += 1
  if (!isJsonObject(line)) return
  const { entries } = rollout.parser.parse(line, { number: rollout.line, identity: () => `line-${rollout.line}` })
  const responseId = stringOf(objectOf(line.payload).response_id)
  // Of several that a line tells, its own is the last.
  const facts = entries.flatMap(({ request }) => request ?? [])
  for (const [index, fact] of facts.entries())
    rollout.told.push({ fact, responseId: index === facts.length - 1 ? responseId : undefined })
}
