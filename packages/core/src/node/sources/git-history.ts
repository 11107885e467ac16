/** The GitHistory port: the log of the user's repository. */
import type { BranchCommit, GitHistory } from '../../ports/git-history.ts'
import { ask } from './git-facts.ts'

/** About 80,000 commits. */
const MOST_BYTES = 8_388_608

/**
 * The commits of a branch (default: the one that is checked out) of the repository that a folder is in, newest first:
 * of a merge only the first parent is followed, and `isCut` says that there are more than 8 MiB of them. Never rejects:
 * `refused` says why there are none.
 */
export const createGitHistory = (folder: string): GitHistory => ({
  /** The commits of a branch, newest first; `given` undefined: of the one that is checked out. */
  commits: async (given) => {
    const branch = given ?? (await currentBranch(folder))
    if (typeof branch !== 'string') return branch
    const ref = await refOf(folder, branch)
    if (typeof ref !== 'string') return ref
    const log = await ask(folder, ['log', '--first-parent', '--format=%H%x09%at%x09%s', ref, '--'], MOST_BYTES)
    if ('refused' in log) return { refused: log.refused }
    return { branch, commits: log.text.split('\n').flatMap(commitOf), isCut: log.isCut }
  },
})

/** The branch that is checked out; otherwise why there is none. It may have no commit yet. */
const currentBranch = async (folder: string): Promise<string | { readonly refused: string }> => {
  const head = await ask(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD'], 4_096)
  if ('text' in head) return head.text.trim()
  return { refused: head.isNo === true ? 'no branch is checked out' : head.refused }
}

/**
 * The ref of a branch: the one here, else that of `origin`, as what was merged is often deleted here first; `refused`
 * where there is neither.
 */
const refOf = async (folder: string, branch: string): Promise<string | { readonly refused: string }> => {
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`]) {
    const hash = await ask(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], 200)
    if ('text' in hash) return ref
    if (hash.isNo !== true) return { refused: hash.refused }
  }
  return { refused: `there is no branch '${branch}'` }
}

/** A line of git's log, as a list of one; empty if it is damaged. */
const commitOf = (line: string): readonly BranchCommit[] => {
  const [hash = '', seconds = '', ...subject] = line.split('\t')
  return hash === '' || !/^\d+$/.test(seconds)
    ? []
    : [{ hash, at: Number(seconds) * 1000, subject: subject.join('\t') }]
}
