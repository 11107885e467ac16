/** Tells whose transcript a file is by its first lines. */
import type { JsonValue } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { isPacked } from './cursor.ts'
import type { Importer } from './importer.ts'

/** Bytes that are looked at: some agents' first line holds all of their instructions. */
const SNIFF_BYTES = 256 * 1024
const BINARY_WINDOW = 4096
const SNIFF_LINES = 20

/** The importer whose lines the file holds, or the reason why there is none. */
export const sniffImporter = async (
  facts: FileFacts,
  candidates: readonly Importer[],
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<Importer | string> => {
  const start = await firstBytes(facts.path, fileSystem)
  if (start.subarray(0, BINARY_WINDOW).includes(0)) return 'a binary file'
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
  const bytes = new Uint8Array(SNIFF_BYTES)
  let filled = 0
  for await (const chunk of fileSystem.read(path, 0, isPacked(path) ? { unpack: 'gzip' } : undefined)) {
    const part = chunk.subarray(0, SNIFF_BYTES - filled)
    bytes.set(part, filled)
    filled += part.length
    if (filled === SNIFF_BYTES) break
  }
  return bytes.subarray(0, filled)
}

const parsed = (line: string): JsonValue | undefined => {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return undefined
  }
}
