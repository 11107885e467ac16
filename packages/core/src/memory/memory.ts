/** Long-term memory as its users see it: what can be asked of a workspace's entries, and what each answer holds. */
import type { MemoryEntry, MemoryKind, MemoryVersion } from '../ports/memory-storage.ts'

/** Who says something, and where: kept with the entry. */
export interface Provenance {
  readonly sessionId?: string
  readonly messageId?: string
  readonly commit?: string
  /** Default `user`. */
  readonly source?: string
}

/** An entry to add. */
export interface NewMemory extends Provenance {
  readonly workspace: string
  readonly kind: MemoryKind
  readonly text: string
  /** 0 … 1; default by kind: discovery .8, the others .7. */
  readonly confidence?: number
  /** `path:line` or short texts. */
  readonly examples?: readonly string[]
}

/** The entry that was added, or confirmed because it was known. */
export interface AddedMemory {
  readonly entry: MemoryEntry
  /** `confirmed`: the same was known already (same words in the same order), and is confirmed instead. */
  readonly outcome: 'added' | 'confirmed'
  /** Secrets that were replaced before storage. */
  readonly redactions: number
}

/** What changes in an entry; the rest stays. */
export interface MemoryChanges {
  readonly text?: string
  readonly kind?: MemoryKind
  readonly confidence?: number
  readonly examples?: readonly string[]
}

/** A citation whose lines changed or are gone. */
export interface StaleCitation {
  /** `src/a.ts:3-5`. */
  readonly place: string
  readonly verdict: 'changed' | 'missing'
  readonly detail: string
}

/** An entry as it is handed out. */
export interface KnownMemory extends MemoryEntry {
  /** Cited places that changed or are gone, as the files are now; absent where there are none, and for earlier times. */
  readonly stale?: readonly StaleCitation[]
}

/** Which entries are listed. */
export interface MemoryListing {
  readonly kind?: MemoryKind
  /** As it was at this time, ms. */
  readonly asOf?: number
}

/** An entry that a search found; a higher score is better. */
export interface MemoryMatch {
  readonly entry: KnownMemory
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}

/** Counts of a workspace's entries. */
export interface MemoryStats {
  readonly workspace: string
  readonly entries: number
  readonly byKind: Readonly<Record<MemoryKind, number>>
  readonly averageConfidence: number | null
  readonly oldestAt: number | null
  readonly newestAt: number | null
  /** Entries that prune would end now, with its defaults. */
  readonly prunable: number
  /** Characters of all texts. */
  readonly characters: number
}

/** Which entries count as out of use. */
export interface PruneOptions {
  /** Entries not confirmed for longer; default 90. */
  readonly maxAgeDays?: number
  /** Entries below; solutions are spared. Default 0.3. */
  readonly minConfidence?: number
  /** At most so many entries of a kind stay, the best; default 200. */
  readonly maxPerKind?: number
  readonly dryRun?: boolean
}

/** What pruning ended, or would end. */
export interface PruneReport {
  readonly pruned: readonly { readonly entry: MemoryEntry; readonly why: 'age' | 'confidence' | 'cap' }[]
  readonly kept: number
  readonly dryRun: boolean
}

/** Which entries were merged. */
export interface ConsolidationReport {
  /** Duplicates that were merged into another entry. */
  readonly merged: readonly { readonly id: string; readonly into: string }[]
  readonly entries: number
}

/** What a prompt is given of the memory. */
export interface MemorySection {
  /** Empty when nothing is remembered. Delimited and escaped: data, not instruction. */
  readonly text: string
  /** Estimated. */
  readonly tokens: number
  /** In the order of the text. */
  readonly entries: readonly KnownMemory[]
  /** How many had no room. */
  readonly left: number
}

/** Size and time of a section. */
export interface SectionOptions {
  /** Default 3,000. */
  readonly maxTokens?: number
  /** When the session began, ms: entries and scores are of then, so that every request of a session is given the same bytes. Default now. */
  readonly at?: number
}

/** What a check found for one citation. */
export type StalenessVerdict = 'current' | 'moved' | 'changed' | 'missing' | 'unchecked'

/** What a check found for a workspace. */
export interface StalenessReport {
  readonly checked: readonly {
    readonly entry: MemoryEntry
    readonly example: string
    readonly verdict: StalenessVerdict
    readonly detail: string
  }[]
  /** Entries whose confidence was lowered, or whose citation was moved, by this check. */
  readonly changed: readonly string[]
}

/** What reading a memory file did. */
export interface MemoryImportReport {
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  /** `line` is counted from 1; 0 where a file has no lines of its own (JSON): the reason says where then. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
  /** Lines at which a conflict begins that git left, where there is one; the entries of both sides were taken. */
  readonly conflicts?: readonly number[]
}

/** How a memory file is read. */
export interface ImportOptions {
  /** Says what would be taken in, and takes in nothing. */
  readonly dryRun?: boolean
}

/** Long-term memory: entries per workspace. */
export interface Memory {
  /**
   * Adds an entry; where one of the workspace says the same already, confirms that one instead. Rejects with
   * `invalid-input` for an empty text or one of more than 20,000 characters, an unknown kind, a confidence outside 0 …
   * 1.
   */
  add(input: NewMemory): Promise<AddedMemory>
  /** The entry of an id, or of the beginning or the end of one. Rejects with `not-found` or `ambiguous`. */
  get(idOrPrefix: string, asOf?: number): Promise<KnownMemory>
  /**
   * The workspace's current entries (or those at `asOf`), with their stale citations; empty for a workspace without
   * any.
   */
  list(workspace: string, listing?: MemoryListing): Promise<readonly KnownMemory[]>
  /**
   * Entries with words in common with the text, best first, at most 10 unless told; those whose cited places changed
   * rank lower.
   */
  search(
    workspace: string,
    text: string,
    options?: MemoryListing & { readonly limit?: number },
  ): Promise<readonly MemoryMatch[]>
  /**
   * Notes that the entry was seen to be true again: its confidence rises. `applied`: it was also used to solve
   * something.
   */
  confirm(idOrPrefix: string, options?: { readonly applied?: boolean }): Promise<MemoryEntry>
  /**
   * Notes that the entry was seen to be wrong: confidence falls, and below 0.1 the entry ends. With `replacement` the
   * entry is superseded by an entry of that text (a new one, or the one that says so already), which is what this
   * resolves with.
   */
  contradict(idOrPrefix: string, replacement?: string, provenance?: Provenance): Promise<MemoryEntry>
  /** A new version; what was not given stays. Rejects with `invalid-input` when another entry of its kind says the same already. */
  update(idOrPrefix: string, changes: MemoryChanges): Promise<MemoryEntry>
  /** Ends the entry; `history` and earlier times still show it. */
  forget(idOrPrefix: string): Promise<MemoryEntry>
  /** All versions of an entry, ended ones too, the oldest first. Rejects with `not-found` or `ambiguous`. */
  history(idOrPrefix: string): Promise<readonly MemoryVersion[]>
  /** Counts of the workspace's current entries: by kind, and what a prune now would end. */
  stats(workspace: string): Promise<MemoryStats>
  /**
   * Ends entries that are too old, too uncertain, or too many of their kind; `history` still shows them. With `dryRun`
   * it only reports.
   */
  prune(workspace: string, options?: PruneOptions): Promise<PruneReport>
  /** Merges duplicates. Run again with nothing new it changes nothing, whenever that is. */
  consolidate(workspace: string): Promise<ConsolidationReport>
  /**
   * What a prompt is given: 15 discoveries, 15 solutions, 10 patterns and what else there is, best first, within a token
   * budget. Entries that cite changed lines are marked and rank lower. Asked again with the same `at`, the places are those
   * that were found the first time; of a session that began more than a day ago nothing is looked at anew.
   */
  section(workspace: string, options?: SectionOptions): Promise<MemorySection>
  /** Compares cited files with what they hold now, below `folder`. Reads files only; writes versions, deletes nothing. */
  check(workspace: string, folder: string, options?: { readonly dryRun?: boolean }): Promise<StalenessReport>
  /** A readable file, an entry a line, in an order that merges well under git. */
  exportText(workspace: string): Promise<string>
  /** Takes such a file in, also one with both sides of a conflict in it, or CLIO's `ltm.json`. */
  importText(workspace: string, text: string, source?: string, options?: ImportOptions): Promise<MemoryImportReport>
}
