/** Sets a damaged repository aside, whole, and begins a new one with the snapshots that are whole in it. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryRepair } from '../../ports/snapshot-repository.ts'
import { makeFolder } from '../make-folder.ts'
import { renameOver } from '../replace-file.ts'
import { gitOutput } from './git-process.ts'
import { copyJournal } from './journal.ts'
import { ensureRepository, renewOwnFiles, setRepositoryAside, withRepositoryLock } from './private-repository.ts'
import type { RootLocation } from './private-repository.ts'
import { namedCommits, repositoryFault } from './repository-fault.ts'
import type { NamedCommit } from './repository-fault.ts'
import { wholeCommits } from './whole-snapshots.ts'

/** Holds what is copied until the new repository is there. A process that is killed leaves it; see `removeLeftovers`. */
const COPIED = '.tmp-repair'

interface Salvaged {
  readonly setAside: string
  readonly kept: readonly NamedCommit[]
  readonly lost: number
}

/**
 * Writes the repository's own files again; where git still finds a fault in it, sets it aside and makes a new one with
 * the snapshots that are whole, and the note of an interrupted restore. A sound one stays: `setAside` is null. `at`:
 * ms. Rejects where git (`storage-failed`) or the disk fails: before it is set aside all snapshots stay where they are,
 * later they are in the folder with the other name.
 */
export const repairRepository = async (location: RootLocation, at: number): Promise<RepositoryRepair> => {
  const { gitFolder } = location
  const salvaged = await withRepositoryLock(gitFolder, async () => {
    renewOwnFiles(location)
    return (await repositoryFault(gitFolder)) === undefined ? undefined : salvage(gitFolder, at)
  })
  if (salvaged === undefined) return { setAside: null, kept: (await namedCommits(gitFolder)).named.length, lost: 0 }
  const { setAside, kept, lost } = salvaged
  return withRepositoryLock(gitFolder, async () => {
    await ensureRepository(location)
    await adopt(gitFolder, salvaged)
    copyJournal(setAside, gitFolder)
    return { setAside, kept: kept.length, lost }
  })
}

/**
 * Copies what is whole, and only then gives the damaged repository its other name. The caller holds the lock. `lost`
 * counts those that are not whole. Throws as git does; nothing is set aside then.
 */
const salvage = async (gitFolder: string, at: number): Promise<Salvaged> => {
  const { named, broken } = await namedCommits(gitFolder)
  const commits = named.map(({ commit }) => commit)
  const whole = await wholeCommits(gitFolder, commits)
  const kept = named.filter(({ commit }) => whole.has(commit))
  if (kept.length > 0) {
    makeFolder(join(gitFolder, COPIED), 0o700)
    const pack = join(gitFolder, COPIED, 'pack')
    const input = kept.map(({ commit }) => `${commit}\n`).join('')
    try {
      await gitOutput(
        gitFolder,
        ['pack-objects', '--revs', '--quiet', '--window=0', '--delta-base-offset', pack],
        input,
      )
    } catch (error) {
      rmSync(join(gitFolder, COPIED), { recursive: true, force: true })
      throw error
    }
  }
  return { setAside: setRepositoryAside(gitFolder, at), kept, lost: named.length + broken - kept.length }
}

/** Takes the copied snapshots into the new repository. Rejects as git does. */
const adopt = async (gitFolder: string, { setAside, kept }: Salvaged): Promise<void> => {
  if (kept.length === 0) return
  const copied = join(setAside, COPIED)
  const packs = join(gitFolder, 'objects', 'pack')
  makeFolder(packs, 0o700)
  // A pack counts from its index on, which comes last.
  for (const name of readdirSync(copied).toSorted((left, right) => (left < right ? 1 : -1)))
    renameOver(join(copied, name), join(packs, name))
  rmSync(copied, { recursive: true, force: true })
  // Made by another process meanwhile, a ref of this name would be of the same snapshot.
  await gitOutput(
    gitFolder,
    ['update-ref', '--stdin'],
    kept.map(({ ref, commit }) => `update ${ref} ${commit}\n`).join(''),
  )
}
