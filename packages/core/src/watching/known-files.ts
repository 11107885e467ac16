/** What the files of a session's context held when they were last looked at: kept in the store, compared at the next prompt. */
import { arrayOf, isJsonObject, objectOf, stringOf } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { FileContent } from './attribution-types.ts'

/** The key of the session's state that holds them. */
export const KNOWN_FILES_KEY = 'files-known'

export interface KnownFile {
  /** As the log names it; relative to the workspace where it lies inside. */
  readonly path: string
  /** When the session touched it last, ms. */
  readonly at: number | null
  /** What it held then; undefined where nobody could tell. */
  readonly content: FileContent | undefined
  /** The stamp of the file while it held that; undefined where it was not seen so. */
  readonly stamp: string | undefined
  /** A change that was already there at that look, and whose it was. */
  readonly change: { readonly stamp: string; readonly who: string } | undefined
}

/** How many bytes of a transcript a log has. */
export interface ReadTranscript {
  readonly path: string
  readonly bytes: number
}

export interface KnownFiles {
  /** The session's folder, absolute. */
  readonly workspace: string
  /** How much of its transcripts the session's log holds: what comes later may have touched any file. */
  readonly transcripts: readonly ReadTranscript[]
  readonly files: readonly KnownFile[]
}

/** What tells one state of a file from another without reading it: equal stamps mean the same file, size and time. */
export const stampOf = ({ identity, size, modifiedAt }: FileFacts): string => `${identity}:${size}:${modifiedAt}`

/**
 * The files that are not as they were seen, by identity, size and time, in their order; also those that are missing
 * now, and those without a stamp. Those that can't be looked at are left out. Nothing is read; never rejects.
 */
export const suspectFiles = async (
  { workspace, files }: KnownFiles,
  fileSystem: Pick<FileSystem, 'stat'>,
): Promise<readonly KnownFile[]> => {
  const stamps = await Promise.all(
    files.map(({ path }) =>
      fileSystem.stat(fullPath(path, workspace)).then(
        (facts) => (facts?.kind === 'file' ? stampOf(facts) : 'gone'),
        () => undefined,
      ),
    ),
  )
  return files.filter(({ stamp }, index) => stamps[index] !== undefined && stamps[index] !== stamp)
}

/** Where a file of the log lies: paths that are not absolute are the workspace's. */
export const fullPath = (path: string, workspace: string): string =>
  /^(?:\/|[A-Za-z]:)/.test(path) ? path : `${workspace}/${path}`

/** What is known of files as JSON for the store; {@link parseKnownFiles} reads it. */
export const storedKnownFiles = ({ workspace, transcripts, files }: KnownFiles): JsonValue => ({
  workspace,
  transcripts: transcripts.map((each) => ({ ...each })),
  files: files.map(({ path, at, content, stamp, change }) => ({
    path,
    at,
    ...(content === undefined ? {} : { hash: content.hash }),
    ...(content?.shape === undefined ? {} : { shape: content.shape }),
    ...(stamp === undefined ? {} : { stamp }),
    ...(change === undefined ? {} : { change: { ...change } }),
  })),
})

/**
 * What {@link storedKnownFiles} wrote; undefined for anything that names no workspace. Files and transcripts that are
 * damaged are left out.
 */
export const parseKnownFiles = (value: JsonValue | undefined): KnownFiles | undefined => {
  const { workspace, transcripts, files } = objectOf(value)
  if (typeof workspace !== 'string') return undefined
  return {
    workspace,
    transcripts: arrayOf(transcripts)
      .map(objectOf)
      .flatMap(({ path, bytes }) => (typeof path === 'string' && typeof bytes === 'number' ? [{ path, bytes }] : [])),
    files: arrayOf(files)
      .filter(isJsonObject)
      .flatMap((file): readonly KnownFile[] => {
        const [name, hash, shape] = [stringOf(file.path), stringOf(file.hash), stringOf(file.shape)]
        if (name === undefined) return []
        const { stamp, who } = objectOf(file.change)
        return [
          {
            path: name,
            at: typeof file.at === 'number' ? file.at : null,
            content: hash === undefined ? undefined : { hash, ...(shape === undefined ? {} : { shape }) },
            stamp: stringOf(file.stamp),
            change: typeof stamp === 'string' && typeof who === 'string' ? { stamp, who } : undefined,
          },
        ]
      }),
  }
}
