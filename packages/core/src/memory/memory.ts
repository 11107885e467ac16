/** The public interface of long-term memory: operations on a workspace's entries, and their results. */
import type { MemoryEntry, MemoryKind, MemoryVersion } from '../ports/memory-storage.ts'

/** Who provided a fact, and where; stored with the entry. */
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

/** The entry that was added, or confirmed because it already existed. */
export interface AddedMemory {
  readonly entry: MemoryEntry
  /** `confirmed`: an equivalent entry (same words in the same order) already existed and was confirmed instead. */
  readonly outcome: 'added' | 'confirmed'
  /** Secrets that were replaced before storage. */
  readonly redactions: number
}

/** The fields to change in an entry; the others stay. */
export interface MemoryChanges {
  readonly text?: string
  readonly kind?: MemoryKind
  readonly confidence?: number
  readonly examples?: readonly string[]
}

/** A citation whose lines changed or are missing. */
export interface StaleCitation {
  /** `src/a.ts:3-5`. */
  readonly place: string
  readonly verdict: 'changed' | 'missing'
  readonly detail: string
}

/** An entry as returned to callers. */
export interface KnownMemory extends MemoryEntry {
  /**
   * Citations that changed or are missing, compared with the current files; absent if there are none, and for earlier
   * times.
   */
  readonly stale?: readonly StaleCitation[]
}

/** Options for listing entries. */
export interface MemoryListing {
  readonly kind?: MemoryKind
  /** As of this time, ms. */
  readonly asOf?: number
}

/** An entry that a search found; a higher score is better. */
export interface MemoryMatch {
  readonly entry: KnownMemory
  /** Higher is better; comparable only within one answer. */
  readonly score: number
}

/** Statistics of a workspace's entries. */
export interface MemoryStats {
  readonly workspace: string
  readonly entries: number
  readonly byKind: Readonly<Record<MemoryKind, number>>
  readonly averageConfidence: number | null
  readonly oldestAt: number | null
  readonly newestAt: number | null
  /** Number of entries that prune would end now, with its defaults. */
  readonly prunable: number
  /** Total characters of all texts. */
  readonly characters: number
}

/** Which entries to prune. */
export interface PruneOptions {
  /** Ends entries not confirmed for longer than this; default 90. */
  readonly maxAgeDays?: number
  /** Ends entries below this, except solutions. Default 0.3. */
  readonly minConfidence?: number
  /** Keeps at most this many entries of a kind, the best ones; default 200. */
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

/** The memory section of a prompt. */
export interface MemorySection {
  /** Empty if nothing is remembered. Delimited and escaped: data, not instructions. */
  readonly text: string
  /** Estimated. */
  readonly tokens: number
  /** In the order of the text. */
  readonly entries: readonly KnownMemory[]
  /** Number of entries that did not fit. */
  readonly left: number
}

/** Size and time of a section. */
export interface SectionOptions {
  /** Default 3,000. */
  readonly maxTokens?: number
  /**
   * When the session started, ms. Entries and scores are as of then, so that every request of a session gets the same
   * bytes. Default now.
   */
  readonly at?: number
}

/** The result of checking one citation. */
export type StalenessVerdict = 'current' | 'moved' | 'changed' | 'missing' | 'unchecked'

/** The result of checking a workspace. */
export interface StalenessReport {
  readonly checked: readonly {
    readonly entry: MemoryEntry
    readonly example: string
    readonly verdict: StalenessVerdict
    readonly detail: string
  }[]
  /** Ids of entries whose confidence was lowered or whose citation was moved by this check. */
  readonly changed: readonly string[]
}

/** The result of importing a memory file. */
export interface MemoryImportReport {
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  /** `line` counts from 1; it is 0 for a file without lines (JSON), and the reason then says where. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
  /** Lines at which a git conflict begins, if there are any; the entries of both sides were imported. */
  readonly conflicts?: readonly number[]
}

/** How to import a memory file. */
export interface ImportOptions {
  /** Reports what would be imported, without importing anything. */
  readonly dryRun?: boolean
}

/** Long-term memory: entries per workspace. */
export interface Memory {
  /**
   * Adds an entry, or confirms an equivalent one of the workspace. Rejects with `invalid-input` for an empty text or
   * one of more than 20,000 characters, an unknown kind, or a confidence outside 0 … 1.
   */
  add(input: NewMemory): Promise<AddedMemory>
  /** The entry with an id, or with the beginning or the end of one. Rejects with `not-found` or `ambiguous`. */
  get(idOrPrefix: string, asOf?: number): Promise<KnownMemory>
  /** The workspace's current entries (or those at `asOf`), with their stale citations; empty if there are none. */
  list(workspace: string, listing?: MemoryListing): Promise<readonly KnownMemory[]>
  /**
   * Entries that share words with the text, best first, at most 10 by default; those with changed citations rank lower.
   */
  search(
    workspace: string,
    text: string,
    options?: MemoryListing & { readonly limit?: number },
  ): Promise<readonly MemoryMatch[]>
  /**
   * Records that the entry was confirmed: its confidence rises. `applied` means that it also helped to solve something.
   */
  confirm(idOrPrefix: string, options?: { readonly applied?: boolean }): Promise<MemoryEntry>
  /**
   * Records that the entry is wrong: its confidence falls, and below 0.1 the entry ends. With `replacement`, the entry
   * is superseded by an entry with that text (a new or existing one), which is returned.
   */
  contradict(idOrPrefix: string, replacement?: string, provenance?: Provenance): Promise<MemoryEntry>
  /**
   * Writes a new version; omitted fields stay. Rejects with `invalid-input` if another entry of its kind already says
   * the same.
   */
  update(idOrPrefix: string, changes: MemoryChanges): Promise<MemoryEntry>
  /** Ends the entry; `history` and earlier times still show it. */
  forget(idOrPrefix: string): Promise<MemoryEntry>
  /** All versions of an entry, including ended ones, oldest first. Rejects with `not-found` or `ambiguous`. */
  history(idOrPrefix: string): Promise<readonly MemoryVersion[]>
  /**
   * The workspace's entries that have ended (replaced, contradicted, forgotten, pruned, merged), each as its last version;
   * the last ended first.
   */
  ended(workspace: string, listing?: Pick<MemoryListing, 'kind'>): Promise<readonly MemoryVersion[]>
  /** Statistics of the workspace's current entries, by kind, and what a prune would end now. */
  stats(workspace: string): Promise<MemoryStats>
  /**
   * Ends entries that are too old, too uncertain, or too many of their kind; `history` still shows them. With `dryRun`,
   * it only reports.
   */
  prune(workspace: string, options?: PruneOptions): Promise<PruneReport>
  /** Merges duplicates. Idempotent: without new entries, it changes nothing. */
  consolidate(workspace: string): Promise<ConsolidationReport>
  /**
   * The memory section of a prompt: 15 discoveries, 15 solutions, 10 patterns and other entries, best first, within a
   * token limit. Entries that cite changed lines are marked and rank lower. Repeated calls with the same `at` reuse the
   * first check of the citations; for a session that started more than a day ago, files are not checked.
   */
  section(workspace: string, options?: SectionOptions): Promise<MemorySection>
  /**
   * Compares citations with the current files below `folder`. Only reads files; writes new versions of entries and
   * deletes nothing.
   */
  check(workspace: string, folder: string, options?: { readonly dryRun?: boolean }): Promise<StalenessReport>
  /** Exports a readable file with one entry per line, in an order that merges well with git. */
  exportText(workspace: string): Promise<string>
  /** Imports such a file, also with both sides of a git conflict in it, or CLIO's `ltm.json`. */
  importText(workspace: string, text: string, source?: string, options?: ImportOptions): Promise<MemoryImportReport>
}
