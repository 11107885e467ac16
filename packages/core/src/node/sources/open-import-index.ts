/** The import graph of folders on disk. */
import { createImportIndex, type ImportIndex } from '../../sources/imports/import-index.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { createImportCache } from './import-cache.ts'
import { loadImportParser } from './parse-imports.ts'

export interface ImportIndexSetting {
  /** Where what was found is kept for the next run; undefined: nowhere. */
  readonly dataFolder?: string
}

/**
 * Makes the index over a workspace's files, kept in `dataFolder` where one is given; nothing is read before it is
 * asked. The parser is loaded only when imports that seem to form a circle have to be confirmed.
 */
export const openImportIndex = (files: WorkspaceFiles, { dataFolder }: ImportIndexSetting = {}): ImportIndex =>
  createImportIndex({
    files,
    loadParser: loadImportParser,
    ...(dataFolder === undefined
      ? {}
      : {
          cache: createImportCache(
            dataFolder,
            files.roots.map(({ folder }) => folder),
          ),
        }),
  })
