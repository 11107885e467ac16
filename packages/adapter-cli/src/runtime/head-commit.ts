/** The commit that a project's folder is at. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'

const HASH = /^[0-9a-f]{7,64}$/
/** How long git may take, ms. It usually answers in a few, but a folder on a network may be slow. */
const MOST_MS = 2_000

/** The hash of HEAD; undefined outside a repository, before its first commit, and where git is not there. Never rejects. */
export const headCommit = (folder: string): Promise<string | undefined> => {
  if (!isAbsolute(folder) || !existsSync(folder)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    execFile(
      'git',
      ['rev-parse', '--verify', '--quiet', 'HEAD'],
      { cwd: folder, timeout: MOST_MS, windowsHide: true, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } },
      (error, stdout) => {
        const hash = stdout.trim()
        resolve(error === null && HASH.test(hash) ? hash : undefined)
      },
    )
  })
}
