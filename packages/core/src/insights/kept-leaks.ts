/** Leaks of sessions, kept in the store until the session grows or is priced again. */
import { arrayOf, isJsonObject, objectOf, type JsonObject, type JsonValue } from '../json.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { BREAK_CAUSES, type BreakCause } from './break-causes.ts'
import { LEAKS } from './leaks.ts'
import type { LeakRequest, SessionLeak, SessionLeaks } from './session-leaks.ts'

/** What they are found by: another number where the rules change. */
const VERSION = 5
const KEY = 'insights:leaks'

/** Whatever a session's leaks follow from: what was kept for other facts is found again. */
export const factsOf = ({ entries, requests, costNano, missingOutputCostNano }: SessionSummary): string =>
  [VERSION, entries, requests, costNano, missingOutputCostNano].join(' ')

const scopeOf = ({ id }: Pick<SessionSummary, 'id'>): StateScope => ({ tier: 'session', sessionId: id })

/**
 * What was kept for the session as it is now; undefined where nothing was, where it has grown or was priced again
 * since, and for short sessions, which are never kept. Never rejects: what can't be read counts as not kept.
 */
export const keptLeaks = async (
  state: Pick<StateStorage, 'get'>,
  session: SessionSummary,
): Promise<SessionLeaks | undefined> => {
  if (session.entries < LEAST_ENTRIES) return undefined
  // What can't be read is found again: it is derived from the log, and never the only copy.
  const stored = objectOf(await state.get(scopeOf(session), KEY).catch(() => undefined))
  return stored.facts === factsOf(session) ? readLeaks(stored) : undefined
}

/** Shorter logs are looked at again: that is as quick as a write. */
const LEAST_ENTRIES = 100

/**
 * Keeps a long session's leaks in its state; does nothing for a short one, and where the store can't be written.
 * Never rejects.
 */
export const keepLeaks = async (
  state: Pick<StateStorage, 'set'>,
  session: SessionSummary,
  found: SessionLeaks,
): Promise<void> => {
  if (session.entries < LEAST_ENTRIES) return
  const workspaces = [...new Set(found.requests.flatMap(({ workspace }) => (workspace === null ? [] : [workspace])))]
  const value: JsonObject = {
    facts: factsOf(session),
    workspaces,
    at: found.requests.map(({ at }) => at),
    in: found.requests.map(({ workspace }) => (workspace === null ? -1 : workspaces.indexOf(workspace))),
    numbers: found.requests.map(({ number }) => number),
    seqs: found.requests.map(({ seq }) => seq),
    leaks: found.leaks.map(({ kind, paid, dearest, causes }) => ({
      kind,
      paid: paid.flat(),
      dearest: dearest.flat(),
      causes,
    })),
  }
  await state.set(scopeOf(session), new Map<string, JsonValue>([[KEY, value]])).catch(() => undefined)
}

/**
 * Reads stored leaks; undefined if any is of an unknown kind or no object. A damaged number is replaced by its place,
 * an unknown cause is `unknown`, a damaged time, workspace or seq is null.
 */
const readLeaks = (stored: JsonObject): SessionLeaks | undefined => {
  const workspaces = arrayOf(stored.workspaces)
  const workspaceOf = arrayOf(stored.in)
  const numbers = arrayOf(stored.numbers)
  const seqs = arrayOf(stored.seqs)
  const requests = arrayOf(stored.at).map((at, index): LeakRequest => {
    const [workspaceIndex, number, seq] = [workspaceOf[index], numbers[index], seqs[index]]
    const workspace = typeof workspaceIndex === 'number' ? workspaces[workspaceIndex] : undefined
    return {
      at: typeof at === 'number' ? at : null,
      workspace: typeof workspace === 'string' ? workspace : null,
      number: typeof number === 'number' ? number : index + 1,
      seq: typeof seq === 'number' ? seq : null,
    }
  })
  const leaks = arrayOf(stored.leaks).flatMap((leak): readonly SessionLeak[] => {
    if (!isJsonObject(leak)) return []
    const kind = LEAKS.find((row) => row.kind === leak.kind)?.kind
    if (kind === undefined) return []
    return [{ kind, paid: pairsOf(leak.paid), dearest: pairsOf(leak.dearest), causes: causesOf(leak.causes) }]
  })
  return leaks.length === arrayOf(stored.leaks).length ? { requests, leaks } : undefined
}

const causesOf = (value: JsonValue | undefined): readonly BreakCause[] =>
  arrayOf(value).map((name) => BREAK_CAUSES.find(({ cause }) => cause === name)?.cause ?? 'unknown')

/**
 * Numbers of a stored list in pairs; an odd one at the end is left out. Empty for what is no list; other values in it
 * are left out.
 */
const pairsOf = (value: JsonValue | undefined): readonly (readonly [number, number])[] => {
  const numbers = arrayOf(value).filter((item) => typeof item === 'number')
  const pairs: (readonly [number, number])[] = []
  for (let index = 0; index + 1 < numbers.length; index += 2) pairs.push([numbers[index] ?? 0, numbers[index + 1] ?? 0])
  return pairs
}
