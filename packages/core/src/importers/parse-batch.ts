/**
 * Turns a batch of a file's items into what the storage keeps: sessions with their entries, the source
 * lines in runs, and what was left out. Each item is decoded once, redacted, and parsed once.
 */
import { messageOf } from '../errors.ts'
import { parseJson, type JsonValue, type ParsedJson } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { SessionBatch, SourceRun } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { withoutBrokenSignatures } from '../redaction/broken-signatures.ts'
import { pricedRequest } from '../usage/priced-request.ts'
import {
  NO_ENTRIES,
  type DocumentFormat,
  type FileParser,
  type LineContext,
  type ParsedLine,
  type WrongCost,
} from './importer.ts'
import { NESTED_DEEPLY, NUL, NULS_LEFT_OUT, trimNuls } from './line-values.ts'
import type { SourceItem } from './lines.ts'
import type { Pauses } from './pauses.ts'
import { createSessionFolders, type SessionFolders } from './session-folders.ts'

/** What parsing a batch needs. */
export interface ParseDeps {
  readonly hasher: Hasher
  readonly priceBook: PriceBook
  readonly clock: Clock
  readonly redact: (text: string) => { readonly text: string; readonly count: number }
  /** Taken between lines when they are due. */
  readonly pauses: Pauses
  /** Whether nothing of a session may be kept. Default: of none. */
  readonly isHidden?: (session: SessionFacts) => boolean
  /** The same, for a session that works in a folder; undefined: in none that is known. Default: of none. */
  readonly isHiddenIn?: (session: SessionFacts, folder: string | undefined) => Promise<boolean>
}

/** A parsed batch: rows for the storage, and what was left out. */
export interface BatchOutcome {
  /** In the order in which the batch enters them, without hidden ones. */
  readonly sessions: readonly SessionBatch[]
  readonly source: readonly SourceRun[]
  readonly skips: readonly { readonly line?: number; readonly reason: string }[]
  /** Recorded costs that don't count, with their lines. */
  readonly wrongCosts: readonly WrongCostOfLine[]
  /** The line that each write comes from. */
  readonly lines: ReadonlyMap<EntryWrite, number>
  /** The last item was cut off by the file's end: it is not part of the batch. */
  readonly incomplete?: { readonly line: number }
  /** Sessions of which nothing may be kept, with how many lines were theirs. */
  readonly hidden?: ReadonlyMap<string, number>
  /** Of a session in it no folder is known yet. */
  readonly hasUnplaced: boolean
}

interface WrongCostOfLine extends WrongCost {
  readonly line: number
}

interface SessionOfBatch {
  facts: SessionFacts
  /** Sessions that it descends from, by the agent's own ids. */
  ancestors: readonly string[]
  readonly writes: EntryWrite[]
}

interface Run {
  readonly sessionId: string | undefined
  readonly firstLine: number
  readonly lines: (string | Uint8Array)[]
}

/**
 * Parses the batches of one file in order: the parser and the current session go on from one batch to the next, which
 * is given when the one before is parsed. The outcome is without the sessions of which nothing may be kept, once hidden
 * for all later batches. Rejects when a pause does: the import was stopped. An item that is damaged is left out with a
 * skip, and the next ones are parsed.
 */
export const createBatchParser = (
  parser: FileParser,
  format: DocumentFormat,
  deps: ParseDeps,
): ((items: readonly SourceItem[]) => Promise<BatchOutcome>) => {
  const readItem = createItemReader(format, deps.redact)
  /** The session that a line without one of its own belongs to. */
  let currentSession: string | undefined
  const hidden = new Set<string>()
  const folders = createSessionFolders(deps.isHiddenIn ?? (async () => false))

  const parseItem = ({ original, parsed }: JsonItem, number: number): ParsedLine =>
    parseSafely(parser, parsed.value, lineContext(original, number, deps.hasher))

  return async (items) => {
    const sessions = new Map<string, SessionOfBatch>()
    const runs: Run[] = []
    const left = { skips: new Array<BatchOutcome['skips'][number]>(), wrongCosts: new Array<WrongCostOfLine>() }
    const lines = new Map<EntryWrite, number>()
    let incomplete: { readonly line: number } | undefined
    const keepLine = (line: string | Uint8Array, number: number): void => addLine(runs, currentSession, line, number)
    /**
     * Begins or goes on with a session, to which the lines from here on belong; notes its folder, and whether it is
     * hidden.
     */
    const enterSession = (facts: SessionFacts, ancestors: readonly string[] = []): void => {
      currentSession = facts.id
      const known = addSession(sessions, facts, ancestors)
      folders.add(facts, parser.folder?.())
      if (isHidden(known, deps)) hidden.add(facts.id)
    }
    /**
     * Parses a line, and adds its entries to its session, priced and redacted; notes what of it was left out, and why.
     */
    const parseLine = (item: JsonItem, number: number): void => {
      const { text, count } = item
      const { session, entries, ...line } = parseItem(item, number)
      if (session !== undefined) enterSession(session, line.ancestors)
      keepLine(text, number)
      for (const reason of lineNotices(item, line.skip)) left.skips.push({ line: number, reason })
      for (const cost of line.wrongCosts ?? []) left.wrongCosts.push({ ...cost, line: number })
      entries.forEach((write, index) => {
        const complete = withCostAndRedactions(write, count, index === 0, deps)
        sessions.get(session?.id ?? '')?.writes.push(complete)
        lines.set(complete, number)
      })
    }

    for (const source of items) {
      if (deps.pauses.isDue()) await deps.pauses.take()
      const item = readItem(source)
      if (item.kind === 'json') parseLine(item, source.number)
      else if (item.kind === 'blank') keepLine(item.text, source.number)
      else if (item.kind === 'incomplete') incomplete = { line: source.number }
      else {
        left.skips.push({ line: source.number, reason: item.reason })
        if (item.kept !== undefined) keepLine(item.kept, source.number)
      }
    }
    await hideByFolder(sessions, hidden, folders, deps)
    const outcome: BatchOutcome = {
      sessions: [...sessions.values()].map(({ facts, writes }) => ({ session: facts, writes })),
      source: attributed(runs),
      ...left,
      lines,
      hasUnplaced: [...sessions.values()].some(({ facts }) => folders.isUnplaced(facts)),
      ...(incomplete === undefined ? {} : { incomplete }),
    }
    return hidden.size === 0 ? outcome : withoutHidden(outcome, hidden)
  }
}

/** The outcome without the sessions of which nothing may be kept by now; the same object where there are none. */
export const withoutNewlyHidden = (
  outcome: BatchOutcome,
  isHidden: NonNullable<ParseDeps['isHidden']>,
): BatchOutcome => {
  const hidden = new Set(outcome.sessions.filter(({ session }) => isHidden(session)).map(({ session }) => session.id))
  return hidden.size === 0 ? outcome : withoutHidden(outcome, hidden)
}

/**
 * Adds a session to `sessions`, or these facts to what is known of it there; gives all that is known. A field that is
 * told again replaces the former, and so do ancestors, unless there are none.
 */
const addSession = (
  sessions: Map<string, SessionOfBatch>,
  facts: SessionFacts,
  ancestors: readonly string[],
): SessionOfBatch => {
  const known = sessions.get(facts.id) ?? { facts, ancestors, writes: [] }
  sessions.set(facts.id, known)
  if (known.facts !== facts) known.facts = { ...known.facts, ...facts }
  if (ancestors.length > 0) known.ancestors = ancestors
  return known
}

/** Adds to the hidden sessions those whose folders hide them, and what descends from these. */
const hideByFolder = async (
  sessions: ReadonlyMap<string, SessionOfBatch>,
  hidden: Set<string>,
  folders: SessionFolders,
  deps: ParseDeps,
): Promise<void> => {
  for (const [id, { facts }] of sessions) if (!hidden.has(id) && (await folders.isHidden(facts))) hidden.add(id)
  for (const [id, session] of sessions) if (isHidden(session, deps)) hidden.add(id)
}

/**
 * Whether nothing may be kept of a session, or of one that it descends from, by `deps.isHidden`; folders are not looked
 * at.
 */
const isHidden = ({ facts, ancestors }: SessionOfBatch, deps: ParseDeps): boolean =>
  [facts.externalId, ...ancestors].some((externalId) => deps.isHidden?.({ ...facts, externalId }) === true)

/**
 * The outcome without the sessions in `hidden`: their entries, source lines, skips and wrong costs. Its own `hidden`
 * counts the lines that were theirs.
 */
const withoutHidden = (outcome: BatchOutcome, hidden: ReadonlySet<string>): BatchOutcome => {
  const runs = outcome.source.filter(({ sessionId }) => hidden.has(sessionId))
  const isTheirs = (line: number | undefined): boolean =>
    line !== undefined && runs.some(({ firstLine, lines }) => line >= firstLine && line < firstLine + lines.length)
  const counts = new Map(outcome.hidden)
  for (const { sessionId, lines } of runs) counts.set(sessionId, (counts.get(sessionId) ?? 0) + lines.length)
  return {
    ...outcome,
    sessions: outcome.sessions.filter(({ session }) => !hidden.has(session.id)),
    source: outcome.source.filter(({ sessionId }) => !hidden.has(sessionId)),
    skips: outcome.skips.filter(({ line }) => !isTheirs(line)),
    wrongCosts: outcome.wrongCosts.filter(({ line }) => !isTheirs(line)),
    ...(counts.size === 0 ? {} : { hidden: counts }),
  }
}

/**
 * Adds a source line to the last run, or begins another run in `runs` where the session changes or a line is missing.
 */
const addLine = (runs: Run[], sessionId: string | undefined, line: string | Uint8Array, number: number): void => {
  const last = runs.at(-1)
  if (last !== undefined && last.sessionId === sessionId && last.firstLine + last.lines.length === number)
    last.lines.push(line)
  else runs.push({ sessionId, firstLine: number, lines: [line] })
}

/** A line that is well-formed JSON. */
interface JsonItem {
  readonly kind: 'json'
  /** The line as the file has it, before redaction. */
  readonly original: string
  /** The line without its secrets. */
  readonly text: string
  /** Secrets that were replaced. */
  readonly count: number
  readonly parsed: ParsedJson
}

type ReadItem =
  | JsonItem
  | { readonly kind: 'blank'; readonly text: string }
  /** Cut off by the file's end. */
  | { readonly kind: 'incomplete' }
  /** Can't be parsed; `kept` is what is stored of it all the same. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly kept?: Uint8Array }

/**
 * Makes the function that reads an item as JSON without its secrets; items that are blank, cut off by the file's end
 * (`incomplete`) or damaged (`skipped`) are told apart. Of one that is no JSON or no UTF-8 the bytes are kept, of one
 * over 32 MiB nothing.
 */
const createItemReader = (format: DocumentFormat, redact: ParseDeps['redact']): ((item: SourceItem) => ReadItem) => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const tooLong = format === 'lines' ? 'a line over 32 MiB' : 'an element over 32 MiB'
  return ({ bytes, problem }) => {
    if (problem === 'too-long') return { kind: 'skipped', reason: tooLong }
    const original = decode(decoder, bytes)
    if (original === undefined)
      return problem === 'open'
        ? { kind: 'incomplete' }
        : { kind: 'skipped', reason: 'not valid UTF-8', kept: new Uint8Array(bytes) }
    if (isBlank(original)) return { kind: 'blank', text: original }
    const { text, count, parsed } = readLine(trimNuls(original), redact)
    if (parsed !== undefined) return { kind: 'json', original, text, count, parsed }
    if (problem === 'open') return { kind: 'incomplete' }
    // As bytes: the storage takes texts for well-formed JSON.
    return { kind: 'skipped', reason: notJson(original), kept: new TextEncoder().encode(text) }
  }
}

/** A line's context; the identity is made of its text when it is first asked for. */
const lineContext = (text: string, number: number, hasher: Hasher): LineContext => {
  let digest: string | undefined
  return { number, identity: () => (digest ??= `h:${hasher.sha256(text).slice(0, 16)}`) }
}

/** An ordinary character that is written as an escape: what hides a secret from a look at the line's text. */
const ESCAPED_ASCII = /\\u00[2-7][0-9a-f]/i

interface ReadLine {
  readonly text: string
  /** Secrets that were replaced. */
  readonly count: number
  /** Undefined when the line is no JSON. */
  readonly parsed: ParsedJson | undefined
}

/**
 * The line without its secrets, also without those that are written in escapes: such a line is rewritten. `parsed` is
 * undefined for what is no JSON.
 */
const readLine = (text: string, redact: ParseDeps['redact']): ReadLine => {
  const redacted = redact(text)
  const parsed = parseJson(redacted.text)
  if (parsed === undefined || !ESCAPED_ASCII.test(redacted.text)) return { ...redacted, parsed }
  const plain = redact(JSON.stringify(parsed.value))
  if (plain.count === 0) return { ...redacted, parsed }
  const again = parseJson(plain.text)
  return {
    text: plain.text,
    count: redacted.count + plain.count,
    parsed: again === undefined ? undefined : { value: again.value, isCut: parsed.isCut },
  }
}

/**
 * What is reported about a line: NUL bytes cut off at its ends, values nested too deeply that are kept as text, and
 * `skip`, why it or a part of it was left out. Replaced secrets are not reported here. Empty if there is nothing.
 */
const lineNotices = ({ original, parsed }: JsonItem, skip: string | undefined): readonly string[] => [
  ...(original.startsWith(NUL) || original.endsWith(NUL) ? [NULS_LEFT_OUT] : []),
  ...(parsed.isCut ? [NESTED_DEEPLY] : []),
  ...(skip === undefined ? [] : [skip]),
]

/** Why a text is no JSON, in words. */
const notJson = (text: string): string => {
  if (text.includes(NUL)) return 'not valid JSON: it holds NUL bytes, as a power cut leaves them'
  return text.trimStart().startsWith('//') ? 'a comment, not JSON' : 'not valid JSON'
}

/** Lines before the file's first session go to it; in a batch without any session they are not kept, only named. */
const attributed = (runs: readonly Run[]): readonly SourceRun[] => {
  const first = runs.find((run) => run.sessionId !== undefined)?.sessionId
  return first === undefined
    ? []
    : runs.map(({ sessionId = first, firstLine, lines }) => ({ sessionId, firstLine, lines }))
}

/**
 * What the parser makes of a line; never throws. Where the parser does: no entries, and the error as the reason of a
 * skip.
 */
const parseSafely = (parser: FileParser, value: JsonValue, context: LineContext): ParsedLine => {
  try {
    return parser.parse(value, context)
  } catch (error) {
    return { entries: NO_ENTRIES, skip: `not understood: ${messageOf(error)}` }
  }
}

/** The text of bytes; undefined for what is no UTF-8. */
const decode = (decoder: { decode(input: Uint8Array): string }, bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isBlank = (text: string): boolean => text.length < 256 && text.trim() === ''

/**
 * A write of a line in which `redactions` secrets were replaced: with its request priced, and without the signatures
 * that this broke. Only the line's first write counts the redactions. The same object where nothing changes.
 */
const withCostAndRedactions = (
  write: EntryWrite,
  redactions: number,
  isFirst: boolean,
  { priceBook, clock }: Pick<ParseDeps, 'priceBook' | 'clock'>,
): EntryWrite => {
  const request = write.request === undefined ? undefined : pricedRequest(write.request, priceBook, clock.now())
  if (request === write.request && redactions === 0) return write
  return {
    ...write,
    ...(request === undefined ? {} : { request }),
    ...(redactions === 0 ? {} : { entry: withoutBrokenSignatures(write.entry) }),
    ...(redactions === 0 || !isFirst ? {} : { redactions }),
  }
}
