/** What is wrong with a private repository, by `git fsck`, and the snapshots that its refs name. */
import { SNAPSHOT_REFS } from '../../checkpoints/snapshot-message.ts'
import { runGit } from './git-process.ts'

/** Of what a user's files hold or are called, such as a long line of .gitattributes: none of a repository's faults. */
const ABOUT_CONTENT = /^(?:error|warning) in (?:blob|tree|commit) [0-9a-f]{40}: /
const NO_FAULT = /^(?:notice|hint|warning): /
const BROKEN_REF = `warning: ignoring broken ref ${SNAPSHOT_REFS}`
/** The exit code of fsck where nothing is wrong beside what objects hold. */
const ONLY_OBJECTS = 1

/**
 * The first thing that is wrong, as git says it; undefined for a sound repository. Warnings, and what git says of the
 * content or names of the user's files, count for nothing. Rejects with `storage-failed` where git can't be started.
 */
export const repositoryFault = async (gitFolder: string): Promise<string | undefined> => {
  const { code, output, error } = await runGit(gitFolder, ['fsck', '--full', '--no-dangling', '--no-progress'])
  if (code === 0) return undefined
  const [fault] = `${error}\n${Buffer.from(output, 'latin1').toString('utf8')}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ABOUT_CONTENT.test(line) && !NO_FAULT.test(line))
  if (fault === undefined && code === ONLY_OBJECTS) return undefined
  return fault ?? `git fsck ended with ${code === -1 ? 'a signal' : code}`
}

/** A ref of a snapshot. */
export interface NamedCommit {
  readonly ref: string
  readonly commit: string
}

export interface NamedCommits {
  /** Whether their commits are there or not. */
  readonly named: readonly NamedCommit[]
  /** How many refs name nothing. */
  readonly broken: number
}

/**
 * The snapshots that refs name, and how many refs are broken. None where git fails; rejects with `storage-failed`
 * without git.
 */
export const namedCommits = async (gitFolder: string): Promise<NamedCommits> => {
  const options = ['for-each-ref', '--format=%(objectname) %(refname)', SNAPSHOT_REFS]
  const { code, output, error } = await runGit(gitFolder, options)
  if (code !== 0) return { named: [], broken: 0 }
  const named = output.split('\n').flatMap((line) => {
    const [commit = '', ref] = line.split(' ')
    return ref === undefined ? [] : [{ ref, commit }]
  })
  return { named, broken: error.split('\n').filter((line) => line.startsWith(BROKEN_REF)).length }
}
