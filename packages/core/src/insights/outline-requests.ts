/** Which turn each request of a session belongs to: every request to exactly one, so that turns add up to the session. */
import type { StoredRequest } from '../ports/usage-storage.ts'
import type { LoggedSubagent, OutlineLog } from './outline-log.ts'

export interface AssignedRequest {
  readonly stored: StoredRequest
  /** From 1, in the order given. */
  readonly number: number
  /** Index of the turn. */
  readonly turn: number
  /** The first entry of its reply; null where it is not known, and for subagents. */
  readonly seq: number | null
}

/**
 * A function from a time (ms) to the index of the turn that was open then; the first one before all of them. 0 where no
 * turn has a time.
 */
const turnsByTime = ({ turns }: OutlineLog): ((at: number) => number) => {
  const timed = turns
    .flatMap(({ at }, index) => (at === null ? [] : [{ at, index }]))
    .sort((left, right) => left.at - right.at || left.index - right.index)
  return (at) => {
    let [low, high] = [0, timed.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((timed[middle]?.at ?? Infinity) <= at) low = middle + 1
      else high = middle
    }
    return timed[Math.max(0, low - 1)]?.index ?? 0
  }
}

/**
 * Assigns the requests of a session, in order of time, to its turns (by index). One of the main conversation goes where
 * its reply is (the message or note of its time; without a time the next undated reply), else to the turn that was open
 * at its time, else to the last; a subagent's to the turn in which the subagent began, by the log, else by its first
 * request. `turnOfSubagent` also has subagents without requests.
 */
export const assignRequests = (
  log: OutlineLog,
  stored: readonly StoredRequest[],
): { readonly requests: readonly AssignedRequest[]; readonly turnOfSubagent: ReadonlyMap<string, number> } => {
  const turnAt = turnsByTime(log)
  const last = Math.max(0, log.turns.length - 1)
  const turnOfSubagent = new Map<string, number>()
  /** Transcripts of subagents may be appended after the conversation: the time tells more than the position. */
  const began = ({ at, turn }: LoggedSubagent): number => (at === null ? turn : turnAt(at))
  for (const [name, subagent] of log.subagents) turnOfSubagent.set(name, began(subagent))
  let undated = 0
  const requests = stored.map((request, index): AssignedRequest => {
    const { at, subagent } = request
    const number = index + 1
    if (subagent !== null) {
      const turn = turnOfSubagent.get(subagent) ?? (at === null ? last : turnAt(at))
      turnOfSubagent.set(subagent, turn)
      return { stored: request, number, turn, seq: null }
    }
    const reply = at === null ? log.undatedReplies[undated++] : (log.repliesByTime.get(at) ?? log.notedReplies.get(at))
    return { stored: request, number, turn: reply?.turn ?? (at === null ? last : turnAt(at)), seq: reply?.seq ?? null }
  })
  return { requests, turnOfSubagent }
}
