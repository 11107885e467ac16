/**
 * Takes in entries that come from elsewhere: a memory file of a team, or CLIO's memory. Once more takes in nothing, and
 * of two versions of an entry the newer stands, whoever imports from whom.
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

/** What reading a memory file needs. */
export interface SharingDeps {
  readonly storage: Pick<MemoryStorage, 'change' | 'history'>
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: Hasher
  readonly redact: Redact
}

/** Of an entry's text, where a sentence names it. */
const QUOTED_CHARACTERS = 60

/** Clocks differ by minutes, not by days. */
const CLOCK_SKEW_MS = 86_400_000

interface Numbered {
  readonly line: number
  readonly entry: SharedEntry
}

/** An incoming entry, and what this store knows of its id. */
interface Incoming {
  readonly entry: SharedEntry
  /** What it is called here, should it be new. */
  readonly id: string
  /** Its versions here, the oldest first. */
  readonly past: readonly MemoryVersion[]
}

/**
 * @param source who is named as the writer of entries that name none; default `import`, or `import:clio`
 * @throws CairnError `invalid-input` for a JSON that is no memory of CLIO, and for a file with nothing in it that can be read.
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
  const refused: SkippedLine[] = []
  const taken = new Map<string, Numbered>()
  for (const { line, entry, position } of entries) {
    const clean = { line, entry: withoutSecrets(entry, deps.redact) }
    const reason = reasonAgainst(clean.entry, now)
    if (reason !== undefined) {
      refused.push({ line, reason: `${position === undefined ? '' : `${position}: `}${reason}` })
      continue
    }
    // Both sides of a conflict may hold a version of an entry. Which one stands must not hang on what is known here.
    const key = entry.id ?? `line ${line}, ${taken.size}`
    const other = taken.get(key)
    const [winner, loser] = other === undefined || isNewer(clean.entry, other.entry) ? [clean, other] : [other, clean]
    if (loser !== undefined && contentKey(loser.entry) !== contentKey(winner.entry))
      refused.push({ line: loser.line, reason: `line ${winner.line} is a newer version of the same entry` })
    taken.set(key, winner)
  }
  const incoming: Incoming[] = []
  for (const { entry } of taken.values()) incoming.push(await assignId(entry, workspace, deps))
  const writer = source ?? (isJson ? 'import:clio' : 'import')
  const counts = await deps.storage.change(workspace, now, (current) => {
    const before = new Map(current.map((entry) => [entry.id, entry]))
    const after = new Map(before)
    const saying = new Map(current.map((entry) => [wordsOf(entry), entry.id]))
    let unchanged = 0
    for (const given of incoming) {
      const twin = saying.get(wordsOf(given.entry))
      const known = after.get(given.id) ?? after.get(twin ?? '')
      const next =
        known === undefined
          ? newFromShared(given, workspace, writer, now)
          : known.id === given.id
            ? mergeShared(known, given)
            : withEvidence(known, given.entry)
      if (next === undefined || (known !== undefined && isSame(known, next))) {
        unchanged += 1
        continue
      }
      after.set(next.id, next)
      if (known !== undefined && saying.get(wordsOf(known)) === known.id) saying.delete(wordsOf(known))
      saying.set(wordsOf(next), next.id)
    }
    const written = [...after.values()].filter((entry) => before.get(entry.id) !== entry)
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

const wordsOf = ({ kind, text }: Pick<MemoryEntry, 'kind' | 'text'>): string => `${kind} ${wordKey(text)}`

const withoutSecrets = (entry: SharedEntry, redact: Redact): SharedEntry => ({
  ...entry,
  text: redact(entry.text).text,
  ...(entry.source === undefined ? {} : { source: redact(entry.source).text }),
  ...(typeof entry.commit === 'string' ? { commit: redact(entry.commit).text } : {}),
  ...(entry.examples === undefined
    ? {}
    : { examples: joinExamples(entry.examples.map((example) => redact(example).text)) }),
})

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

/** A second checkout on the same machine shares the store: what an id stands for there is left alone, and gets an id of its own here. */
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

/** What of an entry a person can read; two versions of the same reading are the same version. */
const contentKey = ({ kind, text, confidence, examples }: SharedEntry): string =>
  JSON.stringify([kind, text, confidence ?? null, examples ?? []])
const isSame = (left: MemoryEntry, right: MemoryEntry): boolean =>
  JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort())
const evidence = ({ applications = 0, confirmations = 0, contradictions = 0 }: SharedEntry): number =>
  applications + confirmations + contradictions

const isNewer = (left: SharedEntry, right: SharedEntry): boolean => {
  const [leftTime, rightTime] = [left.lastConfirmedAt ?? 0, right.lastConfirmedAt ?? 0]
  if (leftTime !== rightTime) return leftTime > rightTime
  return evidence(left) === evidence(right) ? contentKey(left) > contentKey(right) : evidence(left) > evidence(right)
}

/** A new entry; undefined when it was ended here after it was last confirmed there. */
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
    sessionId: entry.sessionId ?? null,
    messageId: entry.messageId ?? null,
    commit: entry.commit ?? null,
    source: (entry.source ?? source).slice(0, 200),
    firstSeenAt: Math.min(entry.firstSeenAt ?? lastConfirmedAt, lastConfirmedAt),
    lastConfirmedAt,
    applications: entry.applications ?? 0,
    confirmations: entry.confirmations ?? 0,
    contradictions: entry.contradictions ?? 0,
  }
}

/** Two versions of one entry. The one confirmed last says what is so; of equal ones the one that was not known here. */
const mergeShared = (ours: MemoryEntry, { entry: theirs, past }: Incoming): MemoryEntry => {
  const isKnown = past.some((version) => contentKey(version.entry) === contentKey(theirs))
  const [theirTime, ourTime] = [theirs.lastConfirmedAt ?? 0, ours.lastConfirmedAt]
  const isLater = theirTime > ourTime || (theirTime === ourTime && evidence(theirs) >= evidence(ours))
  const { kind, text, confidence, examples, sessionId, messageId, commit } =
    isLater && !isKnown ? { ...ours, ...theirs } : ours
  return { ...withEvidence(ours, theirs), kind, text, confidence, examples, sessionId, messageId, commit }
}

/** The entry with what elsewhere was found out about its truth. Nothing is added up: the same report may come again. */
const withEvidence = (ours: MemoryEntry, theirs: SharedEntry): MemoryEntry => ({
  ...ours,
  firstSeenAt: Math.min(ours.firstSeenAt, theirs.firstSeenAt ?? ours.firstSeenAt),
  lastConfirmedAt: Math.max(ours.lastConfirmedAt, theirs.lastConfirmedAt ?? 0),
  applications: Math.max(ours.applications, theirs.applications ?? 0),
  confirmations: Math.max(ours.confirmations, theirs.confirmations ?? 0),
  contradictions: Math.max(ours.contradictions, theirs.contradictions ?? 0),
})
