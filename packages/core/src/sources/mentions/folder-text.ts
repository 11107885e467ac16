/** A folder as a model is handed it: the paths below it, those nearest first, not what is in them. */
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { visibleName } from './delimited.ts'

/**
 * Paths below a folder, a line each, made visible; sorted, and those of folders further down come after the files of
 * those above.
 */
export const folderText = (files: readonly WorkspaceFile[]): string =>
  files
    .map(({ path }) => ({ path, depth: path.split('/').length }))
    .sort((left, right) => left.depth - right.depth || (left.path < right.path ? -1 : 1))
    .map(({ path }) => visibleName(path))
    .join('\n')
