/** The project that a folder belongs to, by the rules of imports, without loading what else their file system can. */
import { readFileSync, statSync } from 'node:fs'
import { createWorkspaceResolver } from '@cairn/core/hooks'

export const repositoryOf: (folder: string) => Promise<string> = createWorkspaceResolver({
  stat: (path) => {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return Promise.resolve(undefined)
    const kind = facts.isDirectory() ? 'directory' : facts.isFile() ? 'file' : 'other'
    return Promise.resolve({ path, kind, size: facts.size, modifiedAt: Math.floor(facts.mtimeMs), identity: '' })
  },
  readText: (path) => Promise.resolve(readFileSync(path, 'utf8')),
})
