/** A folder as a model is handed it: the paths below it, those nearest first, not what is in them. */
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { visibleName } from './delimited.ts'

/** Returns the paths of the files, one per line, made visible, sorted by depth and then by name; empty for no files. */
export const folderText = (files: readonly WorkspaceFile[]): string =>
  files
    .map(({ path }) => ({ path, depth: path.split('/').length }))
    .sort((left, right) => left.depth - right.depth || (left.path < right.path ? -1 : 1))
    .map(({ path }) => visibleName(path))
    .join('\n')
