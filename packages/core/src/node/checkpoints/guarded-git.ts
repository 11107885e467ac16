/**
 * Git that removes objects. Killed, this program leaves it running: who works on the repository next waits until it has
 * ended, as it could remove what was just written.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, gitFailure, startGit } from './git-process.ts'

const NAME = 'cairn-git.pid'
const PAUSE_MS = 20

/**
 * Runs git to its end, and notes its process id in the repository while it runs, for {@link awaitGuarded}. @throws
 * StorageError when it failed or can't be started
 */
export const runGuarded = async (gitFolder: string, options: readonly string[]): Promise<void> => {
  const path = join(gitFolder, NAME)
  const child = startGit(gitFolder, options)
  const answer = answerOf(child)
  child.stdin.end()
  try {
    if (child.pid !== undefined) writeFileSync(path, String(child.pid), { mode: 0o600 })
    const ended = await answer
    if (ended.code !== 0) throw gitFailure(gitFolder, options[0] ?? '', ended)
  } finally {
    await answer.catch(() => undefined)
    rmSync(path, { force: true })
  }
}

/**
 * Waits, however long, for a git that a killed process left running, and removes its note. At once where there is none.
 * The caller holds the repository's lock.
 */
export const awaitGuarded = async (gitFolder: string): Promise<void> => {
  const path = join(gitFolder, NAME)
  for (let pid = pidIn(path); pid !== undefined && isGit(pid); pid = pidIn(path)) await sleep(PAUSE_MS)
  rmSync(path, { force: true })
}

/**
 * The process id in a file; undefined where there is none, the file can't be read, or no process can have that number.
 */
const pidIn = (path: string): number | undefined => {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a process runs and is git: ids are given again. Without /proc any process that runs counts on macOS, none on
 * other systems.
 */
const isGit = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('git')
  } catch {
    // It has ended meanwhile; a system without /proc tells no more, and its ids are seldom given again.
    return process.platform === 'darwin'
  }
}
