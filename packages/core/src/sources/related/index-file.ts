/**
 * The index of a workspace's files as bytes: a line of JSON, then all hashes and counts. Only a cache: what can't be read, or
 * was written by another version, counts as nothing.
 */
import { isJsonObject } from '../../json.ts'
import { BYTES_A_TERM, COUNT_BYTES, HASH_BYTES } from './field-counts.ts'
import type { FileTerms } from './field-counts.ts'

/** Raised whenever terms, definitions or this format change. */
const VERSION = 1
const NEWLINE = 10
const BLANK = 32

/** What the index stores about one file. */
export interface IndexedFile {
  /** See `contentKey`: as long as it is the same, so is the content. */
  readonly key: string
  readonly terms: FileTerms
}

/**
 * Returns the index as bytes that {@link decodeIndex} reads. Numbers are in this machine's byte order, because the
 * cache is not shared. `files`: by path.
 */
export const encodeIndex = (files: ReadonlyMap<string, IndexedFile>): Uint8Array => {
  const rows: Row[] = []
  let total = 0
  for (const [path, { key, terms }] of files) {
    rows.push([path, key, terms.size, terms.contentLength, terms.symbolLength])
    total += terms.size
  }
  const line = new TextEncoder().encode(JSON.stringify({ version: VERSION, terms: total, files: rows }))
  // Blanks before the line's end, so that the hashes begin where a Uint32Array may.
  const from = Math.ceil((line.length + 1) / HASH_BYTES) * HASH_BYTES
  const bytes = new Uint8Array(from + total * BYTES_A_TERM)
  bytes.fill(BLANK, 0, from - 1)
  bytes.set(line)
  bytes[from - 1] = NEWLINE
  const hashes = new Uint32Array(bytes.buffer, from, total)
  const counts = new Uint16Array(bytes.buffer, from + total * HASH_BYTES, 2 * total)
  let at = 0
  for (const { terms } of files.values()) {
    const { table, from: first, size } = terms
    hashes.set(table.hashes.subarray(first, first + size), at)
    counts.set(table.content.subarray(first, first + size), at)
    counts.set(table.symbols.subarray(first, first + size), total + at)
    at += size
  }
  return bytes
}

/** Returns the index stored in bytes, by path; empty if they are damaged or of another version. Never throws. */
export const decodeIndex = (bytes: Uint8Array): Map<string, IndexedFile> => {
  const files = new Map<string, IndexedFile>()
  const end = bytes.indexOf(NEWLINE)
  const head = end < 0 ? undefined : parsed(new TextDecoder().decode(bytes.subarray(0, end)))
  if (head === undefined || bytes.length !== end + 1 + head.total * BYTES_A_TERM) return files
  // A copy only where the numbers do not begin at a multiple of their size. Not slice(): of Node's buffers it is no copy.
  const tail = bytes.subarray(end + 1)
  const { buffer, byteOffset } = tail.byteOffset % HASH_BYTES === 0 ? tail : new Uint8Array(tail)
  const counts = byteOffset + head.total * HASH_BYTES
  const table = {
    hashes: new Uint32Array(buffer, byteOffset, head.total),
    content: new Uint16Array(buffer, counts, head.total),
    symbols: new Uint16Array(buffer, counts + head.total * COUNT_BYTES, head.total),
  }
  let from = 0
  for (const [path, key, size, contentLength, symbolLength] of head.rows) {
    files.set(path, { key, terms: { table, from, size, contentLength, symbolLength } })
    from += size
  }
  return files
}

type Row = readonly [path: string, key: string, terms: number, contentLength: number, symbolLength: number]

/**
 * The first line of a stored index; undefined if it is damaged, of another version, or inconsistent. `total`: the terms
 * of all files.
 */
const parsed = (text: string): { readonly total: number; readonly rows: readonly Row[] } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value) || value['version'] !== VERSION || !Array.isArray(value['files'])) return undefined
    const rows: readonly unknown[] = value['files']
    const total = value['terms']
    if (!rows.every(isRow) || typeof total !== 'number') return undefined
    return rows.reduce((sum, [, , length]) => sum + length, 0) === total ? { total, rows } : undefined
  } catch {
    return undefined
  }
}

/** Whether a stored row is whole: two texts and three whole numbers from 0 up. */
const isRow = (value: unknown): value is Row =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  value.length === 5 &&
  value.slice(2).every((number) => Number.isSafeInteger(number) && number >= 0)
