/**
 * Compares the lines that entries cite with the current files. Writes new versions and deletes nothing; running it
 * again with the same files changes nothing.
 */
import { CairnError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import type { StaleCitation, StalenessReport, StalenessVerdict } from './memory.ts'
import {
  parseCitation,
  citationText,
  citedLines,
  formatExample,
  linesFingerprint,
  readCited,
  replaceCitations,
  type Citation,
  type CitedFile,
} from './staleness-citation.ts'

/** What a check reads and writes. */
export interface StalenessDeps {
  readonly storage: Pick<MemoryStorage, 'list' | 'change'>
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  readonly clock: Clock
}

/** The factor by which confidence falls when cited lines changed. */
const AFTER_CHANGE = 0.8
const AFTER_LOSS = 0.7
/** Maximum number of lines compared in a search for a moved passage. */
const SEARCH_EFFORT = 2_000_000
/** A passage with fewer letters and digits (`}`, `else:`) occurs often: finding it elsewhere proves nothing. */
const DISTINCTIVE_CHARACTERS = 8

type Finding = StalenessReport['checked'][number]

/** The result for one citation, and its new text. */
interface Outcome {
  readonly verdict: StalenessVerdict
  readonly detail: string
  readonly citation: Citation
  /** The factor applied to the confidence. */
  readonly factor: number
}

interface Plan {
  readonly examples: readonly string[]
  readonly factor: number
  readonly isMoved: boolean
}

/**
 * Checks all entries of a workspace against the files below `folder`, and writes those whose citations or confidence
 * change; entries whose citations somebody changed meanwhile are left alone. `checked` has every citation, `changed`
 * the ids of entries that moved or are less sure. With `dryRun` nothing is written, and `changed` lists what would be.
 * @throws CairnError `not-found` if there is no such folder, because all citations would seem lost.
 */
export const checkStaleness = async (
  { storage, fileSystem, hasher, clock }: StalenessDeps,
  workspace: string,
  folder: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<StalenessReport> => {
  if ((await fileSystem.stat(folder))?.kind !== 'directory')
    throw new CairnError('not-found', `There is no folder ${folder} to compare the memory with.`)
  const files = new Map<string, Promise<CitedFile>>()
  const fileAt = (path: string): Promise<CitedFile> => {
    const known = files.get(path) ?? readCited(fileSystem, folder, path)
    files.set(path, known)
    return known
  }

  const today = dayOf(clock.now())
  const checked: Finding[] = []
  const plans = new Map<string, Plan & { readonly read: MemoryEntry }>()
  for (const entry of await storage.list(workspace)) {
    const outcomes: (Outcome | undefined)[] = []
    for (const example of entry.examples) {
      const citation = parseCitation(example)
      const outcome =
        citation === undefined ? undefined : compareCitation(citation, await fileAt(citation.path), hasher, today)
      outcomes.push(outcome)
      if (outcome !== undefined) checked.push({ entry, example, verdict: outcome.verdict, detail: outcome.detail })
    }
    const plan = planCheck(entry, outcomes)
    if (plan !== undefined) plans.set(entry.id, { ...plan, read: entry })
  }
  const changed = [...plans].flatMap(([id, { factor, isMoved }]) => (factor < 1 || isMoved ? [id] : []))
  if (plans.size === 0 || dryRun) return { checked, changed }

  const written = await storage.change(workspace, clock.now(), (current) => {
    const entries = current.flatMap((entry) => {
      const plan = plans.get(entry.id)
      // Who changed the citations meanwhile knows better; the next check looks at theirs.
      if (plan === undefined || !isSame(entry.examples, plan.read.examples)) return []
      return [{ ...entry, examples: plan.examples, confidence: withLoweredConfidence(entry.confidence, plan.factor) }]
    })
    return { writes: entries.map((entry) => ({ op: 'put', entry })), result: new Set(entries.map(({ id }) => id)) }
  })
  return { checked, changed: changed.filter((id) => written.has(id)) }
}

/**
 * The change of an entry after a check; undefined if there is none. `outcomes`: by example, undefined for one that
 * cites nothing. Its factor is the worst of them.
 */
const planCheck = (entry: MemoryEntry, outcomes: readonly (Outcome | undefined)[]): Plan | undefined => {
  const examples = [...new Set(entry.examples.map((example, index) => updatedExample(example, outcomes[index])))]
  const isMoved = outcomes.some((outcome) => outcome?.verdict === 'moved')
  // One change of a file can touch several citations of an entry: it counts once, by the worst of them.
  const factor = Math.min(1, ...outcomes.map((outcome) => outcome?.factor ?? 1))
  return factor === 1 && isSame(examples, entry.examples) ? undefined : { examples, factor, isMoved }
}

const updatedExample = (example: string, outcome: Outcome | undefined): string =>
  outcome === undefined ? example : formatExample(outcome.citation)
const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((example, index) => example === right[index])
/** The lowered confidence, to three digits; unchanged if nothing lowers it. */
const withLoweredConfidence = (confidence: number, factor: number): number =>
  factor === 1 ? confidence : Math.round(confidence * factor * 1000) / 1000

/** Maximum number of files checked for one answer. */
const MAX_FILES = 500

/** What the files say about an entry. */
export interface Staleness {
  readonly citations: readonly StaleCitation[]
  /** The factor for its confidence when ranking; a change already counted by a check does not count again. */
  readonly factor: number
}

/**
 * Entries whose cited lines changed or are missing in the current files, by id; citations without a fingerprint are not
 * compared, nor more than 500 files. Writes nothing. Empty if the project's folder is not on this machine.
 */
export const findStaleEntries = async (
  entries: readonly MemoryEntry[],
  { fileSystem, hasher, clock }: Omit<StalenessDeps, 'storage'>,
): Promise<ReadonlyMap<string, Staleness>> => {
  const today = dayOf(clock.now())
  const files = new Map<string, Promise<CitedFile | undefined>>()
  const folders = new Map<string, Promise<boolean>>()
  /** Whether a folder is on this machine; looked up once for each. */
  const isHere = (folder: string): Promise<boolean> => {
    const known = folders.get(folder) ?? isFolder(fileSystem, folder)
    folders.set(folder, known)
    return known
  }
  const fileAt = (folder: string, path: string): Promise<CitedFile | undefined> => {
    const key = JSON.stringify([folder, path])
    const known =
      files.get(key) ??
      (files.size < MAX_FILES ? readCited(fileSystem, folder, path) : Promise.resolve<undefined>(undefined))
    files.set(key, known)
    return known
  }
  const found = new Map<string, Staleness>()
  for (const entry of entries) {
    const citations: StaleCitation[] = []
    let factor = 1
    for (const example of entry.examples) {
      const citation = parseCitation(example)
      // What was never seen can't be missed.
      if (citation?.fingerprint === undefined || !(await isHere(entry.workspace))) continue
      const file = await fileAt(entry.workspace, citation.path)
      if (file === undefined) continue
      const outcome = compareCitation(citation, file, hasher, today)
      const { verdict, detail } = outcome
      if (verdict !== 'changed' && verdict !== 'missing') continue
      citations.push({ place: citationText(example), verdict, detail })
      factor = Math.min(factor, outcome.factor)
    }
    if (citations.length > 0) found.set(entry.id, { citations, factor })
  }
  return found
}

/** Whether a folder exists; false if it can't be checked. */
const isFolder = async (fileSystem: FileSystem, folder: string): Promise<boolean> => {
  try {
    return (await fileSystem.stat(folder))?.kind === 'directory'
  } catch {
    return false
  }
}

/** `2026-01-31` */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, '2026-01-31'.length)

/**
 * What became of the cited lines: `current`, `moved` (found elsewhere), `changed`, `missing`, or `unchecked` if the
 * file can't be read or there was no fingerprint to compare with. The citation comes back with where they are now, its
 * first fingerprint, or its mark. `factor` is what the confidence is multiplied by: 1 unless the lines have just
 * changed or gone.
 * @param today `2026-01-31`
 */
const compareCitation = (citation: Citation, file: CitedFile, hasher: Hasher, today: string): Outcome => {
  if (file.found === 'unreadable') return { verdict: 'unchecked', detail: file.why, citation, factor: 1 }
  if (file.found === 'missing') return lostOutcome(citation, 'the file is not there')
  const lines = citedLines(file.lines, citation)
  const now = lines === undefined ? undefined : linesFingerprint(lines, hasher)
  if (citation.fingerprint === undefined) {
    if (now === undefined) return lostOutcome(citation, `the file ends at line ${file.lines.length}`)
    return {
      verdict: 'unchecked',
      detail: 'seen for the first time; the next check compares',
      citation: { ...citation, fingerprint: now },
      factor: 1,
    }
  }
  if (now === citation.fingerprint)
    return { verdict: 'current', detail: 'the lines are as they were', citation: confirmAgain(citation), factor: 1 }
  const from = findPassage(file.lines, citation, citation.fingerprint, hasher)
  if (from !== undefined) {
    const moved = { ...confirmAgain(citation), from, to: from + citation.to - citation.from }
    return {
      verdict: 'moved',
      detail: `the lines are now at ${moved.from}${moved.to === moved.from ? '' : `-${moved.to}`}`,
      citation: moved,
      factor: 1,
    }
  }
  if (now === undefined) return lostOutcome(citation, `the file ends at line ${file.lines.length}`)
  // What the lines said when the entry was true stays the measure, until somebody says that it is true still.
  const { changedOn = today } = citation
  const isNew = citation.changedOn === undefined && !citation.isMissing
  return {
    verdict: 'changed',
    detail:
      changedOn === today ? 'the lines say something else now' : `the lines say something else since ${changedOn}`,
    citation: { ...citation, isMissing: false, changedOn },
    factor: isNew ? AFTER_CHANGE : 1,
  }
}

const confirmAgain = (citation: Citation): Citation => ({ ...citation, isMissing: false, changedOn: undefined })

/**
 * The examples, in order; changed citations get the fingerprint of their current lines, all others stay. An example
 * that cites nothing stays as well.
 */
export const refreshFingerprints = (
  examples: readonly string[],
  folder: string,
  fileSystem: FileSystem,
  hasher: Hasher,
): Promise<readonly string[]> =>
  replaceCitations(examples, folder, fileSystem, (citation, lines, file) =>
    citation.fingerprint !== undefined && compareCitation(citation, file, hasher, '').verdict === 'changed'
      ? { ...confirmAgain(citation), fingerprint: linesFingerprint(lines, hasher) }
      : undefined,
  )

/**
 * The outcome for lines that are missing, with why. They lower the confidence only if they were seen before, and only
 * once: leaving a branch and returning must not count twice.
 */
const lostOutcome = (citation: Citation, detail: string): Outcome => {
  const isNew = citation.fingerprint !== undefined && !citation.isMissing
  // What had changed before has cost its confidence.
  return {
    verdict: 'missing',
    detail,
    citation: isNew ? { ...citation, isMissing: true } : citation,
    factor: isNew && citation.changedOn === undefined ? AFTER_LOSS : 1,
  }
}

/**
 * The line (from 1) where the same passage begins now, the nearest one; undefined if nowhere, if the passage is too
 * common to be told (such as empty lines), or if searching would take too long.
 */
const findPassage = (
  lines: readonly string[],
  { from, to }: Citation,
  fingerprint: string,
  hasher: Hasher,
): number | undefined => {
  const length = to - from + 1
  if (length > lines.length || (lines.length - length + 1) * length > SEARCH_EFFORT) return undefined
  let nearest: number | undefined
  for (let start = 1; start + length - 1 <= lines.length; start++) {
    if (nearest !== undefined && Math.abs(start - from) >= Math.abs(nearest - from)) continue
    const passage = lines.slice(start - 1, start - 1 + length)
    if (linesFingerprint(passage, hasher) === fingerprint && isDistinctive(passage)) nearest = start
  }
  return nearest
}

/** Whether lines have enough letters for finding them elsewhere to be significant. */
const isDistinctive = (lines: readonly string[]): boolean =>
  (lines.join(' ').match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= DISTINCTIVE_CHARACTERS
