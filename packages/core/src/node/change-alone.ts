/** One change of a file at a time, over all processes: who reads a file to write it again must not meet another who does. */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CairnError } from '../errors.ts'
import { isRunning } from './is-running.ts'
import { createLeaseFile, waitForLease } from './lease-file.ts'

/** A change reads and writes a small file; on a slow disk that may take seconds. */
const PATIENCE_MS = 30_000
/** After the file's own name: what a killed process has left of it or of its lock. */
const UNFINISHED = /^\.(?:lock\.)?(\d+)(?:\.tmp|\.stale)?$/

/**
 * Runs `change` while this process holds the lock file `<path>.lock`, which all who call this for `path` wait for, in
 * other processes too; gives what `change` returns. Waits up to `patienceMs` (30 s by default); the whole process
 * stands still meanwhile. Makes the folder where it is missing, and removes what killed processes left beside the file.
 * Throws what `change` throws, what the system says where nothing can be written, and a CairnError `file-conflict` when
 * the lock is not free in time; `change` did not run then.
 */
export const changeAlone = <T>(path: string, change: () => T, patienceMs = PATIENCE_MS): T => {
  const lease = createLeaseFile(`${path}.lock`)
  const outcome = waitForLease(() => lease.take(), patienceMs)
  if (!outcome.isTaken) {
    const who =
      outcome.owner === undefined ? 'another program' : `process ${outcome.owner.pid} on ${outcome.owner.host}`
    throw new CairnError('file-conflict', `${path} is being changed by ${who}, and is as it was; try again.`)
  }
  try {
    removeUnfinished(path)
    return change()
  } finally {
    lease.release()
  }
}

/**
 * Removes unfinished files of `path` and of its lock (names with a process id) whose process does not run any more.
 * Throws what the system says.
 */
const removeUnfinished = (path: string): void => {
  const [folder, name] = [dirname(path), basename(path)]
  for (const each of readdirSync(folder)) {
    const pid = each.startsWith(name) ? UNFINISHED.exec(each.slice(name.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, each), { force: true })
  }
}
