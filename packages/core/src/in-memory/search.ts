/** Search of the in-memory store: the same search as everywhere, over one segment that is made when it is asked for. */
import { analyseEntry } from '../recall/analyse-entry.ts'
import { buildSegment } from '../recall/index/build.ts'
import type { IndexedMessage } from '../recall/index/message-codec.ts'
import { createView, type View } from '../recall/index/view.ts'
import type { RecallScope, RecallSource } from '../recall/recall-source.ts'
import { createSearch } from '../recall/search.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import { isWorkspace, type StoreData, type StoredSession } from './data.ts'

/** Shorter texts are found in every message that has them, longer ones in the first. */
const LONG = 512

interface Indexed {
  readonly session: StoredSession
  readonly messages: IndexedMessage[]
  readonly knownTexts: Set<string>
  /** Entries that have been looked at. */
  seen: number
}

class MemoryIndex implements RecallSource {
  readonly #data: StoreData
  readonly #numbers = new Map<string, number>()
  readonly #indexed = new Map<number, Indexed>()
  #view: View | undefined

  constructor(data: StoreData) {
    this.#data = data
  }

  /**
   * The index of what is stored now, brought up to date first. `sessions` and `onBranch` are the numbers of those in
   * the scope; undefined if it does not limit them. Reads nothing from disk.
   */
  async open(scope: RecallScope) {
    this.#update()
    this.#view ??= createView([buildSegment([...this.#indexed.values()].flatMap(({ messages }) => messages))])
    const { workspace, sessionId, sessionIds, agent, branch } = scope
    const which = (isWanted: (session: StoredSession) => boolean): ReadonlySet<number> =>
      new Set([...this.#indexed].filter(([, { session }]) => isWanted(session)).map(([number]) => number))
    const limited = [workspace, sessionId, sessionIds, agent].some((condition) => condition !== undefined)
    return {
      view: this.#view,
      sessions: limited
        ? which(
            ({ facts }) =>
              (sessionId === undefined || facts.id === sessionId) &&
              (sessionIds === undefined || sessionIds.includes(facts.id)) &&
              (agent === undefined || facts.agent === agent) &&
              (workspace === undefined || isWorkspace(facts.workspace, workspace)),
          )
        : undefined,
      onBranch: branch === undefined ? undefined : which(({ facts }) => facts.branch === branch),
      read: async () => new Map(),
    }
  }

  /** Id and title of sessions by their numbers, without unknown ones. */
  async sessions(numbers: readonly number[]) {
    return new Map(
      numbers.flatMap((number) => {
        const facts = this.#indexed.get(number)?.session.facts
        return facts === undefined
          ? []
          : [[number, { id: facts.id, title: titleOf(this.#indexed.get(number)?.session) }] as const]
      }),
    )
  }

  /** The workspace of sessions by their numbers; null if it has none, missing if the session is unknown. */
  async folders(numbers: readonly number[]) {
    return new Map(
      numbers.flatMap((number) => {
        const facts = this.#indexed.get(number)?.session.facts
        return facts === undefined ? [] : [[number, facts.workspace ?? null] as const]
      }),
    )
  }

  /** Branch and title of each number, in the same order; null if unknown. */
  async labels(numbers: Uint32Array) {
    return Array.from(numbers, (number) => {
      const session = this.#indexed.get(number)?.session
      return { branch: session?.facts.branch ?? null, title: session === undefined ? null : titleOf(session) }
    })
  }

  /** A copy of each message, in the same order; undefined where there is none. */
  async messages(locations: readonly { readonly session: number; readonly seq: number }[]) {
    return locations.map(({ session, seq }) => {
      const entry = this.#indexed.get(session)?.session.entries[seq]?.entry
      return entry?.kind === 'message' ? structuredClone(entry) : undefined
    })
  }

  /**
   * Takes up new messages and lets go of deleted sessions. The view is dropped, to be made anew, only if something
   * changed.
   */
  #update(): void {
    for (const [number, { session }] of this.#indexed) {
      if (this.#data.sessions.get(session.facts.id) === session) continue
      this.#indexed.delete(number)
      this.#view = undefined
    }
    for (const [id, session] of this.#data.sessions) {
      const number = this.#numbers.get(id) ?? this.#numbers.size + 1
      this.#numbers.set(id, number)
      const indexed: Indexed = this.#indexed.get(number) ?? { session, messages: [], knownTexts: new Set(), seen: 0 }
      this.#indexed.set(number, indexed)
      for (const { entry } of session.entries.slice(indexed.seen)) {
        if (entry.kind !== 'message') continue
        const isRepeated = (text: string): boolean =>
          text.length >= LONG && (indexed.knownTexts.has(text) || !indexed.knownTexts.add(text))
        indexed.messages.push({
          session: number,
          seq: entry.seq,
          at: entry.at ?? Number.NaN,
          message: analyseEntry(entry, isRepeated),
        })
        this.#view = undefined
      }
      indexed.seen = session.entries.length
    }
  }
}

/** The last title that the log was given wins over the one that came with the session. */
const titleOf = (session: StoredSession | undefined): string | null => {
  const named = session?.entries.map(({ entry }) => entry).findLast((entry) => entry.kind === 'title')
  return named?.kind === 'title' ? named.title : (session?.facts.title ?? null)
}

/**
 * A search index over the in-memory store's data; it indexes new entries when it is asked. Once the store is closed its
 * calls reject.
 */
export const createInMemorySearch = (data: StoreData): SearchIndex => createSearch(new MemoryIndex(data))
