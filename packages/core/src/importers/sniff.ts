/** Tells whose transcript a file is by its first lines. */
import type { JsonValue } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { isPacked } from './cursor.ts'
import type { Importer } from './importer.ts'

/** Bytes that are looked at, and more until a line ends: a first line may hold a whole image. */
const SNIFF_BYTES = 256 * 1024
/** The longest line that an import takes, and a little. */
const LONGEST_BYTES = 33 * 1024 * 1024
const LINE_END = 10
const BINARY_WINDOW = 4096
const SNIFF_LINES = 20

/** The importer whose lines the file holds, or the reason why there is none. */
export const sniffImporter = async (
  facts: FileFacts,
  candidates: readonly Importer[],
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<Importer | string> => {
  const start = await firstBytes(facts.path, fileSystem)
  if (isBinary(start)) return 'a binary file'
  const text = new TextDecoder().decode(start)
  let sawJson = false
  for (const line of text.split('\n', SNIFF_LINES)) {
    const value = parsed(line)
    if (value === undefined) continue
    sawJson = true
    const importer = candidates.find((candidate) => candidate.sniff(value))
    if (importer !== undefined) return importer
  }
  return sawJson || /^\s*[[{]/.test(text) ? 'not a transcript of a known agent' : 'not JSON Lines'
}

const firstBytes = async (path: string, fileSystem: Pick<FileSystem, 'read'>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  let hasLine = false
  for await (const chunk of fileSystem.read(path, 0, isPacked(path) ? { unpack: 'gzip' } : undefined)) {
    // The chunk may be reused by the reader.
    const copy = new Uint8Array(chunk.subarray(0, LONGEST_BYTES - size))
    chunks.push(copy)
    size += copy.length
    hasLine ||= copy.includes(LINE_END)
    if ((hasLine && size >= SNIFF_BYTES) || size >= LONGEST_BYTES || isBinary(chunks[0])) break
  }
  const bytes = new Uint8Array(size)
  let filled = 0
  for (const chunk of chunks) {
    bytes.set(chunk, filled)
    filled += chunk.length
  }
  return bytes
}

const isBinary = (start: Uint8Array | undefined): boolean => start?.subarray(0, BINARY_WINDOW).includes(0) === true

const parsed = (line: string): JsonValue | undefined => {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return undefined
  }
}
