/**
 * How far a file was read, and whether it is still the file that it was. A file whose size, time and
 * identity are as they were is not even opened; one that grew is continued where it was left, if the
 * bytes at its start and just before that place are still the same; any other is read again.
 */
import { arrayOf, type JsonValue } from '../json.ts'
import type { FileFacts, FileSystem, ReadOptions } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { ImportCursor } from '../ports/import-storage.ts'
import type { DocumentEnd } from './json-elements.ts'

/** Bytes at each end that the fingerprint covers. */
const WINDOW = 4096

/** What the reader itself keeps in the cursor, around the parser's own state. */
export interface ReadingState {
  readonly parser: JsonValue
  /** The line at `offset` had no line end yet, but was whole: what follows first is its rest. */
  readonly continuesLine: boolean
  /** `open`: the file's last line, or its document, was incomplete and is tried again. */
  readonly end: DocumentEnd
  /** Whether all of the file was read once; until then size and time say nothing. */
  readonly finished: boolean
}

/** By the number that the cursor has for each. */
const ENDS: readonly DocumentEnd[] = ['complete', 'open', 'no-array']

/** Encodes the reading state for the cursor, in a few characters; {@link unpackState} takes it back. */
export const packState = (state: ReadingState): JsonValue => [
  state.parser,
  state.continuesLine ? 1 : 0,
  ENDS.indexOf(state.end),
  state.finished ? 1 : 0,
]

/** Decodes what {@link packState} encoded. What is damaged or missing counts as a file that was not read to its end. */
export const unpackState = (value: JsonValue): ReadingState => {
  const [parser, continuesLine, end, finished] = arrayOf(value)
  return {
    parser: parser ?? null,
    continuesLine: continuesLine === 1,
    end: ENDS[typeof end === 'number' ? end : 0] ?? 'complete',
    finished: finished === 1,
  }
}

/** What to do with a file, given what is known of it; see `detectChange`. */
export type FileChange = 'new' | 'unchanged' | 'touched' | 'grown' | 'rewritten'

/**
 * Whether a file has the size, modification time and identity of a cursor that had read it to its end: then it need not
 * be opened.
 */
export const isUnchanged = (cursor: ImportCursor, facts: FileFacts): boolean =>
  unpackState(cursor.parserState).finished &&
  cursor.size === facts.size &&
  cursor.modifiedAt === facts.modifiedAt &&
  cursor.identity === facts.identity

/**
 * Compares a file with its cursor, and its bytes with the fingerprint where size or time differ. `new`: no cursor;
 * `rewritten`: what was read is no longer there; `touched`: only the time or identity is new; `grown`: what was read is
 * still there, and there is more, or it was not read to its end. Rejects when the file can't be read.
 */
export const detectChange = async (
  cursor: ImportCursor | undefined,
  facts: FileFacts,
  deps: { readonly fileSystem: Pick<FileSystem, 'read'>; readonly hasher: Hasher },
): Promise<FileChange> => {
  if (cursor === undefined) return 'new'
  if (isUnchanged(cursor, facts)) return 'unchanged'
  const packed = unpackingOf(facts.path) !== undefined
  if (!packed && facts.size < cursor.offset) return 'rewritten'
  if ((await currentFingerprint(cursor, facts.path, deps)) !== cursor.fingerprint) return 'rewritten'
  return unpackState(cursor.parserState).finished && cursor.size === facts.size ? 'touched' : 'grown'
}

/**
 * How the file of this path is unpacked, by its ending alone (`.gz`, `.zst`, lower case), as the file system takes it;
 * undefined for any other.
 */
export const unpackingOf = (path: string): Required<Pick<ReadOptions, 'unpack'>> | undefined =>
  path.endsWith('.gz') ? { unpack: 'gzip' } : path.endsWith('.zst') ? { unpack: 'zstd' } : undefined

/** The fingerprint that a file has where the cursor stands; undefined where it is shorter. */
const currentFingerprint = async (
  cursor: ImportCursor,
  path: string,
  { fileSystem, hasher }: { readonly fileSystem: Pick<FileSystem, 'read'>; readonly hasher: Hasher },
): Promise<string | undefined> => {
  const options = unpackingOf(path)
  const head = await readExactly(fileSystem.read(path, 0, options), Math.min(WINDOW, cursor.offset))
  const start = Math.max(0, cursor.offset - WINDOW)
  const tail = await readExactly(fileSystem.read(path, start, options), cursor.offset - start)
  return head === undefined || tail === undefined ? undefined : digest(head, tail, hasher)
}

/** The first `length` bytes; undefined where there are fewer. */
const readExactly = async (chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array | undefined> => {
  const bytes = new Uint8Array(length)
  let filled = 0
  if (length === 0) return bytes
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, length - filled)
    bytes.set(part, filled)
    filled += part.length
    if (filled === length) return bytes
  }
  return undefined
}

/** A hash of a file's beginning and end, 32 hexadecimal digits. */
const digest = (head: Uint8Array, tail: Uint8Array, hasher: Hasher): string => {
  const both = new Uint8Array(head.length + tail.length)
  both.set(head)
  both.set(tail, head.length)
  return hasher.sha256(both).slice(0, 32)
}

/** Follows the bytes that a reader is given, so that a fingerprint can be had for any offset near the newest. */
export interface FingerprintRecorder {
  /** Passes chunks on unchanged, remembering their start and end. */
  follow(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** The fingerprint for a cursor at `offset`, which must lie in the newest chunk or at the end of what was read. */
  at(offset: number): string
}

/**
 * A recorder for a file that is read from `offset` on; `before` holds the bytes of both windows up to there (see
 * `readWindows`), empty for a file that is read from its start. `follow` passes the chunks on; `at` gives the
 * fingerprint up to an offset within what it has passed.
 */
export const createFingerprintRecorder = (
  hasher: Hasher,
  offset: number,
  before: { readonly head: Uint8Array; readonly tail: Uint8Array },
): FingerprintRecorder => {
  const head = new Uint8Array(WINDOW)
  head.set(before.head)
  let headLength = before.head.length
  /** The window before the newest chunk, copied, and the chunk itself, which is not. */
  let earlier = before.tail
  let chunk: Uint8Array = new Uint8Array(0)
  let chunkStart = offset

  /** Takes the next chunk, keeping as much of the end of the earlier ones as a fingerprint needs. */
  const advance = (next: Uint8Array): void => {
    const joined = new Uint8Array(Math.min(WINDOW, earlier.length) + Math.min(WINDOW, chunk.length))
    joined.set(earlier.subarray(Math.max(0, earlier.length - WINDOW)))
    joined.set(chunk.subarray(Math.max(0, chunk.length - WINDOW)), Math.min(WINDOW, earlier.length))
    earlier = chunk.length >= WINDOW ? new Uint8Array(chunk.subarray(chunk.length - WINDOW)) : joined
    chunkStart += chunk.length
    chunk = next
    if (headLength < WINDOW && chunkStart === headLength) {
      const part = next.subarray(0, WINDOW - headLength)
      head.set(part, headLength)
      headLength += part.length
    }
  }

  return {
    follow: async function* (chunks) {
      for await (const next of chunks) {
        advance(next)
        yield next
      }
    },
    at: (end) => {
      const inChunk = Math.max(0, Math.min(chunk.length, end - chunkStart))
      const beforeChunk =
        end - chunkStart < 0 ? earlier.subarray(0, Math.max(0, earlier.length + (end - chunkStart))) : earlier
      const wanted = Math.min(WINDOW, end)
      const tail = new Uint8Array(wanted)
      const fromChunk = Math.min(inChunk, wanted)
      tail.set(chunk.subarray(inChunk - fromChunk, inChunk), wanted - fromChunk)
      const rest = wanted - fromChunk
      tail.set(beforeChunk.subarray(beforeChunk.length - rest), 0)
      return digest(head.subarray(0, Math.min(headLength, WINDOW, end)), tail, hasher)
    },
  }
}

/**
 * Reads the bytes that a fingerprint recorder needs to go on from a cursor; empty where the file has become shorter
 * than the cursor. Rejects when it can't be read.
 */
export const readWindows = async (
  cursor: ImportCursor,
  path: string,
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<{ readonly head: Uint8Array; readonly tail: Uint8Array }> => {
  const options = unpackingOf(path)
  const start = Math.max(0, cursor.offset - WINDOW)
  const none = new Uint8Array(0)
  const head = await readExactly(fileSystem.read(path, 0, options), Math.min(WINDOW, cursor.offset))
  const tail = await readExactly(fileSystem.read(path, start, options), cursor.offset - start)
  return { head: head ?? none, tail: tail ?? none }
}
