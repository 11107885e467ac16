/** One setup at a time: a lock in the data folder, taken over from a process that is gone. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CairnError } from '../../errors.ts'
import { createLeaseFile, waitForLease, type LeaseFile, type LeaseOutcome } from '../lease-file.ts'
import { makeRecordFolder, removeRecordFolder } from './record-folder.ts'
import { isRunning } from '../is-running.ts'
import { reasonOf, removeAbandoned } from './settings-file.ts'
import { isRecordEmpty, readSetupRecord, recordPath } from './setup-record.ts'

const LOCK = 'setup.lock'
/** Files that a process had not finished when it was killed. */
const UNFINISHED = /^setup\.lock\.(\d+)(?:\.stale)?$/
/** A setup writes fifteen small files; on a slow disk that may take seconds. */
const PATIENCE_MS = 30_000

/**
 * Runs an action while no other setup with this data folder does, and returns what it returns; the whole process waits
 * for the lock. What killed setups left unfinished is removed first; a record that notes no file at the end is removed,
 * with the folders made for it.
 * @throws CairnError `file-conflict` where the lock can't be had within `patienceMs` (30 s by default), `invalid-input`
 * where nothing can be written there, and what the action throws
 */
export const withSetupLock = <T>(dataFolder: string, action: () => T, patienceMs = PATIENCE_MS): T => {
  const lease = createLeaseFile(join(dataFolder, LOCK))
  takeLock(dataFolder, lease, patienceMs)
  const { folders } = readSetupRecord(dataFolder)
  try {
    removeUnfinished(dataFolder)
    removeAbandoned(recordPath(dataFolder))
    return action()
  } finally {
    if (isRecordEmpty(dataFolder)) removeRecordFolder(dataFolder, folders, (name) => name === LOCK)
    lease.release()
  }
}

/**
 * Takes the lock, waiting up to `patienceMs` until it is free.
 * @throws CairnError `file-conflict` if another setup keeps it, `invalid-input` if the folder can't be written
 */
const takeLock = (dataFolder: string, lease: LeaseFile, patienceMs: number): void => {
  /** One try to take the lock; makes its folder, with a record, first. */
  const take = (): LeaseOutcome =>
    attempt(dataFolder, () => {
      // Each time: whoever had the lock may have removed what it had made.
      makeRecordFolder(dataFolder)
      return lease.take()
    })
  const outcome = waitForLease(take, patienceMs)
  if (outcome.isTaken) return
  const who = outcome.owner === undefined ? '' : ` (process ${outcome.owner.pid} on ${outcome.owner.host})`
  throw new CairnError(
    'file-conflict',
    `Another cairn setup is at work${who}, and nothing was written; run this again when it has ended.`,
  )
}

/**
 * What `take` gives.
 * @throws CairnError `invalid-input` for anything that it throws
 */
const attempt = <T>(dataFolder: string, take: () => T): T => {
  try {
    return take()
  } catch (cause) {
    throw new CairnError(
      'invalid-input',
      `Nothing was written, as what setup does can't be noted in ${dataFolder}: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/** Removes the unfinished files of processes that are gone. */
const removeUnfinished = (dataFolder: string): void => {
  for (const name of readdirSync(dataFolder)) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dataFolder, name), { force: true })
  }
}
