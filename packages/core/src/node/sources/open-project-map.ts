/** The map of a project on disk, and what changed since one was made. */
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { exportedNames } from '../../sources/map/exported-names.ts'
import { mapChanges, type MapChanges } from '../../sources/map/map-changes.ts'
import { projectMap, type MappedFile, type ProjectMap } from '../../sources/map/project-map.ts'
import { loadTree, saveTree, treeId } from './map-trees.ts'

export interface ProjectMapOptions {
  /** At most so many tokens, by estimate. */
  readonly tokens?: number
  /** Paths of the workspace whose exported names are listed, the likeliest first. */
  readonly related?: readonly string[]
  readonly signal?: AbortSignal
}

/** A map with what it was made of. */
export interface MadeProjectMap extends ProjectMap {
  /** Names the files that the map was made of, with their contents; for {@link ProjectMaps.changes}. */
  readonly tree: string
  /** False where there are more files than were looked at. */
  readonly isComplete: boolean
}

export interface ProjectMaps {
  /** Rejects with `not-found` for a related path that is no file of the workspace. */
  make(options?: ProjectMapOptions): Promise<MadeProjectMap>
  /**
   * What is added, removed and changed since the map of this tree was made, within `tokens`, and the tree that the files are
   * now. Rejects with `not-found` for a tree that is not kept, or no longer.
   */
  changes(tree: string, options?: Omit<ProjectMapOptions, 'related'>): Promise<MapChanges & { readonly tree: string }>
}

/** Larger files are not read for their names. */
const LARGEST_FILE = 1024 * 1024

/**
 * Makes maps of a workspace, again at each call; the tree of each is kept in the data folder, so that a later map can
 * tell what has changed. `changes` rejects with `not-found` if that tree is no longer kept.
 */
export const openProjectMaps = (files: WorkspaceFiles, dataFolder: string): ProjectMaps => {
  /** The files as they are now, each with its version; keeps their tree in the data folder. */
  const now = async (signal: AbortSignal | undefined) => {
    const { files: listed, isComplete } = await files.list(signal)
    const versions = new Map(
      listed.map(({ path, blobId, mtimeMs, bytes }) => [path, blobId ?? `${mtimeMs}:${bytes}`] as const),
    )
    const tree = treeId(
      files.roots.map(({ folder }) => folder),
      versions,
    )
    saveTree(dataFolder, tree, versions)
    return { paths: listed.map(({ path }) => path), versions, tree, isComplete }
  }
  return {
    /**
     * Makes a map, with the exported names of the `related` files. Rejects with `not-found` for one that the project
     * does not have.
     */
    make: async ({ tokens, related = [], signal } = {}) => {
      const { paths, tree, isComplete } = await now(signal)
      const known = new Set(paths)
      const mapped: MappedFile[] = []
      for (const path of related) {
        if (!known.has(path))
          throw new CairnError(
            'not-found',
            `"${echoed(path)}" is no file that the project has, so it has no names to list.`,
          )
        const answer = await files.read(path, LARGEST_FILE)
        const names = 'content' in answer ? exportedNames(path, new TextDecoder().decode(answer.content)) : []
        mapped.push({ path, names })
      }
      const map = projectMap({ paths, related: mapped, ...(tokens === undefined ? {} : { tokens }) })
      return { ...map, tree, isComplete }
    },
    changes: async (tree, { tokens, signal } = {}) => {
      const before = loadTree(dataFolder, tree)
      if (before === undefined)
        throw new CairnError(
          'not-found',
          `There is no map of the tree "${echoed(tree)}", or no longer: make a new one.`,
        )
      const { versions, tree: treeNow } = await now(signal)
      return { ...mapChanges(before, versions, tokens), tree: treeNow }
    },
  }
}
