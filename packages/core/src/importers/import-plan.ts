/** How a file is read, decided from what is known of it, and the parser that goes on from there. */
import type { JsonValue } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { ImportCursor, ImportedFile } from '../ports/import-storage.ts'
import { detectChange, isUnchanged, unpackState, unpackingOf, type FileChange } from './import-cursor.ts'
import type { DocumentFormat, FileParser, Importer } from './importer.ts'
import type { ParseDeps } from './parse-batch.ts'

/** What planning reads from. */
export interface PlanDeps {
  readonly fileSystem: Pick<FileSystem, 'read' | 'stat' | 'readText'>
  readonly hasher: Hasher
  readonly redact: ParseDeps['redact']
}

/** How a file is read, decided from what is known of it. */
export interface ImportPlan {
  readonly facts: FileFacts
  readonly importer: Importer
  readonly known: ImportedFile | undefined
  readonly change: FileChange
  readonly format: DocumentFormat
  readonly isPacked: boolean
  /** The cursor to go on from; undefined when the file is read from its start. */
  readonly resumed: ImportCursor | undefined
  /** What is stored of the file is replaced by what is read now. */
  readonly isRestarted: boolean
  /** It is only looked at what the file says; nothing is kept. */
  readonly isLookAhead: boolean
}

/**
 * Decides how a file is read: lines go on at the cursor where they only grew, a document is read from its start, and so
 * is a file that another agent's importer has read. Rejects when it can't be read at all.
 */
export const planImport = async (
  facts: FileFacts,
  importer: Importer,
  known: ImportedFile | undefined,
  deps: PlanDeps,
): Promise<ImportPlan> => {
  const format = importer.format(facts.path)
  // Another agent's parser state is of no use to this one.
  const change = await changeOf(facts, importer, format, known, deps)
  // A document is rewritten at each save, so it is read from its start.
  const isResumed = format === 'lines' && (change === 'grown' || change === 'touched')
  return {
    facts,
    importer,
    known,
    change,
    format,
    isPacked: unpackingOf(facts.path) !== undefined,
    resumed: isResumed ? known?.cursor : undefined,
    isRestarted: change === 'rewritten' || (known !== undefined && format === 'elements'),
    isLookAhead: false,
  }
}

/**
 * What has changed of a file since it was imported: `new` if it never was, `rewritten` if by another agent's importer.
 * One of records is `unchanged` or `grown`, as its bytes are not compared.
 */
const changeOf = async (
  facts: FileFacts,
  { agent }: Importer,
  format: DocumentFormat,
  known: ImportedFile | undefined,
  deps: PlanDeps,
): Promise<FileChange> => {
  if (known !== undefined && known.agent !== agent) return 'rewritten'
  if (format !== 'records' || known === undefined) return detectChange(known?.cursor, facts, deps)
  return isUnchanged(known.cursor, facts) ? 'unchanged' : 'grown'
}

/**
 * A parser with the state that an earlier import left, and with what its importer reads from other files. Rejects when
 * one of those can't be read and the importer does not pass it over.
 */
export const createParser = async (
  { facts, importer, known, format, resumed }: ImportPlan,
  deps: PlanDeps,
): Promise<FileParser> => {
  const resumedState = resumed === undefined ? undefined : unpackState(resumed.parserState).parser
  const earlier =
    format !== 'elements' || known?.agent !== importer.agent ? undefined : unpackState(known.cursor.parserState)
  const context = withoutSecrets(await importer.context?.(facts.path, deps.fileSystem), deps)
  return importer.parser({
    path: facts.path,
    hasher: deps.hasher,
    ...(resumedState === undefined || resumedState === null ? {} : { state: resumedState }),
    ...(earlier === undefined
      ? {}
      : { earlier: { state: earlier.parser, isComplete: earlier.finished && earlier.end === 'complete' } }),
    ...(context === undefined ? {} : { context }),
  })
}

/** What was read from other files, redacted like the file's lines, as it is stored too. */
const withoutSecrets = (context: JsonValue | undefined, { redact }: Pick<PlanDeps, 'redact'>): JsonValue | undefined =>
  context === undefined ? undefined : (JSON.parse(redact(JSON.stringify(context)).text) as JsonValue)
