/** A file as it is now: its bytes' hash and shape with the times that belong to these very bytes. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import { TextDecoder } from 'node:util'
import type { FileContent, FileLook } from '../../watching/attribution-types.ts'
import { textShape } from '../../watching/text-shape.ts'
import { codeOf } from '../system-reason.ts'

/** Larger files have no shape: a formatter's change of them counts as anybody's. */
const LARGEST_SHAPED = 1 << 20
/** Larger files are known by size and times, not by their bytes. */
const LARGEST_READ = 64 << 20
const ATTEMPTS = 3

/** A look, and by what the file is known. */
export interface FileSight extends FileLook {
  /** Changes whenever the file was changed in any way; undefined: it is gone. */
  readonly stamp: string | undefined
  /** Device and inode. */
  readonly identity: string | undefined
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * What is known of a content before it is written: its hash (SHA-256) and, unless it is no text or larger than 1 MiB,
 * its shape.
 */
export const contentOf = (bytes: Uint8Array): FileContent => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const shape = shapeOf(bytes)
  return shape === undefined ? { hash } : { hash, shape }
}

/** A hash of a text's form without its layout (`textShape`); undefined for what is no text, or larger than 1 MiB. */
const shapeOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > LARGEST_SHAPED || bytes.includes(0)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return createHash('sha256').update(textShape(text)).digest('hex')
  } catch {
    return undefined
  }
}

/**
 * What tells one state of a file from another without reading it; undefined where there is no file, `unreadable` where
 * it can't be told. Never rejects.
 */
export const stampOf = async (path: string): Promise<string | undefined> => stampIn(await fileStat(path))

/**
 * Looks at a file, links followed. A missing file, or a folder in its place, has the content null. Undefined when it
 * can't be told what it holds now: it may not be read, or is written to all the time. `noticedAt`: when it was noticed
 * to be missing, ms; the look then says that it went no later.
 */
export const lookAtFile = async (path: string, noticedAt?: number): Promise<FileSight | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await fileStat(path)
    const at = Date.now()
    if (before === 'unreadable') return undefined
    if (before === undefined) return missing(path, at, noticedAt)
    const content = await readContent(path, before)
    if (content === 'unreadable') return undefined
    const after = content === undefined ? undefined : await fileStat(path)
    if (content === undefined || after === undefined || after === 'unreadable' || stampIn(before) !== stampIn(after))
      continue
    return {
      path,
      at: Date.now(),
      content,
      modifiedAt: Number(after.mtimeMs),
      changedAt: Number(after.ctimeMs),
      stamp: stampIn(after),
      identity: `${after.dev}:${after.ino}`,
    }
  }
  return undefined
}

/** The facts of a file; undefined where there is none, `unreadable` where it may not be looked at. */
const fileStat = async (path: string): Promise<BigIntStats | 'unreadable' | undefined> => {
  try {
    const facts = await stat(path, { bigint: true })
    return facts.isFile() ? facts : undefined
  } catch (error) {
    return GONE.has(codeOf(error)) ? undefined : 'unreadable'
  }
}

/**
 * A text that changes when a file does; undefined where there is none, `unreadable` for a file that may not be looked
 * at.
 */
const stampIn = (facts: BigIntStats | 'unreadable' | undefined): string | undefined =>
  facts === undefined || facts === 'unreadable'
    ? facts
    : `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`

/**
 * A file's content as a hash; of a file larger than `LARGEST_READ` only its facts are hashed. Undefined if it is gone,
 * `unreadable` if it can't be read.
 */
const readContent = async (path: string, facts: BigIntStats): Promise<FileContent | 'unreadable' | undefined> => {
  if (facts.size > LARGEST_READ)
    return {
      hash: createHash('sha256')
        .update(stampIn(facts) ?? '')
        .digest('hex'),
    }
  try {
    return contentOf(await readFile(path))
  } catch (error) {
    return GONE.has(codeOf(error)) ? undefined : 'unreadable'
  }
}

/**
 * The look at a file that is missing: it went before it was noticed, and at the latest when its folder changed last.
 * `noticedAt`: ms.
 */
const missing = async (path: string, at: number, noticedAt = at): Promise<FileSight> => {
  const folder = await stat(dirname(path)).then(
    ({ mtimeMs }) => mtimeMs,
    () => noticedAt,
  )
  const wentAt = Math.floor(Math.min(folder, noticedAt))
  return { path, at, content: null, modifiedAt: wentAt, changedAt: wentAt, stamp: undefined, identity: undefined }
}
