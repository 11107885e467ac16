/**
 * Adds, confirms, contradicts, changes and ends memory entries. Each operation reads and writes atomically across
 * processes (`MemoryStorage.change`).
 */
import { CairnError } from '../errors.ts'
import { assertObject } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import type { MemoryDecision, MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import { redact as redactSecrets, type Redact } from '../redaction/index.ts'
import { MEMORY_ENDS_BELOW, confirmed, contradicted, defaultConfidence } from './confidence.ts'
import { isDuplicate } from './consolidate.ts'
import { findEntry } from './find-entry.ts'
import type { AddedMemory, MemoryChanges, NewMemory, Provenance } from './memory.ts'
import {
  assertConfidence,
  assertKind,
  assertNewMemory,
  assertProvenance,
  joinExamples,
  newEntry,
  prepareExamples,
  prepareText,
  type PreparedText,
} from './memory-input.ts'
import { wordKey } from './same-words.ts'
import { refreshFingerprints } from './staleness.ts'
import { withFingerprints } from './staleness-citation.ts'

/** What the memory reads, writes and validates with. */
export interface MemoryDeps {
  readonly storage: MemoryStorage
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: Hasher
  /** Reads the files that entries cite. */
  readonly fileSystem: FileSystem
  /** Default: redacts the kinds of secrets that Cairn knows. */
  readonly redact?: Redact
  /** The time zone for words such as "yesterday", an IANA name; default the machine's. */
  readonly timeZone?: string
}

/** Creates (does not throw) the `not-found` error for an entry that has ended; it names the entry and its history. */
export const notCurrent = (id: string): CairnError =>
  new CairnError('not-found', `The memory entry ${id} is not current any more; its history shows how it ended.`)

const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Cited lines as stored, by the citation's text, with the fingerprint of their current content. */
type Citations = ReadonlyMap<string, string>

/** Changes entries. Returns entries as stored, including the fingerprints of cited lines. */
export class MemoryWriter {
  readonly #deps: MemoryDeps
  readonly #redact: Redact

  constructor(deps: MemoryDeps) {
    this.#deps = deps
    this.#redact = deps.redact ?? redactSecrets
  }

  /**
   * Adds an entry, or confirms a current one of the workspace with the same words (`outcome`): its text stays, its
   * confidence rises, examples are joined, and its citations are taken as they are now. Secrets are replaced, and
   * relative dates become dates. Rejects with `invalid-input` for wrong input.
   */
  async add(input: NewMemory): Promise<AddedMemory> {
    assertNewMemory(input)
    const { storage, clock, ids, hasher, fileSystem } = this.#deps
    const now = clock.now()
    const { text, redactions } = this.#prepared(input.text, now)
    const given = prepareExamples(input.examples ?? [], this.#redact)
    const examples = await withFingerprints(given.examples, input.workspace, fileSystem, hasher)
    const commit = this.#withoutSecrets(input.commit)
    const confidence = input.confidence ?? defaultConfidence(input.kind)
    const made = newEntry({ ...input, ...commit.field, id: ids.next(), text, examples, confidence }, now)
    const { entry, outcome } = await storage.change<Pick<AddedMemory, 'entry' | 'outcome'>>(
      input.workspace,
      now,
      (current) => {
        const known = current.find((found) => isDuplicate(found, made))
        const next = known === undefined ? made : confirmAgain(known, now, examples, input.confidence)
        return {
          writes: [{ op: 'put', entry: next }],
          result: { entry: next, outcome: known === undefined ? 'added' : 'confirmed' },
        }
      },
      { saying: [text] },
    )
    return {
      entry: outcome === 'added' ? entry : await this.#refreshCitations(entry, now),
      outcome,
      redactions: redactions + given.redactions + commit.redactions,
    }
  }

  /**
   * Records that an entry was confirmed: its confidence rises, and the lines that it cites count as they are now.
   * Rejects with `not-found`, `ambiguous`, or if it has ended. `applied`: it helped to solve something; that is
   * counted, too.
   */
  async confirm(idOrPrefix: string, applied: boolean): Promise<MemoryEntry> {
    const now = this.#deps.clock.now()
    const { id, workspace } = await findEntry(this.#deps.storage, idOrPrefix)
    const citations = await this.#currentCitations(id, workspace)
    return this.#change(id, now, (entry) => put(withCitations(confirmed(entry, now, applied), citations)))
  }

  /**
   * Records that an entry is wrong; with a replacement, it is superseded by an entry with that text. Without one it is
   * less sure, and ends below `MEMORY_ENDS_BELOW`. Gives the entry as it is then, or the one that replaces it. Rejects
   * with `not-found`, `ambiguous`, `invalid-input` for a wrong provenance, and if the entry has ended.
   */
  async contradict(idOrPrefix: string, replacement?: string, provenance: Provenance = {}): Promise<MemoryEntry> {
    assertProvenance(provenance)
    const now = this.#deps.clock.now()
    if (replacement !== undefined) return this.#supersede(idOrPrefix, replacement, provenance, now)
    return this.#change(idOrPrefix, now, (entry) => {
      const next = contradicted(entry)
      const isOver = next.confidence < MEMORY_ENDS_BELOW
      return {
        writes: [
          { op: 'put', entry: next },
          ...(isOver ? [{ op: 'end', id: entry.id, reason: 'contradicted' } as const] : []),
        ],
        result: next,
      }
    })
  }

  /**
   * Writes a new version of an entry; what `changes` leaves out stays, but cited lines are taken as they are now. Its
   * last confirmation is now; the count of confirmations stays. Rejects with `invalid-input` for wrong input or if
   * another entry of its kind already says the same, with `not-found` or `ambiguous`, and if it has ended.
   */
  async update(idOrPrefix: string, changes: MemoryChanges): Promise<MemoryEntry> {
    assertObject(changes, 'What changes of a memory entry')
    if (changes.kind !== undefined) assertKind(changes.kind)
    if (changes.confidence !== undefined) assertConfidence(changes.confidence)
    const { storage, clock, hasher, fileSystem } = this.#deps
    const now = clock.now()
    const { id, workspace } = await findEntry(storage, idOrPrefix)
    const text = changes.text === undefined ? undefined : this.#prepared(changes.text, now).text
    const examples =
      changes.examples === undefined
        ? undefined
        : await withFingerprints(
            prepareExamples(changes.examples, this.#redact).examples,
            workspace,
            fileSystem,
            hasher,
          )
    const citations = await this.#currentCitations(id, workspace)
    // With another kind the entry may say the same as an entry of that kind.
    const saying = text ?? (await storage.get(id))?.text
    return this.#change(
      id,
      now,
      (entry, others) => {
        const { kind = entry.kind, confidence = entry.confidence } = changes
        const next: MemoryEntry = {
          ...entry,
          kind,
          confidence,
          text: text ?? entry.text,
          examples: examples ?? withCitations(entry, citations).examples,
          lastConfirmedAt: Math.max(entry.lastConfirmedAt, now),
        }
        const twin = isDuplicate(next, entry) ? undefined : others.find((other) => isDuplicate(other, next))
        if (twin !== undefined)
          throw new CairnError(
            'invalid-input',
            `The memory entry ${twin.id} says the same already; nothing was changed. Confirm that one, and forget this one.`,
          )
        return put(next)
      },
      saying === undefined ? [] : [saying],
    )
  }

  /** Ends an entry; its history still shows it. Rejects with `not-found`, `ambiguous`, or if it has ended. */
  async forget(idOrPrefix: string): Promise<MemoryEntry> {
    return this.#change(idOrPrefix, this.#deps.clock.now(), (entry) => ({
      writes: [{ op: 'end', id: entry.id, reason: 'forgotten' }],
      result: entry,
    }))
  }

  /**
   * Replaces an entry by a new one with this text, of the same kind and citations (as the lines are now) and the kind's
   * usual confidence; if another entry says the same already, that one is confirmed instead. The former one ends as
   * superseded by it. Rejects with `invalid-input` if the text does not differ.
   */
  async #supersede(idOrPrefix: string, replacement: string, provenance: Provenance, now: number): Promise<MemoryEntry> {
    const { text } = this.#prepared(replacement, now)
    const id = this.#deps.ids.next()
    // The replacement cites the same lines, as they are now.
    const { id: formerId, workspace } = await findEntry(this.#deps.storage, idOrPrefix)
    const citations = await this.#currentCitations(formerId, workspace)
    return this.#change(
      formerId,
      now,
      (entry, others) => {
        if (wordKey(text) === wordKey(entry.text))
          throw new CairnError(
            'invalid-input',
            `The replacement says the same as the memory entry ${entry.id}; nothing was changed.`,
          )
        const { kind } = entry
        const { examples } = withCitations(entry, citations)
        const { field } = this.#withoutSecrets(provenance.commit)
        const confidence = defaultConfidence(kind)
        const made = newEntry(
          { ...provenance, ...field, id, workspace: entry.workspace, kind, text, confidence, examples },
          now,
        )
        const known = others.find((other) => isDuplicate(other, made))
        const next = known === undefined ? made : confirmAgain(known, now, examples, undefined)
        return {
          writes: [
            { op: 'put', entry: next },
            { op: 'end', id: entry.id, reason: 'superseded', replacedBy: next.id },
          ],
          result: next,
        }
      },
      [text],
    )
  }

  /**
   * Changes the current entry with an id in one atomic step: writes what `decide` says, and gives its result. Rejects
   * with `not-found` if it has ended, and as `decide` throws. `saying`: texts that `decide` looks for in `others`,
   * which has only entries of the workspace that are asked for.
   */
  async #change<T>(
    idOrPrefix: string,
    now: number,
    decide: (entry: MemoryEntry, others: readonly MemoryEntry[]) => MemoryDecision<T>,
    saying: readonly string[] = [],
  ): Promise<T> {
    const { storage } = this.#deps
    const { id, workspace } = await findEntry(storage, idOrPrefix)
    return storage.change(
      workspace,
      now,
      (current) => {
        const entry = current.find((found) => found.id === id)
        if (entry === undefined) throw notCurrent(id)
        return decide(
          entry,
          current.filter((found) => found !== entry),
        )
      },
      { ids: [id], saying },
    )
  }

  /**
   * The citations of an entry (an empty map without any), each with what it is by the current content of its lines.
   * Writes nothing.
   */
  async #currentCitations(id: string, workspace: string): Promise<Citations> {
    const { storage, hasher, fileSystem } = this.#deps
    const examples = (await storage.get(id))?.examples ?? []
    const again = await refreshFingerprints(examples, workspace, fileSystem, hasher)
    return new Map(examples.map((example, index) => [example, again[index] ?? example]))
  }

  /** Updates the lines that an entry cites to what they are now; returns it as it is if none changed. */
  async #refreshCitations(entry: MemoryEntry, now: number): Promise<MemoryEntry> {
    const citations = await this.#currentCitations(entry.id, entry.workspace)
    if ([...citations].every(([before, after]) => before === after)) return entry
    return this.#change(entry.id, now, (found) => put(withCitations(found, citations)))
  }

  #prepared(text: string, now: number): PreparedText {
    return prepareText(text, { redact: this.#redact, now, timeZone: this.#deps.timeZone ?? localTimeZone() })
  }

  /** The commit with secrets taken out, and how many; an empty field if there is none. */
  #withoutSecrets(commit: string | undefined): {
    readonly field: Pick<Provenance, 'commit'>
    readonly redactions: number
  } {
    if (commit === undefined) return { field: {}, redactions: 0 }
    const { text, count } = this.#redact(commit)
    return { field: { commit: text }, redactions: count }
  }
}

const put = (entry: MemoryEntry): MemoryDecision<MemoryEntry> => ({ writes: [{ op: 'put', entry }], result: entry })

/** The entry with its citations as they are now, each once; those not in `citations` stay. */
const withCitations = (entry: MemoryEntry, citations: Citations): MemoryEntry => ({
  ...entry,
  examples: joinExamples(entry.examples.map((example) => citations.get(example) ?? example)),
})

/**
 * A copy of an entry that was added again: confirmed, with the examples of both, and the given confidence if that is
 * higher. Writes nothing.
 */
const confirmAgain = (
  known: MemoryEntry,
  now: number,
  examples: readonly string[],
  confidence: number | undefined,
): MemoryEntry => {
  const next = confirmed(known, now, false)
  return {
    ...next,
    confidence: Math.max(next.confidence, confidence ?? 0),
    examples: joinExamples(known.examples, examples),
  }
}
