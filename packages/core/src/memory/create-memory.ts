/**
 * Long-term memory over its storage: what each operation checks, reads, decides and writes. What is read and written is
 * one step for all processes (`MemoryStorage.change`); what is decided stands in the files beside this one.
 */
import { CairnError } from '../errors.ts'
import { assertBound, assertName, assertObject, assertText, assertTextOrAbsent, assertTimeOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import type { MemoryDecision, MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import { redact as redactSecrets, type Redact } from '../redaction/index.ts'
import { instantText } from '../time-text.ts'
import { ENDS_BELOW, confirmed, contradicted, defaultConfidence } from './confidence.ts'
import { planConsolidation, isDuplicate } from './consolidate.ts'
import { findEntry } from './find-entry.ts'
import {
  NOTHING_STALE,
  createSectionChecks,
  withStaleness,
  rerankStale,
  withoutFingerprints,
  priorityOrder,
} from './stale-entries.ts'
import {
  assertConfidence,
  assertKind,
  assertListing,
  assertNewMemory,
  assertProvenance,
  assertWorkspace,
  joinExamples,
  newEntry,
  prepareExamples,
  prepareText,
  type PreparedText,
} from './memory-input.ts'
import type { AddedMemory, Memory, MemoryChanges, NewMemory, PruneOptions, PruneReport, Provenance } from './memory.ts'
import { prunable, pruneLimits } from './prune.ts'
import { wordKey } from './same-words.ts'
import { searchEntries } from './search.ts'
import { memorySection } from './section.ts'
import { exportMemory } from './sharing-file.ts'
import { importMemory } from './sharing.ts'
import { citationText, withFingerprints } from './staleness-citation.ts'
import { checkStaleness, refreshFingerprints, findStaleEntries, type Staleness } from './staleness.ts'
import { memoryStats } from './stats.ts'

/** What the memory reads, writes and checks with. */
export interface MemoryDeps {
  readonly storage: MemoryStorage
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: Hasher
  /** For the files that entries cite. */
  readonly fileSystem: FileSystem
  /** Default: the kinds of secrets that Cairn knows. */
  readonly redact?: Redact
  /** What "yesterday" is meant in, an IANA name; default the machine's. */
  readonly timeZone?: string
}

const DEFAULT_LIMIT = 10

const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Long-term memory over a storage. See {@link Memory} for what each call rejects. */
export const createMemory = (deps: MemoryDeps): Memory => {
  const { storage, clock, ids, hasher, fileSystem } = deps
  const redact = deps.redact ?? redactSecrets
  const prepared = (text: string, now: number): PreparedText =>
    prepareText(text, { redact, now, timeZone: deps.timeZone ?? localTimeZone() })

  const sectionChecks = createSectionChecks({ fileSystem, hasher, clock })
  /** What the files say now says nothing of how it was earlier. */
  const staleNow = async (
    entries: readonly MemoryEntry[],
    asOf: number | undefined,
  ): Promise<ReadonlyMap<string, Staleness>> =>
    asOf === undefined ? findStaleEntries(entries, { fileSystem, hasher, clock }) : NOTHING_STALE

  const withoutSecrets = (
    commit: string | undefined,
  ): { readonly field: Pick<Provenance, 'commit'>; readonly redactions: number } => {
    if (commit === undefined) return { field: {}, redactions: 0 }
    const { text, count } = redact(commit)
    return { field: { commit: text }, redactions: count }
  }

  /** Changes the current entry of an id; rejects when it has ended. */
  const changeEntry = async <T>(
    idOrPrefix: string,
    now: number,
    decide: (entry: MemoryEntry, others: readonly MemoryEntry[]) => MemoryDecision<T>,
    saying: readonly string[] = [],
  ): Promise<T> => {
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

  /** The places of an entry that was just seen to be true, as they are now. */
  const currentCitations = async (id: string, workspace: string): Promise<ReadonlyMap<string, string>> => {
    const examples = (await storage.get(id))?.examples ?? []
    const anew = await refreshFingerprints(examples, workspace, fileSystem, hasher)
    return new Map(examples.map((example, index) => [example, anew[index] ?? example]))
  }
  const withCitations = (entry: MemoryEntry, citations: ReadonlyMap<string, string>): MemoryEntry => ({
    ...entry,
    examples: joinExamples(entry.examples.map((example) => citations.get(example) ?? example)),
  })

  const add = async (input: NewMemory): Promise<AddedMemory> => {
    assertNewMemory(input)
    const now = clock.now()
    const { text, redactions } = prepared(input.text, now)
    const given = prepareExamples(input.examples ?? [], redact)
    const examples = await withFingerprints(given.examples, input.workspace, fileSystem, hasher)
    const commit = withoutSecrets(input.commit)
    const made = newEntry(
      {
        ...input,
        ...commit.field,
        id: ids.next(),
        text,
        examples,
        confidence: input.confidence ?? defaultConfidence(input.kind),
      },
      now,
    )
    const { entry, outcome } = await storage.change<Pick<AddedMemory, 'entry' | 'outcome'>>(
      input.workspace,
      now,
      (current) => {
        const known = current.find((found) => isDuplicate(found, made))
        if (known === undefined)
          return { writes: [{ op: 'put', entry: made }], result: { entry: made, outcome: 'added' } }
        const next = confirmAgain(known, now, examples, input.confidence)
        return { writes: [{ op: 'put', entry: next }], result: { entry: next, outcome: 'confirmed' } }
      },
      { saying: [text] },
    )
    const all = redactions + given.redactions + commit.redactions
    if (outcome === 'added') return { entry, outcome, redactions: all }
    const citations = await currentCitations(entry.id, input.workspace)
    if ([...citations].every(([before, after]) => before === after)) return { entry, outcome, redactions: all }
    const seen = await changeEntry(entry.id, now, (found) => ({
      writes: [{ op: 'put', entry: withCitations(found, citations) }],
      result: withCitations(found, citations),
    }))
    return { entry: seen, outcome, redactions: all }
  }

  const update = async (idOrPrefix: string, changes: MemoryChanges): Promise<MemoryEntry> => {
    assertObject(changes, 'What changes of a memory entry')
    if (changes.kind !== undefined) assertKind(changes.kind)
    if (changes.confidence !== undefined) assertConfidence(changes.confidence)
    const now = clock.now()
    const { id, workspace } = await findEntry(storage, idOrPrefix)
    const text = changes.text === undefined ? undefined : prepared(changes.text, now).text
    const examples =
      changes.examples === undefined
        ? undefined
        : await withFingerprints(prepareExamples(changes.examples, redact).examples, workspace, fileSystem, hasher)
    const citations = await currentCitations(id, workspace)
    // An entry of another kind becomes what entries of that kind may say already.
    const saying = text ?? (await storage.get(id))?.text
    return changeEntry(
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
        return { writes: [{ op: 'put', entry: next }], result: next }
      },
      saying === undefined ? [] : [saying],
    )
  }

  const contradict = async (
    idOrPrefix: string,
    replacement?: string,
    provenance: Provenance = {},
  ): Promise<MemoryEntry> => {
    assertProvenance(provenance)
    const now = clock.now()
    if (replacement === undefined) {
      return changeEntry(idOrPrefix, now, (entry) => {
        const next = contradicted(entry)
        const isOver = next.confidence < ENDS_BELOW
        return {
          writes: [
            { op: 'put', entry: next },
            ...(isOver ? [{ op: 'end', id: entry.id, reason: 'contradicted' } as const] : []),
          ],
          result: next,
        }
      })
    }
    const { text } = prepared(replacement, now)
    const id = ids.next()
    // What stands instead is said of the same places, as they are now.
    const { id: formerId, workspace: project } = await findEntry(storage, idOrPrefix)
    const citations = await currentCitations(formerId, project)
    return changeEntry(
      formerId,
      now,
      (entry, others) => {
        if (wordKey(text) === wordKey(entry.text))
          throw new CairnError(
            'invalid-input',
            `The replacement says the same as the memory entry ${entry.id}; nothing was changed.`,
          )
        const { kind, workspace } = entry
        const { examples } = withCitations(entry, citations)
        const made = newEntry(
          {
            ...provenance,
            ...withoutSecrets(provenance.commit).field,
            id,
            workspace,
            kind,
            text,
            confidence: defaultConfidence(kind),
            examples,
          },
          now,
        )
        const known = others.find((other) => isDuplicate(other, made))
        const next =
          known === undefined
            ? made
            : { ...confirmed(known, now, false), examples: joinExamples(known.examples, examples) }
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

  const prune = async (workspace: string, options: PruneOptions = {}): Promise<PruneReport> => {
    assertWorkspace(workspace)
    const limits = pruneLimits(options)
    const now = clock.now()
    const report = (current: readonly MemoryEntry[], dryRun: boolean): PruneReport => {
      const pruned = prunable(current, now, limits)
      return {
        pruned: pruned.map(({ entry, why }) => ({ entry: withoutFingerprints(entry), why })),
        kept: current.length - pruned.length,
        dryRun,
      }
    }
    if (options.dryRun === true) return report(await storage.list(workspace), true)
    return storage.change(workspace, now, (current) => {
      const result = report(current, false)
      return { writes: result.pruned.map(({ entry }) => ({ op: 'end', id: entry.id, reason: 'pruned' })), result }
    })
  }

  return {
    add: async (input) => {
      const added = await add(input)
      return { ...added, entry: withoutFingerprints(added.entry) }
    },
    get: async (idOrPrefix, asOf) => {
      assertBound(asOf, 'The time as of which the memory is asked')
      const { id } = await findEntry(storage, idOrPrefix)
      const entry = await storage.get(id, asOf)
      if (entry === undefined)
        throw asOf === undefined
          ? notCurrent(id)
          : new CairnError('not-found', `The memory entry ${id} was not known at ${instantText(asOf)}.`)
      return withStaleness(entry, await staleNow([entry], asOf))
    },
    list: async (workspace, listing = {}) => {
      assertWorkspace(workspace)
      assertListing(listing)
      const entries = await storage.list(workspace, listing)
      const stale = await staleNow(entries, listing.asOf)
      return entries.map((entry) => withStaleness(entry, stale))
    },
    search: async (workspace, text, { limit = DEFAULT_LIMIT, ...listing } = {}) => {
      assertWorkspace(workspace)
      assertText(text, 'The text that is searched for')
      assertListing(listing)
      if (!Number.isInteger(limit) || limit < 1)
        throw new CairnError('invalid-input', 'The number of entries to find is a whole number from 1 up.')
      const entries = await storage.list(workspace, listing)
      // What ranks lower gives its place to one behind it.
      const matches = searchEntries(entries.map(withoutFingerprints), text, listing.asOf ?? clock.now()).slice(
        0,
        2 * limit,
      )
      const ids = new Set(matches.map(({ entry }) => entry.id))
      const found = entries.filter(({ id }) => ids.has(id))
      return rerankStale(matches, found, await staleNow(found, listing.asOf)).slice(0, limit)
    },
    confirm: async (idOrPrefix, { applied = false } = {}) => {
      const now = clock.now()
      const { id, workspace } = await findEntry(storage, idOrPrefix)
      const citations = await currentCitations(id, workspace)
      return changeEntry(id, now, (entry) => {
        const next = withCitations(confirmed(entry, now, applied), citations)
        return { writes: [{ op: 'put', entry: next }], result: withoutFingerprints(next) }
      })
    },
    contradict: async (...given) => withoutFingerprints(await contradict(...given)),
    update: async (...given) => withoutFingerprints(await update(...given)),
    forget: (idOrPrefix) =>
      changeEntry(idOrPrefix, clock.now(), (entry) => ({
        writes: [{ op: 'end', id: entry.id, reason: 'forgotten' }],
        result: withoutFingerprints(entry),
      })),
    history: async (idOrPrefix) =>
      (await storage.history((await findEntry(storage, idOrPrefix)).id)).map((version) => ({
        ...version,
        entry: withoutFingerprints(version.entry),
      })),
    stats: async (workspace) => {
      assertWorkspace(workspace)
      return memoryStats(workspace, await storage.list(workspace), clock.now())
    },
    prune,
    consolidate: async (workspace) => {
      assertWorkspace(workspace)
      return storage.change(workspace, clock.now(), (current) => {
        const { writes, report } = planConsolidation(current)
        return { writes, result: report }
      })
    },
    section: async (workspace, { maxTokens, at } = {}) => {
      assertWorkspace(workspace)
      assertTimeOrAbsent(at, 'The time at which the session began')
      const entries = await storage.list(workspace, at === undefined ? {} : { asOf: at })
      const stale = await sectionChecks.of(workspace, at, entries)
      const begun = at ?? clock.now()
      return memorySection(
        entries.map((entry) => withStaleness(entry, stale)),
        { ...(maxTokens === undefined ? {} : { maxTokens }), at: begun, order: priorityOrder(begun, stale) },
      )
    },
    check: async (workspace, folder, options) => {
      assertWorkspace(workspace)
      assertName(folder, 'The folder to compare the memory with')
      const report = await checkStaleness({ storage, fileSystem, hasher, clock }, workspace, folder, options)
      return {
        ...report,
        checked: report.checked.map((finding) => ({
          ...finding,
          entry: withoutFingerprints(finding.entry),
          example: citationText(finding.example),
        })),
      }
    },
    exportText: async (workspace) => {
      assertWorkspace(workspace)
      return exportMemory(await storage.list(workspace), hasher)
    },
    importText: async (workspace, text, source, options = {}) => {
      assertWorkspace(workspace)
      assertText(text, 'The text of a memory file')
      assertTextOrAbsent(source, 'The name of a memory file')
      return importMemory({ storage, clock, ids, hasher, redact }, workspace, text, source, options)
    },
  }
}

/** A duplicate: what was known is confirmed, its places are added, and a higher confidence that was given counts. */
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

const notCurrent = (id: string): CairnError =>
  new CairnError('not-found', `The memory entry ${id} is not current any more; its history shows how it ended.`)
