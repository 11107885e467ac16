/** Sets a damaged repository aside, whole, and begins a new one with the snapshots that are whole in it. */
import { join } from 'node:path'
import type { RepositoryRepair } from '../../ports/snapshot-repository.ts'
import { makeFolder } from '../make-folder.ts'
import { gitOutput } from './git-process.ts'
import { copyJournal } from './journal.ts'
import {
  ensureRepository,
  isRepairInterrupted,
  makeRenewed,
  renewOwnFiles,
  repositoriesAside,
  setRepositoryAside,
  withRepositoryLock,
} from './private-repository.ts'
import type { RootLocation } from './private-repository.ts'
import { namedCommits, repositoryFault } from './repository-fault.ts'
import type { NamedCommit } from './repository-fault.ts'
import { wholeCommits } from './whole-snapshots.ts'

/**
 * Writes the repository's own files again; where git still finds a fault in it, makes a new one with the snapshots that
 * are whole, and the note of an interrupted restore, and sets the damaged one aside, named by `at` (ms). A sound one
 * stays: `setAside` is null. Brings a repair that was interrupted to its end instead. Takes the repository's lock, so
 * the caller must not hold it. Rejects with `file-conflict` if another process holds it for long, and where git
 * (`storage-failed`) or the disk fails: no snapshot is lost, and the next repair begins anew, or ends this one.
 */
export const repairRepository = async (location: RootLocation, at: number): Promise<RepositoryRepair> => {
  const { gitFolder } = location
  if (!isRepairInterrupted(gitFolder)) {
    const isSound = await withRepositoryLock(gitFolder, async () => {
      renewOwnFiles(location)
      if ((await repositoryFault(gitFolder)) === undefined) return true
      await makeRenewed(location, (renewed) => copyWhole(gitFolder, renewed))
      setRepositoryAside(gitFolder, at)
      return false
    })
    if (isSound) return { setAside: null, kept: await countSnapshots(gitFolder), lost: 0 }
  }
  return withRepositoryLock(gitFolder, async () => {
    await ensureRepository(location)
    const setAside = repositoriesAside(gitFolder).at(-1) ?? null
    const kept = await countSnapshots(gitFolder)
    return { setAside, kept, lost: setAside === null ? 0 : Math.max(0, (await countSnapshots(setAside)) - kept) }
  })
}

/** How many snapshots a repository names, whether they are there or not; 0 where git fails. */
const countSnapshots = async (gitFolder: string): Promise<number> => {
  const { named, broken } = await namedCommits(gitFolder)
  return named.length + broken
}

/** Copies what is whole of a damaged repository into another, with its refs. Rejects where git or the disk fails. */
const copyWhole = async (gitFolder: string, renewed: string): Promise<void> => {
  const { named } = await namedCommits(gitFolder)
  const whole = await wholeCommits(
    gitFolder,
    named.map(({ commit }) => commit),
  )
  const kept = named.filter(({ commit }) => whole.has(commit))
  if (kept.length > 0) await copySnapshots(gitFolder, renewed, kept)
  copyJournal(gitFolder, renewed)
}

/**
 * Copies snapshots that are whole into another repository: all that they hold as one pack, then their refs. Rejects
 * where git fails.
 */
const copySnapshots = async (gitFolder: string, renewed: string, kept: readonly NamedCommit[]): Promise<void> => {
  const packs = join(renewed, 'objects', 'pack')
  makeFolder(packs, 0o700)
  await gitOutput(
    gitFolder,
    ['pack-objects', '--revs', '--quiet', '--window=0', '--delta-base-offset', join(packs, 'pack')],
    kept.map(({ commit }) => `${commit}\n`).join(''),
  )
  await gitOutput(
    renewed,
    ['update-ref', '--stdin'],
    kept.map(({ ref, commit }) => `update ${ref} ${commit}\n`).join(''),
  )
}
