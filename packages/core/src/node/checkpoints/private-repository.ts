/** The private repository of a root: made when first needed, in the data folder, one process at a time. */
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootRefusal } from '../../checkpoints/root-refusal.ts'
import { CairnError, StorageError } from '../../errors.ts'
import { isJsonObject } from '../../json.ts'
import { makeFolder } from '../make-folder.ts'
import { codeOf, systemReason } from '../system-reason.ts'
import { createLeaseFile } from '../lease-file.ts'
import type { LeaseFile } from '../lease-file.ts'
import { renameOver, replaceFile } from '../replace-file.ts'
import { gitOutput } from './git-process.ts'
import { awaitGuarded } from './guarded-git.ts'

/** Below the data folder. */
const CHECKPOINTS = 'checkpoints'
/** Says whose repository it is; written last, so that a repository without it is not complete. */
const FACTS = 'cairn.json'
const LOCK = 'cairn.lock'
const LOCK_PATIENCE_MS = 30_000
const LOCK_PAUSE_MS = 20
/** A process that works for long says so this often, ms. */
const LOCK_RENEWED_MS = 10_000

/** Of what fsck looks for, the contents of users' .gitmodules are none of a snapshot's faults. */
const CONFIG = `[core]
	repositoryFormatVersion = 0
	bare = true
	fileMode = true
	symlinks = true
	autocrlf = false
	safecrlf = false
	fsmonitor = false
	sparseCheckout = false
	splitIndex = false
	precomposeUnicode = false
	quotePath = false
	logAllRefUpdates = false
	hooksPath = /dev/null
	excludesFile = /dev/null
	attributesFile = /dev/null
	compression = 1
	bigFileThreshold = 10m
	fsync = all
[gc]
	auto = 0
	autoDetach = false
[maintenance]
	auto = false
[commit]
	gpgSign = false
[protocol]
	allow = never
[fastimport]
	unpackLimit = 0
[pack]
	window = 0
	threads = 1
[fsck]
${['Blob', 'Name', 'Parse', 'Path', 'Symlink', 'Update', 'Url'].map((name) => `\tgitmodules${name} = ignore\n`).join('')}`
const ATTRIBUTES = '* -text !eol !filter !ident !working-tree-encoding\n'
const OWN_FILES = [
  ['config', CONFIG],
  [join('info', 'attributes'), ATTRIBUTES],
] as const
/** Without it git takes the folder for none of its own; the branch that it names is never made. */
const HEAD = 'ref: refs/heads/master\n'
const WHOLE_HEAD = /^ref: refs\/heads\/[\w.-]+\n$/

/** What a repository says of itself. */
const factsOf = ({ root }: Pick<RootLocation, 'root'>): string => JSON.stringify({ version: 1, root })

export interface RootLocation {
  /** Absolute, without links. */
  readonly root: string
  /** Of the private repository; it need not be there. */
  readonly gitFolder: string
}

export interface RepositorySetting {
  readonly dataFolder: string
  readonly home: string
  /** The store, where it is a file: no checkpoint holds it. */
  readonly storeFile?: string
}

/** The path without links; as it is where it can't be resolved. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * The root of a folder (without links) and where its snapshots are; nothing is made. @throws CairnError `invalid-input`
 * for what is no folder, one that `rootRefusal` refuses (such as the home folder), or that the user may not write to;
 * `not-found` for one that is not there
 */
export const findLocation = (folder: string, { dataFolder, home }: RepositorySetting): RootLocation => {
  if (!existsSync(folder)) throw new CairnError('not-found', `There is no folder ${folder}; nothing was changed.`)
  const root = realpathSync(folder)
  const refused = (why: string): CairnError =>
    new CairnError('invalid-input', `No checkpoint is made of ${root}, as ${why}; name a project’s folder.`)
  if (!statSync(root).isDirectory()) throw refused('it is not a folder')
  const refusal = rootRefusal({
    root,
    isRepository: existsSync(join(root, '.git')),
    home: realOf(home),
    dataFolder: realOf(dataFolder),
  })
  if (refusal !== undefined) throw refused(refusal)
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw refused('you may not write to it')
  }
  return { root, gitFolder: gitFolderOf(root, dataFolder) }
}

/**
 * Where the repository of a root is, also of one that is not there any more. `root`: without links. Its name is made of
 * the folder's name and a hash of the path.
 */
export const gitFolderOf = (root: string, dataFolder: string): string => {
  const slug = basename(root)
    .replace(/[^A-Za-z0-9.-]/g, '-')
    .slice(0, 40)
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return join(realOf(dataFolder), CHECKPOINTS, `${slug}-${hash}`)
}

/** Whether there is a repository that was made completely; false for one whose making was interrupted. */
export const isRepository = (gitFolder: string): boolean => existsSync(join(gitFolder, FACTS))

/** Where a repair makes the repository that takes a damaged one's place; it is complete as any other is. */
const RENEWED = '.repaired'
const RENEWED_END = /\.repaired$/
const renewedFolder = (gitFolder: string): string => `${gitFolder}${RENEWED}`

/**
 * Whether a repair was interrupted after it had set the damaged repository aside: `ensureRepository` brings it to its
 * end.
 */
export const isRepairInterrupted = (gitFolder: string): boolean =>
  !isRepository(gitFolder) && isRepository(renewedFolder(gitFolder))

/**
 * Makes the repository where it is missing or was not completed, from what an interrupted repair made of it if there
 * was one; nothing for a complete one. The caller holds its lock. @throws StorageError `storage-failed`; the user's
 * files are untouched
 */
export const ensureRepository = async ({ root, gitFolder }: RootLocation): Promise<void> => {
  if (isRepository(gitFolder)) return
  try {
    if (isRepairInterrupted(gitFolder)) {
      takeRenewed(gitFolder)
      return
    }
    await initialise(gitFolder)
    replaceFile(join(gitFolder, FACTS), factsOf({ root }), { flush: true })
  } catch (cause) {
    throw notMade(gitFolder, cause)
  }
}

/**
 * Makes an empty bare repository with Cairn's own settings, complete but for the file that says so. Throws what git or
 * the system says.
 */
const initialise = async (gitFolder: string): Promise<void> => {
  makeFolder(gitFolder, 0o700)
  await gitOutput(gitFolder, ['init', '--bare', '--quiet', '--template=', '--object-format=sha1', gitFolder])
  makeFolder(join(gitFolder, 'info'), 0o700)
  for (const [name, text] of OWN_FILES) writeFileSync(join(gitFolder, name), text)
}

/** The error for a repository that could not be made: a CairnError as it is, any other as `storage-failed` with why. */
const notMade = (gitFolder: string, cause: unknown): CairnError =>
  CairnError.is(cause)
    ? cause
    : new StorageError(
        'storage-failed',
        `The repository of checkpoints could not be made in ${gitFolder}: ${systemReason(cause) ?? 'unknown reason'}. Nothing was changed.`,
        { cause },
      )

/** Moves what a repair made to its place; what says that it is complete comes last, so that it can be interrupted. */
const takeRenewed = (gitFolder: string): void => {
  const renewed = renewedFolder(gitFolder)
  makeFolder(gitFolder, 0o700)
  for (const name of readdirSync(renewed).filter((each) => each !== FACTS))
    renameOver(join(renewed, name), join(gitFolder, name))
  renameOver(join(renewed, FACTS), join(gitFolder, FACTS))
  rmSync(renewed, { recursive: true, force: true })
}

/**
 * Makes the repository that is to take a damaged one's place; `fill` puts into its folder what was whole. The damaged
 * one is not touched, and none is left where this fails. @throws StorageError `storage-failed`
 */
export const makeRenewed = async (
  { root, gitFolder }: RootLocation,
  fill: (renewed: string) => Promise<void>,
): Promise<void> => {
  const renewed = renewedFolder(gitFolder)
  try {
    // Of a repair that was killed.
    rmSync(renewed, { recursive: true, force: true })
    await initialise(renewed)
    await fill(renewed)
    replaceFile(join(renewed, FACTS), factsOf({ root }), { flush: true })
  } catch (cause) {
    rmSync(renewed, { recursive: true, force: true })
    throw notMade(renewed, cause)
  }
}

/**
 * Removes a repository with all its snapshots; a missing one is no error. The caller holds its lock, which goes with
 * it. What says that it is complete goes first.
 */
export const removeRepository = (gitFolder: string): void => {
  rmSync(join(gitFolder, FACTS), { force: true })
  rmSync(gitFolder, { recursive: true, force: true })
}

/** Between the name of a repository and the time at which it was set aside. */
const DAMAGED = '.damaged-'

/**
 * Gives a damaged repository another name, which is returned. `at`: ms. The caller holds its lock, which ends with this.
 */
export const setRepositoryAside = (gitFolder: string, at: number): string => {
  const aside = `${gitFolder}${DAMAGED}${new Date(at).toISOString().replace(/[-:.]/g, '')}`
  renameSync(gitFolder, aside)
  rmSync(join(aside, LOCK), { force: true })
  return aside
}

/**
 * The folders of damaged repositories of a root that were set aside, the oldest first; none where nothing was ever kept.
 */
export const repositoriesAside = (gitFolder: string): readonly string[] => {
  const folder = dirname(gitFolder)
  const beginning = `${basename(gitFolder)}${DAMAGED}`
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => (name.startsWith(beginning) ? [join(folder, name)] : []))
}

/** All folders of a root that have snapshots, or had them: beside its repository what repairs made and set aside. */
export const allRepositories = (gitFolder: string): readonly string[] =>
  [...repositoriesAside(gitFolder), renewedFolder(gitFolder), gitFolder].filter((folder) => existsSync(folder))

/**
 * Writes the config, attributes, HEAD and `cairn.json` of a repository again, where they are not as they should be;
 * what was there stays beside it as `.damaged`. The caller holds the lock. Throws what the system says.
 */
export const renewOwnFiles = (location: RootLocation): void => {
  makeFolder(join(location.gitFolder, 'info'), 0o700)
  for (const [name, text] of [...OWN_FILES, ['HEAD', HEAD], [FACTS, factsOf(location)]] as const) {
    const path = join(location.gitFolder, name)
    if (existsSync(path)) {
      const found = readFileSync(path, 'utf8')
      if (found === text || (name === 'HEAD' && WHOLE_HEAD.test(found))) continue
      renameOver(path, `${path}.damaged`)
    }
    replaceFile(path, text, { flush: true })
  }
}

/** A folder that looks like a repository. */
export interface FoundRepository {
  readonly gitFolder: string
  /** Whose it is, by itself; undefined where it does not say so. */
  readonly root: string | undefined
}

/** As `gitFolderOf` names them; what was set aside has another name. */
const REPOSITORY_NAME = /-[0-9a-f]{16}$/

/**
 * Every repository in the data folder that is complete or has snapshots, also one that an interrupted repair has still
 * to put there, sorted by the name of its folder; none that was set aside. Throws what the system says where the folder
 * can't be read; none if it is missing.
 */
export const findRepositories = (dataFolder: string): readonly FoundRepository[] => {
  const folder = join(realOf(dataFolder), CHECKPOINTS)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).map((name) => name.replace(RENEWED_END, ''))
  return [...new Set(names)]
    .filter((name) => REPOSITORY_NAME.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter(
      (gitFolder) =>
        isRepository(gitFolder) || isRepairInterrupted(gitFolder) || existsSync(join(gitFolder, 'refs', 'cairn')),
    )
    .map((gitFolder) => ({ gitFolder, root: rootIn(gitFolder, dataFolder) }))
}

/** The root that a repository names; undefined where that is damaged, or another's. */
const rootIn = (gitFolder: string, dataFolder: string): string | undefined => {
  try {
    const complete = isRepairInterrupted(gitFolder) ? renewedFolder(gitFolder) : gitFolder
    const facts: unknown = JSON.parse(readFileSync(join(complete, FACTS), 'utf8'))
    const root = isJsonObject(facts) ? facts['root'] : undefined
    return typeof root === 'string' && gitFolderOf(root, dataFolder) === gitFolder ? root : undefined
  } catch {
    return undefined
  }
}

/**
 * The root of every complete repository, sorted; also roots that are not there any more. What can't be read is passed
 * over.
 */
export const repositoryRoots = (dataFolder: string): readonly string[] =>
  findRepositories(dataFolder)
    .flatMap(({ root }) => (root === undefined ? [] : [root]))
    .sort()

/**
 * Works on a repository while no one else does, in this process or another, and after a git that a killed process left
 * running there. Not to be called for the same repository within `action`: that waits for itself, for ever. Rejects
 * with `file-conflict` when another process holds it for longer than `patienceMs` (a wait in this process does not
 * count), `storage-failed` where the lock can't be written, and as `action` does.
 */
export const withRepositoryLock = async <T>(
  gitFolder: string,
  action: () => Promise<T>,
  patienceMs = LOCK_PATIENCE_MS,
): Promise<T> => {
  const release = await takeLock(gitFolder, patienceMs)
  try {
    await awaitGuarded(gitFolder)
    return await action()
  } finally {
    release()
  }
}

/** Locks of this process: its own second action waits as another process's does. */
const heldHere = new Map<string, Promise<void>>()

/**
 * Waits for its turn in this process, without limit, then among processes; resolves with what gives both back. Rejects
 * as `takeLease`, and has given its turn back then.
 */
const takeLock = async (gitFolder: string, patienceMs: number): Promise<() => void> => {
  const before = heldHere.get(gitFolder)
  let releaseHere: () => void = () => undefined
  const own = new Promise<void>((resolve) => {
    releaseHere = resolve
  })
  const chained = (before ?? Promise.resolve()).then(() => own)
  heldHere.set(gitFolder, chained)
  await before
  const leave = (): void => {
    if (heldHere.get(gitFolder) === chained) heldHere.delete(gitFolder)
    releaseHere()
  }
  try {
    return await takeLease(gitFolder, patienceMs, leave)
  } catch (error) {
    leave()
    throw error
  }
}

/** One try to take the lease. @throws StorageError where nothing can be written */
const takeOrRefuse = (lease: LeaseFile, gitFolder: string): ReturnType<LeaseFile['take']> => {
  try {
    return lease.take()
  } catch (cause) {
    throw new StorageError(
      'storage-failed',
      `Nothing can be written to ${gitFolder}, where checkpoints are kept: ${systemReason(cause) ?? codeOf(cause) ?? 'unknown reason'}. Nothing was changed; make that folder writable and run this again.`,
      { cause },
    )
  }
}

/**
 * Tries to take the lease until the patience (ms) is over; then rejects with `file-conflict`. Resolves with what gives
 * the lease back, and then calls `leave`; until then it is renewed.
 */
const takeLease = async (gitFolder: string, patienceMs: number, leave: () => void): Promise<() => void> => {
  const lease = createLeaseFile(join(gitFolder, LOCK), 'cairn checkpoint')
  const until = Date.now() + patienceMs
  for (;;) {
    const outcome = takeOrRefuse(lease, gitFolder)
    if (outcome.isTaken) break
    if (Date.now() > until)
      throw new CairnError(
        'file-conflict',
        `Another process${outcome.owner === undefined ? '' : ` (${outcome.owner.pid} on ${outcome.owner.host})`} is working on the checkpoints of this folder, and nothing was changed; run this again when it has ended.`,
      )
    await sleep(LOCK_PAUSE_MS)
  }
  const renewal = setInterval(() => lease.renew(), LOCK_RENEWED_MS)
  renewal.unref()
  return () => {
    clearInterval(renewal)
    lease.release()
    leave()
  }
}
