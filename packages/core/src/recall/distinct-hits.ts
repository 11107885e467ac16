/** Hits that say the same are one hit: a text that was repeated is named with the first message that has it. */
import type { MessageReference, SearchHit } from '../ports/search-index.ts'
import type { Role } from '../messages.ts'
import type { MessageEntry } from '../session-log.ts'
import { messageOrigin } from '../user-words/user-words.ts'
import { searchableText } from '../text-analysis/message-text.ts'

/** The role of a message; `system` for text that a program wrote under the user's name. */
export const roleOf = (entry: MessageEntry): Role =>
  entry.role === 'user' && messageOrigin(entry) === 'meta' ? 'system' : entry.role

/** Shorter texts ("yes, go on") are said again each time, not repeated. */
const SHORTEST_REPEATED = 40

/** Hits in order, each text once. */
export class DistinctHits {
  readonly #hits: SearchHit[] = []
  /** By role and text: the hit, and by place the other messages with that text. */
  readonly #known = new Map<string, { readonly index: number; readonly others: Map<string, MessageReference> }>()

  get size(): number {
    return this.#hits.length
  }

  /**
   * Adds a hit. False, without adding it, for one with the role and text of an earlier one, which then names it; texts
   * under 40 characters are never taken for repeats.
   */
  add(hit: SearchHit): boolean {
    if (this.#repeat(hit)) return false
    if (hit.text.length >= SHORTEST_REPEATED)
      this.#known.set(keyOf(hit), { index: this.#hits.length, others: new Map() })
    this.#hits.push(hit)
    return true
  }

  /** Notes a message at the hit that has its role and text; without effect if none has. */
  addRepeat(sessionId: string, entry: MessageEntry): void {
    const { id, seq, content } = entry
    this.#repeat({ sessionId, seq, messageId: id, role: roleOf(entry), text: searchableText(content) })
  }

  /** The hits in the order they were added, each with the other places of the same message. */
  list(): readonly SearchHit[] {
    const alsoIn = new Map([...this.#known.values()].map(({ index, others }) => [index, [...others.values()]]))
    return this.#hits.map((hit, index) => {
      const others = alsoIn.get(index) ?? []
      return others.length === 0 ? hit : { ...hit, alsoIn: others }
    })
  }

  /**
   * Whether a message with the same role and text is already among the hits. If so, notes this one, when it is another,
   * as a further occurrence of it.
   */
  #repeat({ sessionId, seq, messageId, ...message }: MessageReference & Pick<SearchHit, 'role' | 'text'>): boolean {
    const known = this.#known.get(keyOf(message))
    const first = known === undefined ? undefined : this.#hits[known.index]
    if (known === undefined || first === undefined) return false
    if (first.sessionId !== sessionId || first.seq !== seq)
      known.others.set(`${sessionId} ${seq}`, { sessionId, seq, messageId })
    return true
  }
}

const keyOf = ({ role, text }: Pick<SearchHit, 'role' | 'text'>): string => `${role}\n${text}`
