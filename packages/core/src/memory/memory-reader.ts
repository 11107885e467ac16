/** Reads memory entries: one, all, or those that match a text, with their stale citations. */
import { CairnError } from '../errors.ts'
import { assertBound, assertText } from '../input.ts'
import type { MemoryEntry } from '../ports/memory-storage.ts'
import { instantText } from '../time-text.ts'
import { findEntry } from './find-entry.ts'
import type { KnownMemory, MemoryListing, MemoryMatch } from './memory.ts'
import { assertListing, assertWorkspace } from './memory-input.ts'
import { notCurrent, type MemoryDeps } from './memory-writer.ts'
import { searchEntries } from './search.ts'
import { NOTHING_STALE, rerankStale, withStaleness, withoutFingerprints } from './stale-entries.ts'
import { findStaleEntries, type Staleness } from './staleness.ts'

const DEFAULT_LIMIT = 10

type ReaderDeps = Pick<MemoryDeps, 'storage' | 'clock' | 'hasher' | 'fileSystem'>

/** The part of the memory that reads entries. */
export class MemoryReader {
  readonly #deps: ReaderDeps

  constructor(deps: ReaderDeps) {
    this.#deps = deps
  }

  /**
   * The entry with an id, or the only one whose id begins or ends with the text, as of `asOf` (ms) if given. Rejects
   * with `not-found` (also for an entry that has ended, or was not known then) or `ambiguous`.
   */
  async get(idOrPrefix: string, asOf?: number): Promise<KnownMemory> {
    assertBound(asOf, 'The time as of which the memory is asked')
    const { storage } = this.#deps
    const { id } = await findEntry(storage, idOrPrefix)
    const entry = await storage.get(id, asOf)
    if (entry === undefined)
      throw asOf === undefined
        ? notCurrent(id)
        : new CairnError('not-found', `The memory entry ${id} was not known at ${instantText(asOf)}.`)
    return withStaleness(entry, await this.#staleNow([entry], asOf))
  }

  /**
   * The entries of a workspace that match the listing, most recently confirmed first. Each has its currently stale
   * citations, unless an earlier time is requested. Rejects with `invalid-input` for an empty workspace or a wrong
   * listing.
   */
  async list(workspace: string, listing: MemoryListing = {}): Promise<readonly KnownMemory[]> {
    assertWorkspace(workspace)
    assertListing(listing)
    const entries = await this.#deps.storage.list(workspace, listing)
    const stale = await this.#staleNow(entries, listing.asOf)
    return entries.map((entry) => withStaleness(entry, stale))
  }

  /**
   * Entries that share words with the text, best first, at most `limit` (default 10); stale ones rank lower. Empty if
   * no word is found. Rejects with `invalid-input`.
   */
  async search(
    workspace: string,
    text: string,
    { limit = DEFAULT_LIMIT, ...listing }: MemoryListing & { readonly limit?: number } = {},
  ): Promise<readonly MemoryMatch[]> {
    assertWorkspace(workspace)
    assertText(text, 'The text that is searched for')
    assertListing(listing)
    if (!Number.isInteger(limit) || limit < 1)
      throw new CairnError('invalid-input', 'The number of entries to find is a whole number from 1 up.')
    const { storage, clock } = this.#deps
    const entries = await storage.list(workspace, listing)
    const ranked = searchEntries(entries.map(withoutFingerprints), text, listing.asOf ?? clock.now())
    // Twice as many as wanted, because stale entries fall behind others.
    const matches = ranked.slice(0, 2 * limit)
    const ids = new Set(matches.map(({ entry }) => entry.id))
    const found = entries.filter(({ id }) => ids.has(id))
    return rerankStale(matches, found, await this.#staleNow(found, listing.asOf)).slice(0, limit)
  }

  /**
   * What of these entries' citations has changed or is missing now, by id; empty for an earlier time, about which the
   * current files say nothing.
   */
  async #staleNow(entries: readonly MemoryEntry[], asOf: number | undefined): Promise<ReadonlyMap<string, Staleness>> {
    return asOf === undefined ? findStaleEntries(entries, this.#deps) : NOTHING_STALE
  }
}
