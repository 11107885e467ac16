/** Reads the checked-out branch of a folder from git's files. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Returns the text of a file; undefined if it can't be read. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns the branch that is checked out in the repository around a folder, read from git's files without running git.
 * Undefined outside of a repository and for a detached HEAD.
 */
export const gitBranch = (folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    const facts = statSync(git, { throwIfNoEntry: false })
    if (facts !== undefined) {
      const target = facts.isFile() ? /^gitdir:\s*(.+?)\s*$/m.exec(textOf(git) ?? '')?.[1] : git
      const head = target === undefined ? undefined : textOf(join(resolve(at, target), 'HEAD'))
      return /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1]
    }
    if (dirname(at) === at) return undefined
  }
}
