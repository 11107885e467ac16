/**
 * Prepares input from people and agents: validates it, redacts secrets, and makes dates absolute. Each refusal is one
 * sentence.
 */
import { CairnError } from '../errors.ts'
import { assertBound, assertObject, assertTextOrAbsent, echoed, isListOfTexts, shownValue } from '../input.ts'
import { MEMORY_KINDS, type MemoryEntry, type MemoryKind } from '../ports/memory-storage.ts'
import type { Redact } from '../redaction/index.ts'
import { resolveRelativeDates } from './relative-dates.ts'
import type { MemoryListing, NewMemory, Provenance } from './memory.ts'
import { citationText, isWrongCitation } from './staleness-citation.ts'

/** An entry is a fact, not a file. */
export const MAX_TEXT_CHARACTERS = 20_000
const MAX_EXAMPLES = 50
/** Maximum number of characters in an example. */
export const MAX_EXAMPLE_CHARACTERS = 1_000
const MAX_WORKSPACE_CHARACTERS = 4_096
const MAX_SOURCE_CHARACTERS = 200

const refused = (sentence: string): CairnError => new CairnError('invalid-input', sentence)
const counted = (count: number): string => count.toLocaleString('en-US')

/** How to prepare texts before they are stored. */
export interface Preparation {
  readonly redact: Redact
  /** ms; the time to which "yesterday" refers. */
  readonly now: number
  /** IANA name. */
  readonly timeZone: string
}

/** A trimmed and redacted text with absolute dates. */
export interface PreparedText {
  readonly text: string
  readonly redactions: number
}

/**
 * Throws unless the workspace is a non-empty text of acceptable length.
 * @throws CairnError `invalid-input`
 */
export const assertWorkspace = (workspace: string): void => {
  if (typeof workspace !== 'string' || workspace.trim() === '')
    throw refused('A memory entry belongs to a workspace: say which one.')
  if (workspace.length > MAX_WORKSPACE_CHARACTERS)
    throw refused(
      `The workspace's path has ${counted(workspace.length)} characters; the most are ${counted(MAX_WORKSPACE_CHARACTERS)}.`,
    )
}

/**
 * Throws for an unknown kind, listing the valid ones.
 * @throws CairnError `invalid-input`
 */
export const assertKind = (kind: string): void => {
  if (!MEMORY_KINDS.some((known) => known === kind))
    throw refused(`${shownValue(kind)} is no kind of memory entry: use ${MEMORY_KINDS.join(', ')}.`)
}

/**
 * Throws unless the confidence is a number from 0 to 1.
 * @throws CairnError `invalid-input`
 */
export const assertConfidence = (confidence: number): void => {
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    throw refused(`A confidence is a number from 0 to 1, not ${shownValue(confidence)}.`)
}

/**
 * Validates, trims and redacts an entry's text and makes its dates absolute; returns the number of replaced secrets.
 * @throws CairnError `invalid-input` for an empty text and one over the limit
 */
export const prepareText = (given: string, { redact, now, timeZone }: Preparation): PreparedText => {
  if (typeof given !== 'string' || given.trim() === '') throw refused('A memory entry needs a text.')
  if (given.length > MAX_TEXT_CHARACTERS)
    throw refused(
      `The text has ${counted(given.length)} characters; a memory entry holds at most ${counted(MAX_TEXT_CHARACTERS)}. Keep what matters, and name the file that holds the rest.`,
    )
  const { text, count } = redact(given.trim())
  return { text: resolveRelativeDates(text, now, timeZone), redactions: count }
}

/**
 * The examples trimmed and redacted, without empty and repeated ones, and the number of replaced secrets.
 * @throws CairnError `invalid-input` for too many examples, one that is too long, and a citation with impossible line
 * numbers.
 */
export const prepareExamples = (
  given: readonly string[],
  redact: Redact,
): { readonly examples: readonly string[]; readonly redactions: number } => {
  if (!isListOfTexts(given))
    throw refused('The examples of a memory entry are a list of texts, each <file>:<line> or a few words.')
  const long = given.find((example) => example.length > MAX_EXAMPLE_CHARACTERS)
  if (long !== undefined)
    throw refused(
      `An example has ${counted(long.length)} characters; the most are ${counted(MAX_EXAMPLE_CHARACTERS)}: name the place as <file>:<line>.`,
    )
  const wrong = given.find((example) => isWrongCitation(example.trim()))
  if (wrong !== undefined)
    throw refused(
      `The example '${echoed(wrong.trim())}' names no line: lines are counted from 1, and a range begins before it ends (<file>:<line> or <file>:<from>-<to>).`,
    )
  let redactions = 0
  const examples = given
    .map((example) => {
      const { text, count } = redact(example.trim())
      redactions += count
      return text
    })
    .filter((example) => example !== '')
  const distinct = [...new Set(examples)]
  if (distinct.length > MAX_EXAMPLES)
    throw refused(`There are ${counted(distinct.length)} examples; a memory entry holds at most ${MAX_EXAMPLES}.`)
  return { examples: distinct, redactions }
}

/**
 * Joins lists of examples of one entry, in order, without repetitions; the first fifty. A citation that occurs again
 * stays at its place, in its last form with a fingerprint if there is one.
 */
export const joinExamples = (...lists: readonly (readonly string[])[]): readonly string[] => {
  const joined = new Map<string, string>()
  for (const example of lists.flat()) {
    const position = citationText(example)
    if (position !== example || !joined.has(position)) joined.set(position, example)
  }
  return [...joined.values()].slice(0, MAX_EXAMPLES)
}

/** The data of a new entry. */
export interface EntryFacts extends Provenance {
  readonly id: string
  readonly workspace: string
  readonly kind: MemoryKind
  readonly text: string
  readonly confidence: number
  readonly examples: readonly string[]
}

/**
 * Creates an entry first seen now (ms), without confirmations.
 * @throws CairnError `invalid-input` for a source that is too long
 */
export const newEntry = (
  { id, workspace, kind, text, confidence, examples, sessionId, messageId, commit, source = 'user' }: EntryFacts,
  now: number,
): MemoryEntry => {
  if (source.length > MAX_SOURCE_CHARACTERS)
    throw refused(`The name of an entry's source has at most ${MAX_SOURCE_CHARACTERS} characters.`)
  return {
    id,
    workspace,
    kind,
    text,
    confidence,
    examples,
    sessionId: sessionId ?? null,
    messageId: messageId ?? null,
    commit: commit ?? null,
    source,
    firstSeenAt: now,
    lastConfirmedAt: now,
    applications: 0,
    confirmations: 0,
    contradictions: 0,
  }
}

/**
 * Throws for data of a new entry that has the wrong type.
 * @throws CairnError `invalid-input`
 */
export const assertNewMemory = (input: NewMemory): void => {
  assertObject(input, 'A new memory entry')
  assertWorkspace(input.workspace)
  assertKind(input.kind)
  if (input.confidence !== undefined) assertConfidence(input.confidence)
  assertProvenance(input)
}

/**
 * Throws for a provenance whose fields are of the wrong type.
 * @throws CairnError `invalid-input`
 */
export const assertProvenance = (provenance: Provenance): void => {
  assertObject(provenance, 'Where a memory entry is from')
  for (const name of ['sessionId', 'messageId', 'commit', 'source'] as const)
    assertTextOrAbsent(provenance[name], `The ${name} of a memory entry`)
}

/**
 * Throws for listing options of the wrong type.
 * @throws CairnError `invalid-input`
 */
export const assertListing = (listing: MemoryListing): void => {
  assertObject(listing, 'Which memory entries are listed')
  if (listing.kind !== undefined) assertKind(listing.kind)
  assertBound(listing.asOf, 'The time as of which the memory is asked')
}
