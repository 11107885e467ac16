/** Looks at a file of a session's context: through ports, so that hooks and the engine judge alike. */
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { FileContent } from './attribution-types.ts'
import type { LastKnown } from './file-on-disk.ts'
import { fullPath } from './known-files.ts'
import { textShape } from './text-shape.ts'

export interface FileCompareDeps {
  readonly fileSystem: Pick<FileSystem, 'stat' | 'read' | 'realPath'>
  readonly hasher: Hasher
}

/** A file as it was found. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string
  /** Undefined: gone, or a folder, a pipe, a link to nothing in its place. */
  readonly facts: FileFacts | undefined
}

/** Larger ones are compared by their time. */
const LARGEST_READ = 16 << 20

const isInside = (path: string, folder: string): boolean =>
  `${path.replaceAll('\\', '/')}/`.startsWith(`${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`)

/**
 * Finds a file of a session's context. Undefined where it may not be looked at: the system fails or refuses, or the
 * path stands in the workspace and leads out of it, by links or by `..`. Its `facts` are undefined if there is no file.
 */
export const findFile = async (
  { fileSystem }: Pick<FileCompareDeps, 'fileSystem'>,
  path: string,
  workspace: string,
): Promise<FoundFile | undefined> => {
  const full = fullPath(path, workspace)
  try {
    if (full.startsWith(`${workspace}/`)) {
      const [root, real] = [await fileSystem.realPath(workspace), await fileSystem.realPath(full)]
      if (!isInside(real, root)) return undefined
    }
    const facts = await fileSystem.stat(full)
    return { path: full, facts: facts?.kind === 'file' ? facts : undefined }
  } catch {
    return undefined
  }
}

/** What a text holds, for comparisons. */
const contentOfText = (text: string, hasher: Hasher): FileContent => ({
  hash: hasher.sha256(text),
  shape: hasher.sha256(textShape(text)),
})

/**
 * What a file holds now, as hashes of its bytes and of its text's shape; undefined where there is none, it can't be
 * read, or is too large. Never rejects.
 */
export const contentOfFile = async (
  { fileSystem, hasher }: FileCompareDeps,
  { path, facts }: FoundFile,
): Promise<FileContent | undefined> => {
  if (facts === undefined || facts.size > LARGEST_READ) return undefined
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of fileSystem.read(path)) {
      // It may grow while it is read.
      size += chunk.length
      if (size > LARGEST_READ) return undefined
      chunks.push(chunk.slice())
    }
    const bytes = new Uint8Array(size)
    let offset = 0
    for (const chunk of chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    return { hash: hasher.sha256(bytes), shape: hasher.sha256(textShape(new TextDecoder().decode(bytes))) }
  } catch {
    return undefined
  }
}

/**
 * What the log's text or hash says of a file's content, and when (ms): a text counts before a hash; `content` is
 * undefined where it has neither.
 */
export const lastKnownOf = (
  known:
    { readonly at: number | null; readonly text: string | undefined; readonly hash: string | undefined } | undefined,
  hasher: Hasher,
): LastKnown => {
  const at = known?.at ?? null
  if (known?.text !== undefined) return { at, content: contentOfText(known.text, hasher) }
  return { at, content: known?.hash === undefined ? undefined : { hash: known.hash } }
}
