/** One change of the secrets at a time: a lock in their folder, taken over from a process that is gone. */
import { join } from 'node:path'
import { CairnError } from '../../errors.ts'
import { systemReason } from '../system-reason.ts'
import { createLeaseFile, waitForLease, type LeaseFile, type LeaseOutcome } from '../lease-file.ts'

/** A change writes two small files; on a slow disk that may take seconds. */
const PATIENCE_MS = 30_000

/**
 * Runs a change while no other process makes one, and waits for that first; nothing else happens in this process
 * meanwhile.
 * @throws CairnError `file-conflict` if the lock is not free within `PATIENCE_MS`, `invalid-input` if the folder can't
 * be written, and what `change` throws
 */
export const withSecretsLock = <T>(folder: string, change: () => T): T => {
  const lease = createLeaseFile(join(folder, 'secrets.lock'))
  if (!waitForLease(() => attempt(folder, lease), PATIENCE_MS).isTaken)
    throw new CairnError('file-conflict', 'Another program changes the secrets at the moment; nothing was kept.')
  try {
    return change()
  } finally {
    lease.release()
  }
}

/**
 * Takes the lock, or returns who has it.
 * @throws CairnError `invalid-input` if the folder can't be written
 */
const attempt = (folder: string, lease: LeaseFile): LeaseOutcome => {
  try {
    return lease.take()
  } catch (cause) {
    throw new CairnError(
      'invalid-input',
      `Nothing was kept, as nothing can be written in ${folder}: ${systemReason(cause) ?? 'the system refuses it'}.`,
      { cause },
    )
  }
}
