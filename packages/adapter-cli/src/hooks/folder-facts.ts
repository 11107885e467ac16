/**
 * The facts about folders that imports use, determined by the same rules without loading the rest of their file system.
 */
import { readFileSync, statSync } from 'node:fs'
import { createIncognitoSetting, createWorkspaceResolver } from '@cairn/core/hooks'
import { realPathOf } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const files: Parameters<typeof createIncognitoSetting>[0] = {
  /** The facts of a path, links followed; undefined if there is nothing. */
  stat: async (path) => {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return undefined
    const kind = facts.isDirectory() ? 'directory' : facts.isFile() ? 'file' : 'other'
    return { path, kind, size: facts.size, modifiedAt: Math.floor(facts.mtimeMs), identity: '' }
  },
  readText: async (path) => readFileSync(path, 'utf8'),
  realPath: async (path) => realPathOf(path),
}

/** Returns the project that a folder belongs to. */
export const repositoryOf: (folder: string) => Promise<string> = createWorkspaceResolver(files)

/**
 * Whether the settings make sessions in the surroundings' folder incognito; false if they can't be read, which the
 * import reports.
 */
export const isSetIncognito = (surroundings: Surroundings): Promise<boolean> =>
  createIncognitoSetting(files, surroundings)(surroundings.folder).catch(() => false)
