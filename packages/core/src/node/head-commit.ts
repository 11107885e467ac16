/** What git says of a project's folder, the commit and the branch, and of the user. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, parse } from 'node:path'
import { readingEnvironment } from './checkpoints/git-process.ts'

const HASH = /^[0-9a-f]{7,64}$/
/** How long git may take, ms. It usually answers in a few, but a folder on a network may be slow. */
const MOST_MS = 2_000

/**
 * The hash of a folder's HEAD, in full; undefined outside a repository, before its first commit, for a path that is not
 * absolute, and where git is missing or takes longer than `MOST_MS`. Never rejects.
 */
export const headCommit = async (folder: string): Promise<string | undefined> => {
  const hash = await gitAnswer(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  return hash !== undefined && HASH.test(hash) ? hash : undefined
}

/** The branch that is checked out; undefined at a commit without a branch, and where `headCommit` is. Never rejects. */
export const checkedOutBranch = (folder: string): Promise<string | undefined> =>
  gitAnswer(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD'])

/**
 * The user's address by git's own settings, those of a repository left out; undefined where none is set, and where git is
 * not there. Never rejects.
 */
export const userEmail = (): Promise<string | undefined> =>
  gitAnswer(
    parse(process.cwd()).root,
    ['config', '--global', '--includes', '--get', 'user.email'],
    // The user may have named another file for git's own settings.
    process.env,
  )

/**
 * What git prints, trimmed; undefined where it fails, prints nothing or takes too long, and for a folder that is
 * missing or not absolute. Never rejects. By default the repository is the folder's, also where a hook of git, which
 * names its own in the environment, runs this.
 */
const gitAnswer = (
  folder: string,
  words: readonly string[],
  environment = readingEnvironment(),
): Promise<string | undefined> => {
  if (!isAbsolute(folder) || !existsSync(folder)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    execFile(
      'git',
      words,
      { cwd: folder, timeout: MOST_MS, windowsHide: true, env: { ...environment, GIT_OPTIONAL_LOCKS: '0' } },
      (error, stdout) => {
        const answer = stdout.trim()
        resolve(error === null && answer !== '' ? answer : undefined)
      },
    )
  })
}
