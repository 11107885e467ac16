/** Whether git has a file's content, under its own filters, in the repository that the file is in. Reads only. */
import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PATIENCE_MS = 5_000

/**
 * Whether the repository of a file has its content as it is now, so that it can be had again. False also where there is
 * no git, no repository, or no answer in five seconds; never rejects.
 */
export const isKnownToGit = async (path: string): Promise<boolean> => {
  const options = {
    cwd: dirname(path),
    timeout: PATIENCE_MS,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  }
  try {
    const { stdout } = await run('git', ['hash-object', '--', basename(path)], options)
    await run('git', ['cat-file', '-e', stdout.trim()], options)
    return true
  } catch {
    return false
  }
}
