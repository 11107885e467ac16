/** Checks every private repository of a machine, and repairs those that are damaged where that is asked for. */
import { existsSync } from 'node:fs'
import { CairnError } from '../../errors.ts'
import type { RepositoryCheck, VerifyOptions } from '../../ports/snapshot-repository.ts'
import { hasGit } from './git-process.ts'
import {
  findRepositories,
  gitFolderOf,
  isRepairInterrupted,
  isRepository,
  withRepositoryLock,
} from './private-repository.ts'
import type { FoundRepository } from './private-repository.ts'
import { repairRepository } from './repair-repository.ts'
import { namedCommits, repositoryFault } from './repository-fault.ts'

const NO_GIT = 'checkpoints need git, and there is none in the PATH'
const NO_ROOT = 'it does not say of which folder it is, as its file cairn.json is damaged or missing'
const INTERRUPTED = 'its repair was interrupted'

interface Located extends FoundRepository {
  /** Whether it says itself whose it is. */
  readonly isNamed: boolean
}

/**
 * Checks all repositories below a data folder, one after the other; without git all are `unchecked`. Only what seems
 * damaged is looked at under its lock: checkpoints are made meanwhile. `roots`: folders known otherwise, for
 * repositories that don't say whose they are. Rejects where a repair fails, or a folder or lock can't be used.
 */
export const verifyRepositories = async (
  dataFolder: string,
  { roots = [], repair = false }: VerifyOptions,
): Promise<readonly RepositoryCheck[]> => {
  const byFolder = new Map(roots.map((root) => [gitFolderOf(root, dataFolder), root]))
  const found = findRepositories(dataFolder).map(({ gitFolder, root }) => ({
    gitFolder,
    root: root ?? byFolder.get(gitFolder),
    isNamed: root !== undefined,
  }))
  if (found.length === 0) return []
  if (!(await hasGit())) return found.map((each) => ({ ...emptyCheck(each), unchecked: NO_GIT }))
  const checks: RepositoryCheck[] = []
  for (const each of found) {
    const check = await checkOne(each, repair)
    if (check !== undefined) checks.push(check)
  }
  return checks
}

/** A repository's check before anything was found. */
const emptyCheck = ({ gitFolder, root }: FoundRepository): RepositoryCheck => ({
  root: root ?? null,
  folder: gitFolder,
  commits: [],
  fault: null,
  unchecked: null,
  repair: null,
})

/**
 * Checks one repository, and repairs it if `isRepair` and its folder is known; undefined if it was removed meanwhile.
 * One that is in use is reported as `unchecked`. Other errors reject.
 */
const checkOne = async (found: Located, isRepair: boolean): Promise<RepositoryCheck | undefined> => {
  const { gitFolder, root } = found
  if (!isRepair && isRepairInterrupted(gitFolder)) return { ...emptyCheck(found), fault: INTERRUPTED }
  try {
    const fault = isRepairInterrupted(gitFolder) ? INTERRUPTED : await confirmedFault(found)
    if (fault !== INTERRUPTED && !existsSync(gitFolder)) return undefined
    const isRepaired = fault !== undefined && isRepair && root !== undefined
    const repair = isRepaired ? await repairRepository({ root, gitFolder }, Date.now()) : null
    const commits = (await namedCommits(gitFolder)).named.map(({ commit }) => commit)
    return { ...emptyCheck(found), commits, fault: fault ?? null, repair }
  } catch (error) {
    if (!CairnError.is(error) || error.code !== 'file-conflict') throw error
    return { ...emptyCheck(found), unchecked: error.message }
  }
}

/**
 * A fault of a repository that is still there when nobody else works on it, or that it does not name its folder;
 * undefined if it is sound and does, or is gone. Takes its lock only where something seems wrong, and rejects as that
 * does.
 */
const confirmedFault = async ({ gitFolder, isNamed }: Located): Promise<string | undefined> => {
  if (isNamed && (await repositoryFault(gitFolder)) === undefined) return undefined
  // The lock would make its folder again.
  if (!existsSync(gitFolder)) return undefined
  return withRepositoryLock(gitFolder, async () => {
    const fault = await repositoryFault(gitFolder)
    return fault ?? (isNamed && isRepository(gitFolder) ? undefined : NO_ROOT)
  })
}
