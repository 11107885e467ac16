/** What was found in each file, kept by the file's version, so that only changed files are read again. */
import type { ReadRefusal, WorkspaceFile, WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { FoundImport, ImportKind } from './found-import.ts'
import { findImports, sourceLanguageOf } from './source-language.ts'

/** The imports found in one version of a file. */
interface ImportRecord {
  readonly version: string
  readonly imports: readonly FoundImport[]
  /** Why the file was not read; it then has no imports. */
  readonly refused?: ReadRefusal
}
/** Records by path. */
export type ImportRecords = ReadonlyMap<string, ImportRecord>

/** In bytes. Larger source files are generated; their imports are not read. */
export const LARGEST_SOURCE = 2 * 1024 * 1024
/** Files that are read in parallel. */
const AT_ONCE = 16

/** The records after an update. */
export interface UpdatedRecords {
  readonly records: ImportRecords
  /** How many files were read; those that can't be are not counted. */
  readonly readFiles: number
}

/**
 * Returns a text that identifies a file's content: git's blob id if known, otherwise its modification time (ms) and
 * size. Files with equal versions need not be read again.
 */
export const versionOf = ({ blobId, mtimeMs, bytes }: WorkspaceFile): string => blobId ?? `${mtimeMs}:${bytes}`

/**
 * Returns a record for each source file in `files`: the previous one if the file is unchanged, otherwise its imports
 * read anew. Files in languages without import support are left out; files that can't be read (gone, binary, too large)
 * have no imports. Rejects with the signal's reason if it is aborted.
 */
export const updateRecords = async (
  previous: ImportRecords,
  files: readonly WorkspaceFile[],
  source: Pick<WorkspaceFiles, 'read'>,
  signal?: AbortSignal,
): Promise<UpdatedRecords> => {
  const records = new Map<string, ImportRecord>()
  const changed: WorkspaceFile[] = []
  for (const file of files) {
    if (sourceLanguageOf(file.path) === undefined) continue
    const known = previous.get(file.path)
    if (known?.version === versionOf(file)) records.set(file.path, known)
    else changed.push(file)
  }
  const decoder = new TextDecoder('utf-8')
  for (let start = 0; start < changed.length; start += AT_ONCE) {
    signal?.throwIfAborted()
    await Promise.all(
      changed.slice(start, start + AT_ONCE).map(async (file) => {
        const answer = await source.read(file.path, LARGEST_SOURCE)
        const version = versionOf(file)
        if ('refused' in answer) records.set(file.path, { version, imports: [], refused: answer.refused })
        else records.set(file.path, { version, imports: findImports(file.path, decoder.decode(answer.content)) })
      }),
    )
  }
  const readFiles = changed.filter(({ path }) => records.get(path)?.refused === undefined).length
  return { records, readFiles }
}

const FORMAT = 1
const KINDS: readonly ImportKind[] = ['static', 'type', 'dynamic']

/** Returns the records as text for a cache, without files that could not be read, so that they are tried again. */
export const recordsToText = (records: ImportRecords): string =>
  JSON.stringify({
    format: FORMAT,
    // What was refused is asked for again.
    files: [...records].flatMap(([path, { version, imports, refused }]) =>
      refused === undefined
        ? [[path, version, imports.map(({ specifier, kind, line }) => [specifier, KINDS.indexOf(kind), line])]]
        : [],
    ),
  })

/**
 * Returns the records of a cache's text; empty if the text is damaged or has another format, so that all files are read
 * again. Never throws.
 */
export const recordsFromText = (text: string): ImportRecords => {
  const records = new Map<string, ImportRecord>()
  try {
    const { format, files } = JSON.parse(text) as { format?: unknown; files?: unknown }
    if (format !== FORMAT || !Array.isArray(files)) return new Map()
    for (const row of files as readonly unknown[]) {
      if (!Array.isArray(row)) return new Map()
      const [path, version, imports] = row as readonly unknown[]
      if (typeof path !== 'string' || typeof version !== 'string' || !Array.isArray(imports)) return new Map()
      records.set(path, { version, imports: (imports as readonly unknown[]).map(importFrom) })
    }
  } catch {
    return new Map()
  }
  return records
}

/**
 * Reads one import of a cached record.
 * @throws TypeError if it is not one
 */
const importFrom = (row: unknown): FoundImport => {
  const [specifier, kindIndex, line] = Array.isArray(row) ? (row as readonly unknown[]) : []
  const kind = typeof kindIndex === 'number' ? KINDS[kindIndex] : undefined
  if (typeof specifier !== 'string' || kind === undefined || typeof line !== 'number')
    throw new TypeError('not an import')
  return { specifier, kind, line }
}
