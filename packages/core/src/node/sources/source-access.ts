/** The SourceAccess port over git and the disk: files of workspaces, their log, and a cache in the data folder. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceAccess, SourceCache } from '../../ports/source-access.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { makeFolder } from '../make-folder.ts'
import { replaceFile } from '../replace-file.ts'
import { importNeighbours } from '../../sources/imports/import-graph.ts'
import { isSourcePath } from '../../sources/related/source-path.ts'
import type { ImportIndex } from '../../sources/imports/import-index.ts'
import { askGit } from './git-files.ts'
import { openImportIndex } from './open-import-index.ts'
import { createWorkspaceFiles } from './workspace-files.ts'

const FOLDER = 'source-cache'

/**
 * What related files need of this machine: files, git's log, a cache. `dataFolder`: absolute; the cache is a folder
 * of its own in it, made when something is written. Default: nothing is kept.
 */
export const createSourceAccess = ({ dataFolder }: { readonly dataFolder?: string } = {}): SourceAccess => {
  const opened = new Map<string, WorkspaceFiles>()
  const indexes = new Map<string, ImportIndex>()
  const filesOf = (roots: readonly string[]): WorkspaceFiles => {
    const key = roots.join('\0')
    const files = opened.get(key) ?? createWorkspaceFiles(roots, { isWanted: isSourcePath })
    opened.set(key, files)
    return files
  }
  return {
    files: filesOf,
    /**
     * The files that a file imports, then those that import it; the index over all files of the roots is made first.
     */
    importNeighbours: async (roots, path, signal) => {
      const key = roots.join('\0')
      // Over all files, as settings of compilers and packages say what an import means.
      const index =
        indexes.get(key) ?? openImportIndex(createWorkspaceFiles(roots), dataFolder === undefined ? {} : { dataFolder })
      indexes.set(key, index)
      return importNeighbours(await index.graph(signal), path)
    },
    head: async (folder) => (await askGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim(),
    log: (folder, head, options) => logOf(folder, head, options),
    cache: dataFolder === undefined ? NO_CACHE : createSourceCache(join(dataFolder, FOLDER)),
    pause: () => nextTurn(),
  }
}

/**
 * What `git log` prints for a folder up to the commit `head`; undefined where git fails. Renames are looked for in
 * contents, which a partial clone would fetch: there it is asked without them.
 */
const logOf = async (folder: string, head: string, options: readonly string[]): Promise<string | undefined> => {
  const isPartial = (await askGit(folder, ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`])) !== undefined
  return isPartial
    ? askGit(folder, ['--no-lazy-fetch', 'log', ...options, '--no-renames', head, '--', '.'])
    : askGit(folder, ['log', ...options, head, '--', '.'])
}

const NO_CACHE: SourceCache = {
  read: () => Promise.resolve(undefined),
  version: () => Promise.resolve(undefined),
  write: () => Promise.resolve(undefined),
}

/**
 * A cache of files, by name, in a folder, which is made at the first write. Reading what is not there and writing what
 * can't be written give undefined, never an error. A version changes with each write.
 */
const createSourceCache = (folder: string): SourceCache => {
  const pathOf = (name: string): string => join(folder, `${name}.bin`)
  /** A text that is another one after each write of the file; undefined where there is no file. */
  const versionOf = (path: string): string | undefined => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true })
      return `${ino}:${size}:${mtimeNs}`
    } catch {
      return undefined
    }
  }
  return {
    version: async (name) => versionOf(pathOf(name)),
    /** The bytes kept under a name with their version; undefined where there are none. */
    read: async (name) => {
      const path = pathOf(name)
      const version = versionOf(path)
      try {
        return version === undefined ? undefined : { bytes: readFileSync(path), version }
      } catch {
        return undefined
      }
    },
    /** Keeps bytes under a name, in place of former ones; gives their version, undefined where that fails. */
    write: async (name, bytes) => {
      const path = pathOf(name)
      try {
        makeFolder(folder, 0o700)
        replaceFile(path, bytes)
        return versionOf(path)
      } catch {
        // Full or read-only: the index is then rebuilt, as without a cache.
        return undefined
      }
    },
  }
}
