/**
 * Reads one transcript file into log entries, without a store: what replaying and looking at a file need.
 * Nothing is kept, so nothing is redacted; entries know the line that they come from.
 */
import { CairnError, messageOf } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { LogEntry } from '../session-log.ts'
import { unpackingOf } from './import-cursor.ts'
import { type DocumentFormat, type FileParser, type ImportAgent, type Importer, type ParsedLine } from './importer.ts'
import { elementOptions, splitElements } from './json-elements.ts'
import { NESTED_DEEPLY, trimNuls } from './line-values.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { numberedRecords } from './record-batches.ts'
import { IMPORTERS } from './registry.ts'
import { textChunks } from './text-chunks.ts'
import { findTranscriptFile } from './transcript-file.ts'

/** A session as far as one file has it. */
export interface TranscriptSession {
  readonly facts: SessionFacts
  /** In the file's order, numbered from 0 as a log's entries are. */
  readonly entries: readonly LogEntry[]
  /** For each entry the 0-based line (of a JSON document: element) that it comes from. */
  readonly lines: readonly number[]
  /** For each entry the request whose reply (or part of it) it is, where the file has one. */
  readonly requests: readonly (RequestFact | undefined)[]
}

/** A transcript that was read without a store. */
export interface Transcript {
  readonly agent: ImportAgent
  /** The file that was read: the path given, or what it stands for. */
  readonly path: string
  /** The sessions of the file, the one with most entries first. */
  readonly sessions: readonly TranscriptSession[]
  /** Lines that could not be understood, 1-based, with the reason. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
}

interface Growing {
  facts: SessionFacts
  readonly entries: LogEntry[]
  readonly lines: number[]
  readonly requests: (RequestFact | undefined)[]
  readonly known: Set<string>
}

/**
 * Reads a transcript, of any known agent or only of `agent`: a file, or a folder that holds exactly one, at any depth.
 * A task of Cline, Roo or Kilo has two files; whichever is named, the one with the messages is read. Rejects with a
 * CairnError when the file can't be read or is no transcript of a known agent, and with `invalid-input` for one without
 * any session.
 */
export const readTranscript = async (
  given: string,
  deps: { readonly fileSystem: FileSystem; readonly hasher: Hasher },
  agent?: ImportAgent,
): Promise<Transcript> => {
  const { fileSystem, hasher } = deps
  const candidates = agent === undefined ? IMPORTERS : IMPORTERS.filter((importer) => importer.agent === agent)
  const { facts, importer } = await findTranscriptFile(given, candidates, fileSystem)
  const { path } = facts

  const context = await importer.context?.(path, fileSystem)
  const parser = importer.parser({ path, hasher, ...(context === undefined ? {} : { context }) })
  const reader = new TranscriptReader(parser, hasher)
  for await (const batch of itemsOf(path, importer, facts, fileSystem)) for (const item of batch) reader.take(item)
  const found = reader.sessions()
  if (found.length === 0) throw new CairnError('invalid-input', noSession(path, importer.format(path), reader.skipped))
  return { agent: importer.agent, path, sessions: found, skipped: reader.skipped }
}

/**
 * What a parser is shown of a file, in batches, in order: lines, a document's elements, or all records that are there,
 * finished or not.
 */
async function* itemsOf(
  path: string,
  importer: Importer,
  facts: FileFacts,
  fileSystem: FileSystem,
): AsyncGenerator<readonly SourceItem[]> {
  const format = importer.format(path)
  if (format === 'records') {
    const reading = { facts, importer, cursor: undefined, fileSystem, now: Number.MAX_SAFE_INTEGER }
    for await (const { items } of numberedRecords(reading)) yield items
    return
  }
  const chunks = textChunks(fileSystem.read(path, 0, unpackingOf(path)), path)
  yield* format === 'lines' ? splitLines(chunks) : splitElements(chunks, elementOptions(importer))
}

/** That there is no session in a file, and why as far as its first line that was left out tells. */
const noSession = (path: string, format: DocumentFormat, [first]: Transcript['skipped']): string => {
  const item = format === 'lines' ? 'line' : format === 'elements' ? 'element' : 'record'
  return `${path} holds no session${first === undefined ? '' : `: ${item} ${first.line} is left out (${first.reason})`}.`
}

/** Gathers what a parser makes of a file's lines, by session. */
class TranscriptReader {
  readonly skipped: { readonly line: number; readonly reason: string }[] = []
  readonly #parser: FileParser
  readonly #hasher: Hasher
  readonly #sessions = new Map<string, Growing>()
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  /** The session that the last line which named one belongs to. */
  #current: string | undefined

  constructor(parser: FileParser, hasher: Hasher) {
    this.#parser = parser
    this.#hasher = hasher
  }

  /**
   * Takes a line, or an element of a JSON document. One that is too long, no UTF-8 or no JSON is noted as skipped; a
   * blank one is passed over.
   */
  take({ bytes, number, problem }: SourceItem): void {
    if (problem === 'too-long') {
      this.#skip(number, 'over 32 MiB')
      return
    }
    let text: string
    try {
      text = this.#decoder.decode(bytes)
    } catch {
      this.#skip(number, 'not valid UTF-8')
      return
    }
    if (text.trim() !== '') this.#takeText(text, number)
  }

  /** The one with most entries first. */
  sessions(): readonly TranscriptSession[] {
    return [...this.#sessions.values()].sort((left, right) => right.entries.length - left.entries.length)
  }

  /**
   * Takes a line's text, and adds its entries. One that is not JSON or not understood is noted as skipped, as are parts
   * that are left out; never throws.
   */
  #takeText(text: string, number: number): void {
    const read = parseJson(trimNuls(text))
    if (read === undefined) {
      this.#skip(number, 'not valid JSON')
      return
    }
    if (read.isCut) this.#skip(number, NESTED_DEEPLY)
    const identity = (): string => `h:${this.#hasher.sha256(text).slice(0, 16)}`
    try {
      const parsed = this.#parser.parse(read.value, { number, identity })
      if (parsed.skip !== undefined) this.#skip(number, parsed.skip)
      this.#add(parsed, number)
    } catch (error) {
      this.#skip(number, `not understood: ${messageOf(error)}`)
    }
  }

  /**
   * Adds the entries of a line to its session, else to the one of the lines before, without those whose id it has
   * already; without a session so far they are dropped.
   */
  #add(parsed: ParsedLine, number: number): void {
    if (parsed.session !== undefined) this.#current = parsed.session.id
    if (this.#current === undefined) return
    let session = this.#sessions.get(this.#current)
    if (session === undefined) this.#sessions.set(this.#current, (session = started(this.#current, parsed.session)))
    if (parsed.session !== undefined) session.facts = { ...session.facts, ...parsed.session }
    for (const { entry, externalId, request } of parsed.entries) {
      if (externalId !== undefined && session.known.has(externalId)) continue
      if (externalId !== undefined) session.known.add(externalId)
      session.entries.push({ ...entry, seq: session.entries.length })
      session.lines.push(number - 1)
      session.requests.push(request)
    }
  }

  #skip(line: number, reason: string): void {
    this.skipped.push({ line, reason })
  }
}

/** A session without entries yet; without facts its agent is `unknown`. */
const started = (id: string, facts: SessionFacts | undefined): Growing => ({
  facts: facts ?? { id, agent: 'unknown', externalId: id },
  entries: [],
  lines: [],
  requests: [],
  known: new Set(),
})
