/**
 * Imports entries from a team's memory file or from CLIO's memory. Imports are idempotent, and of two versions of an
 * entry the newer one wins, in whichever direction they are imported.
 */
import { CairnError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import type { MemoryEntry, MemoryStorage, MemoryVersion } from '../ports/memory-storage.ts'
import type { Redact } from '../redaction/index.ts'
import { dayText } from '../time-text.ts'
import { looksLikeJson, parseClioMemory } from './clio-import.ts'
import { defaultConfidence } from './confidence.ts'
import type { ImportOptions, MemoryImportReport } from './memory.ts'
import { cutLine, plainLine } from './section-text.ts'
import { joinExamples, MAX_EXAMPLE_CHARACTERS, MAX_TEXT_CHARACTERS } from './memory-input.ts'
import { wordKey } from './same-words.ts'
import { parseMemoryFile, type SharedEntry, type SkippedLine } from './sharing-file.ts'

/** What importing a memory file needs. */
export interface SharingDeps {
  readonly storage: Pick<MemoryStorage, 'change' | 'history'>
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: Hasher
  readonly redact: Redact
}

/** Maximum characters of an entry's text quoted in a message. */
const QUOTED_CHARACTERS = 60

/** Tolerance: clocks differ by minutes, not by days. */
const CLOCK_SKEW_MS = 86_400_000

interface Numbered {
  readonly line: number
  readonly entry: SharedEntry
}

/** An incoming entry, and what this store knows about its id. */
interface Incoming {
  readonly entry: SharedEntry
  /** Its id in this store if it is new here. */
  readonly id: string
  /** Its versions here, oldest first. */
  readonly past: readonly MemoryVersion[]
}

/**
 * Imports a memory file, or CLIO's memory as JSON, into a workspace, in one atomic step; the report has how many were
 * added, updated and unchanged. With `dryRun`, nothing is written. What is skipped is in order of its lines.
 * @param source the author of entries that name none; default `import`, or `import:clio`
 * @throws CairnError `invalid-input` for JSON that is not a memory of CLIO, and for a file with lines of which none is
 * an entry; an empty one imports nothing
 */
export const importMemory = async (
  deps: SharingDeps,
  workspace: string,
  text: string,
  source?: string,
  { dryRun = false }: ImportOptions = {},
): Promise<MemoryImportReport> => {
  const isJson = looksLikeJson(text)
  const { entries, skipped, conflicts } = isJson ? parseClioMemory(text) : parseMemoryFile(text)
  if (entries.length === 0 && skipped.length > 0 && !isJson)
    throw new CairnError(
      'invalid-input',
      `This is no memory file: none of its lines is an entry (line ${skipped[0]?.line ?? 1}: ${skipped[0]?.reason ?? 'unknown'}). Nothing was taken in.`,
    )
  const now = deps.clock.now()
  const { taken, refused } = newestVersions(entries, now, deps.redact)
  const incoming: Incoming[] = []
  for (const entry of taken) incoming.push(await assignId(entry, workspace, deps))
  const writer = source ?? (isJson ? 'import:clio' : 'import')
  const counts = await deps.storage.change(workspace, now, (current) => {
    const { written, unchanged } = mergeAll(current, incoming, (given) => newFromShared(given, workspace, writer, now))
    const before = new Set(current.map(({ id }) => id))
    const added = written.filter(({ id }) => !before.has(id)).length
    return {
      writes: dryRun ? [] : written.map((entry) => ({ op: 'put', entry })),
      result: { added, updated: written.length - added, unchanged },
    }
  })
  return {
    ...counts,
    skipped: [...skipped, ...refused].sort((left, right) => left.line - right.line),
    ...(conflicts === undefined ? {} : { conflicts }),
  }
}

/**
 * The redacted entries of a file, of several with one id the newest ({@link isNewer}); `refused` has the lines of those
 * that are too long, from the future, or an older version with other content.
 */
const newestVersions = (
  entries: ReturnType<typeof parseMemoryFile>['entries'],
  now: number,
  redact: Redact,
): { readonly taken: readonly SharedEntry[]; readonly refused: readonly SkippedLine[] } => {
  const refused: SkippedLine[] = []
  const taken = new Map<string, Numbered>()
  for (const { line, entry, position } of entries) {
    const clean = { line, entry: withoutSecrets(entry, redact) }
    const reason = reasonAgainst(clean.entry, now)
    if (reason !== undefined) {
      refused.push({ line, reason: `${position === undefined ? '' : `${position}: `}${reason}` })
      continue
    }
    // Both sides of a conflict may hold a version of an entry. Which one wins must not depend on what is known here.
    const key = entry.id ?? `line ${line}, ${taken.size}`
    const other = taken.get(key)
    const [winner, loser] = other === undefined || isNewer(clean.entry, other.entry) ? [clean, other] : [other, clean]
    if (loser !== undefined && contentKey(loser.entry) !== contentKey(winner.entry))
      refused.push({ line: loser.line, reason: `line ${winner.line} is a newer version of the same entry` })
    taken.set(key, winner)
  }
  return { taken: [...taken.values()].map(({ entry }) => entry), refused }
}

/**
 * Merges incoming entries into the current ones; returns those to write, and the number of incoming ones that change
 * nothing. An entry is known by its id, else by its kind and words; a new one is made by `newEntry`, and counts as
 * unchanged where that gives undefined.
 */
const mergeAll = (
  current: readonly MemoryEntry[],
  incoming: readonly Incoming[],
  newEntry: (given: Incoming) => MemoryEntry | undefined,
): { readonly written: readonly MemoryEntry[]; readonly unchanged: number } => {
  const before = new Map(current.map((entry) => [entry.id, entry]))
  const after = new Map(before)
  const idByWords = new Map(current.map((entry) => [wordsOf(entry), entry.id]))
  let unchanged = 0
  for (const given of incoming) {
    const known = after.get(given.id) ?? after.get(idByWords.get(wordsOf(given.entry)) ?? '')
    const next = known === undefined ? newEntry(given) : mergedWith(known, given)
    if (next === undefined || (known !== undefined && isSame(known, next))) {
      unchanged += 1
      continue
    }
    after.set(next.id, next)
    if (known !== undefined && idByWords.get(wordsOf(known)) === known.id) idByWords.delete(wordsOf(known))
    idByWords.set(wordsOf(next), next.id)
  }
  return { written: [...after.values()].filter((entry) => before.get(entry.id) !== entry), unchanged }
}

/** Merges an entry with an incoming one: with the same id as another version, otherwise as evidence. */
const mergedWith = (known: MemoryEntry, given: Incoming): MemoryEntry =>
  known.id === given.id ? mergeShared(known, given) : withEvidence(known, given.entry)

const wordsOf = ({ kind, text }: Pick<MemoryEntry, 'kind' | 'text'>): string => `${kind} ${wordKey(text)}`

/** The entry with its secrets replaced. */
const withoutSecrets = (entry: SharedEntry, redact: Redact): SharedEntry => ({
  ...entry,
  text: redact(entry.text).text,
  ...(entry.source === undefined ? {} : { source: redact(entry.source).text }),
  ...(typeof entry.commit === 'string' ? { commit: redact(entry.commit).text } : {}),
  ...(entry.examples === undefined
    ? {}
    : { examples: joinExamples(entry.examples.map((example) => redact(example).text)) }),
})

/** Why an entry can't be imported, as one sentence: it is too long or from the future; undefined if it can. */
const reasonAgainst = (
  { text, examples = [], firstSeenAt = 0, lastConfirmedAt = 0 }: SharedEntry,
  now: number,
): string | undefined => {
  const named = JSON.stringify(cutLine(plainLine(text), QUOTED_CHARACTERS))
  if (text.length > MAX_TEXT_CHARACTERS)
    return `${named}: its text is longer than ${MAX_TEXT_CHARACTERS.toLocaleString('en-US')} characters`
  if (examples.some((example) => example.length > MAX_EXAMPLE_CHARACTERS))
    return `${named}: an example is longer than ${MAX_EXAMPLE_CHARACTERS.toLocaleString('en-US')} characters`
  const latest = Math.max(firstSeenAt, lastConfirmedAt)
  return latest > now + CLOCK_SKEW_MS
    ? `${named}: its time, ${dayText(latest) ?? String(latest)}, lies in the future`
    : undefined
}

/**
 * The id of an incoming entry. Checkouts on one machine share a store, so an id used by another workspace is left
 * alone, and the entry gets a new id here. One without an id gets a new one.
 */
const assignId = async (
  entry: SharedEntry,
  workspace: string,
  { storage, ids, hasher }: SharingDeps,
): Promise<Incoming> => {
  if (entry.id === undefined) return { entry, id: ids.next(), past: [] }
  const past = await storage.history(entry.id)
  if (past.every((version) => version.entry.workspace === workspace)) return { entry, id: entry.id, past }
  const id = `${entry.id.slice(0, 10)}${hasher.sha256(`${workspace}\n${entry.id}`).slice(0, 16).toUpperCase()}`
  return { entry, id, past: await storage.history(id) }
}

/** The human-readable part of an entry; versions with equal keys count as the same version. */
const contentKey = ({ kind, text, confidence, examples }: SharedEntry): string =>
  JSON.stringify([kind, text, confidence ?? null, examples ?? []])
/** Whether two entries have the same fields, in any order. */
const isSame = (left: MemoryEntry, right: MemoryEntry): boolean =>
  JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort())
const evidence = ({ applications = 0, confirmations = 0, contradictions = 0 }: SharedEntry): number =>
  applications + confirmations + contradictions

/** Whether the first of two versions is newer: confirmed later, then with more evidence, then by content. */
const isNewer = (left: SharedEntry, right: SharedEntry): boolean => {
  const [leftTime, rightTime] = [left.lastConfirmedAt ?? 0, right.lastConfirmedAt ?? 0]
  if (leftTime !== rightTime) return leftTime > rightTime
  return evidence(left) === evidence(right) ? contentKey(left) > contentKey(right) : evidence(left) > evidence(right)
}

/**
 * A new entry as the file has it; what it leaves out gets defaults. Undefined if it was ended here, and not confirmed
 * there since then.
 */
const newFromShared = (
  { entry, id, past }: Incoming,
  workspace: string,
  source: string,
  now: number,
): MemoryEntry | undefined => {
  const ended = past.at(-1)?.validTo
  const { kind, text, lastConfirmedAt = now } = entry
  if (ended !== undefined && ended !== null && lastConfirmedAt <= ended) return undefined
  return {
    id,
    workspace,
    kind,
    text,
    confidence: entry.confidence ?? defaultConfidence(kind),
    examples: entry.examples ?? [],
    ...provenanceOf(entry),
    source: (entry.source ?? source).slice(0, 200),
    firstSeenAt: Math.min(entry.firstSeenAt ?? lastConfirmedAt, lastConfirmedAt),
    lastConfirmedAt,
    ...evidenceOf(entry),
  }
}

/** Where an entry comes from; null for what the file does not say. */
const provenanceOf = ({ sessionId = null, messageId = null, commit = null }: SharedEntry) => ({
  sessionId,
  messageId,
  commit,
})

/** How often an entry was used and judged; 0 for what the file does not say. */
const evidenceOf = ({ applications = 0, confirmations = 0, contradictions = 0 }: SharedEntry) => ({
  applications,
  confirmations,
  contradictions,
})

/**
 * Merges two versions of an entry: the most recently confirmed wins, at equal times the one with more evidence
 * (applications, confirmations, contradictions), else the incoming one. A version that this store had before never
 * wins. Times and counts are those of {@link withEvidence}, whichever wins.
 */
const mergeShared = (ours: MemoryEntry, { entry: theirs, past }: Incoming): MemoryEntry => {
  const isKnown = past.some((version) => contentKey(version.entry) === contentKey(theirs))
  const [theirTime, ourTime] = [theirs.lastConfirmedAt ?? 0, ours.lastConfirmedAt]
  const isLater = theirTime > ourTime || (theirTime === ourTime && evidence(theirs) >= evidence(ours))
  const { kind, text, confidence, examples, sessionId, messageId, commit } =
    isLater && !isKnown ? { ...ours, ...theirs } : ours
  return { ...withEvidence(ours, theirs), kind, text, confidence, examples, sessionId, messageId, commit }
}

/**
 * Adds evidence from elsewhere to an entry: the earliest and the latest time, and of each count the higher one. Counts
 * are not added up, because the same report may arrive again.
 */
const withEvidence = (ours: MemoryEntry, theirs: SharedEntry): MemoryEntry => ({
  ...ours,
  firstSeenAt: Math.min(ours.firstSeenAt, theirs.firstSeenAt ?? ours.firstSeenAt),
  lastConfirmedAt: Math.max(ours.lastConfirmedAt, theirs.lastConfirmedAt ?? 0),
  applications: Math.max(ours.applications, theirs.applications ?? 0),
  confirmations: Math.max(ours.confirmations, theirs.confirmations ?? 0),
  contradictions: Math.max(ours.contradictions, theirs.contradictions ?? 0),
})
