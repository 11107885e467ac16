/**
 * What an importer is: it knows where an agent keeps its transcripts, recognises them, and turns each
 * line into session facts and log entries. Reading, redaction, prices and storage are not its concern.
 */
import type { JsonValue } from '../json.ts'
import type { NanoUsd } from '../money.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'

/** Agents whose transcripts can be imported, by the names that the command line takes. */
export type ImportAgent =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'copilot'
  | 'cline'
  | 'roo'
  | 'kilo'
  | 'pi'
  | 'continue'
  | 'aider'
  | 'clio'
  | 'cursor'
  | 'generic'

/** Where a user's files are; all that the usual places depend on. */
export interface ImportEnvironment {
  /** The user's home folder, absolute. */
  readonly home: string
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** Environment variables, e.g. CODEX_HOME. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** `sidecar`: belongs to the agent, holds no transcript, and is left out without a report. */
export type Recognition = 'transcript' | 'sidecar' | 'unknown'

/**
 * `lines`: JSON Lines. `elements`: one JSON document whose array's elements are taken as lines. `records`: a database or
 * a tree of small files, of which the importer makes the lines.
 */
export type DocumentFormat = 'lines' | 'elements' | 'records'

/** What an importer of records starts with. */
export interface RecordRequest {
  readonly path: string
  readonly fileSystem: RecordFileSystem
  /** The `state` of the last batch of an earlier import. */
  readonly state?: JsonValue
  /** ms. */
  readonly now: number
}

export type RecordFileSystem = Pick<FileSystem, 'stat' | 'list' | 'read' | 'readText' | 'realPath' | 'readDatabase'>

/** Records that were read together, each JSON as a line is. */
export interface RecordBatch {
  readonly records: readonly Uint8Array[]
  /** All that is needed to go on after these; JSON. */
  readonly state: JsonValue
  /** What was left out of them. */
  readonly notices?: readonly string[]
  /** Why something is left for the next import, which then looks again also where no file has changed. */
  readonly rest?: string
  /** It was written to just before: the next import looks again, also where no file has changed. */
  readonly isUnsettled?: boolean
}

/** What a parser may ask about a line in addition to its JSON. */
export interface LineContext {
  /** 1-based; for JSON documents the element's place. */
  readonly number: number
  /** An id made of the line's text before redaction, for what has none of its own: `h:` and 16 hex digits. */
  readonly identity: () => string
}

/** A recorded cost that is known to be wrong: the request costs what its tokens do. */
export interface WrongCost {
  /** What is wrong with such costs, as it follows "recorded costs ($1.00 in all) that". */
  readonly fault: string
  readonly costNano: NanoUsd
}

/** What a line means. */
export interface ParsedLine {
  /** The session that the line belongs to; absent when the line does not name it (then the one before, or the file's next). */
  readonly session?: SessionFacts
  /** The sessions, by the agent's own ids, that the session's parent comes from: nothing may be kept of what is theirs either. */
  readonly ancestors?: readonly string[]
  /** Requests carry no computed cost yet; `unpriced` ones are priced later. */
  readonly entries: readonly EntryWrite[]
  /** Why the line, though well-formed JSON, was left out, or a part of it. */
  readonly skip?: string
  /** Recorded costs that don't count. */
  readonly wrongCosts?: readonly WrongCost[]
}

/** Parses the lines of one file in order. */
export interface FileParser {
  /**
   * Converts the file's next line (or element, or record) into entries, requests and facts of its session. Never throws
   * for a line of an unknown form: it gives no entries.
   */
  parse(line: JsonValue, context: LineContext): ParsedLine
  /**
   * The folder that the agent works in at the line parsed last; undefined where the transcript names none. Absent for
   * agents whose transcripts never do.
   */
  folder?(): string | undefined
  /** All that is needed to go on after the lines parsed so far; JSON. */
  state(): JsonValue
}

/** What a parser starts with. */
export interface ParserInput {
  readonly path: string
  readonly hasher: Hasher
  /** A former parser's `state()` when the file is continued. */
  readonly state?: JsonValue
  /** Of a document that is read again: the former parser's `state()`, and whether it had come to the end. */
  readonly earlier?: { readonly state: JsonValue; readonly isComplete: boolean }
  /** What `Importer.context` found in other files. */
  readonly context?: JsonValue
}

/** One agent's importer. */
export interface Importer {
  readonly agent: ImportAgent
  /** Folders that the agent keeps transcripts in, absolute. */
  transcriptFolders(environment: ImportEnvironment): readonly string[]
  /**
   * Whether a file is this agent's, by its path alone: nothing is read. `agentGiven`: the user has said whose files
   * these are.
   */
  recognise(path: string, agentGiven?: boolean): Recognition
  /** Whether a transcript's first line looks like this agent's; for files that are not recognised by path. */
  sniff(line: JsonValue): boolean
  /** Whether the beginning of a document, which may go over many lines, looks like this agent's. */
  sniffDocument?(head: string): boolean
  /** How the file is read: line by line, as a JSON document, or record by record (`records`). */
  format(path: string): DocumentFormat
  /** Of a document: the field whose array has the elements; absent where the document is the array. */
  readonly arrayField?: string
  /**
   * For a transcript that lies in several files: the latest time and the size of all together, so that a change of any
   * of them shows. Absent where the file is all.
   */
  facts?(facts: FileFacts, fileSystem: Pick<FileSystem, 'stat'>): Promise<FileFacts>
  /**
   * The transcript that a file belongs to which changes with it, such as a database's log; undefined for any other
   * file.
   */
  transcriptOf?(path: string): string | undefined
  /** Reads what is new in a transcript of the format `records`; the last batch may be empty. */
  records?(request: RecordRequest): AsyncIterable<RecordBatch>
  /** `given`: the transcript names its project; `folder`: it names a working folder, from which the project is found. */
  readonly workspaces: 'folder' | 'given'
  /** Agents that write the same files, so that neither path nor content shows whose a task is; and the task of a path. */
  readonly shared?: { readonly agents: readonly ImportAgent[]; readonly taskOf: (path: string) => string }
  /** The writer of the file gives messages their ids, so an id that is used again for another message is reported. */
  readonly givesIds?: boolean
  /**
   * Reads what the parser needs from other files, before the file is parsed; the result is given to the parser as
   * `context`.
   */
  context?(path: string, fileSystem: Pick<FileSystem, 'stat' | 'read' | 'readText'>): Promise<JsonValue>
  /** A parser at the beginning of a file, or where a former parser's `state` left off. */
  parser(input: ParserInput): FileParser
}

/** For a line that gives no entries, known or not; its raw text is stored in any case. */
export const NO_ENTRIES: readonly EntryWrite[] = []

/** The non-empty parts of a path, split at `/` or `\\`. */
export const pathParts = (path: string): readonly string[] => path.split(/[/\\]+/).filter((part) => part !== '')

/** The last part of a path without `.gz` or `.zst`, and then without `.jsonl` or `.json`. */
export const baseName = (path: string): string =>
  (pathParts(path).at(-1) ?? path).replace(/\.(?:gz|zst)$/, '').replace(/\.jsonl?$/, '')

/** An object with the property, or an empty one when the value is undefined. */
export const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
