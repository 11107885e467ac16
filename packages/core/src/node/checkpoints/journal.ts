/** Notes which restore is under way, so that the next command can bring it to its end. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { StorageError } from '../../errors.ts'
import { isJsonObject, stringOf } from '../../json.ts'
import { renameOver, replaceFile } from '../replace-file.ts'

const NAME = 'cairn-restore.json'

export interface RestoreJournal {
  /** Of the snapshot that is restored, and its commit. */
  readonly targetId: string
  readonly target: string
  /** The snapshot of what was there before. */
  readonly undoId: string
  readonly undo: string
  /** What is restored, where it is not everything. */
  readonly paths: readonly BytePath[] | null
}

/** Notes a restore, in place of a former one; it is on disk when this returns. Throws what the system says. */
export const writeJournal = (gitFolder: string, journal: RestoreJournal): void =>
  replaceFile(join(gitFolder, NAME), JSON.stringify(journal), { flush: true })

/** Whether a restore has begun and not ended, or was interrupted: whether its journal is there. Reads nothing. */
export const hasJournal = (gitFolder: string): boolean => existsSync(join(gitFolder, NAME))

/**
 * The restore that was not brought to its end; undefined where there is none. @throws StorageError for a journal that can't
 * be understood, once: it is set aside, as it would else stand in the way of everything that can still be done.
 */
export const readJournal = (gitFolder: string): RestoreJournal | undefined => {
  const path = join(gitFolder, NAME)
  if (!existsSync(path)) return undefined
  const journal = parsed(readFileSync(path, 'utf8'))
  if (journal !== undefined) return journal
  renameOver(path, `${path}.damaged`)
  throw new StorageError(
    'storage-corrupt',
    `A restore in this folder was interrupted, and can’t be brought to its end as its journal is damaged (now ${path}.damaged); some files may be as they were in the checkpoint. "cairn checkpoint list" shows what was kept right before it, to restore that; run this again to go on without it.`,
  )
}

/** A journal's text; undefined for one that is damaged. `paths` is null where all were restored. */
const parsed = (text: string): RestoreJournal | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const [targetId, target, undoId, undo] = [value['targetId'], value['target'], value['undoId'], value['undo']].map(
      stringOf,
    )
    if (targetId === undefined || target === undefined || undoId === undefined || undo === undefined) return undefined
    const some = value['paths']
    const paths = Array.isArray(some) ? some.filter((path) => typeof path === 'string') : null
    return { targetId, target, undoId, undo, paths }
  } catch {
    return undefined
  }
}

/** Copies the note of a restore that is under way to another repository. Nothing where there is none. */
export const copyJournal = (from: string, to: string): void => {
  if (hasJournal(from)) replaceFile(join(to, NAME), readFileSync(join(from, NAME)), { flush: true })
}

/** Removes the journal: the restore is at its end. That there is none is no error. */
export const removeJournal = (gitFolder: string): void => rmSync(join(gitFolder, NAME), { force: true })
