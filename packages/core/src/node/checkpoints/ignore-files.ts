/** Finds and reads git's ignore files: of a repository, of its folders, and of the user. Reads only. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { parseIgnoreRules } from '../../checkpoints/ignore-rules.ts'
import type { IgnoreFile, IgnoreRule } from '../../checkpoints/ignore-rules.ts'
import { folderAbove } from '../folder-above.ts'
import { readUserGit } from './git-process.ts'

/** Larger ignore files are not read, bytes. */
const LARGEST = 4_000_000

/** How a sentence names the user's own ignore file. */
const USER_SOURCE = "git's core.excludesFile"

/** What git ignores at the top of a repository, and the tracked files in it that are not ignored though a rule says so. */
export interface RepositoryIgnores {
  /** The strongest first. */
  readonly files: readonly IgnoreFile[]
  /** Asks git, which takes a while. Relative to the root. */
  readonly trackedAnyway: () => Promise<readonly BytePath[]>
}

/** The rules of a file; none where it is missing, a link, too large, or not readable. */
export const readRules = (path: string | Buffer): readonly IgnoreRule[] => {
  try {
    const facts = lstatSync(path)
    if (!facts.isFile() || facts.size > LARGEST) return []
    return parseIgnoreRules(readFileSync(path, 'latin1'))
  } catch {
    return []
  }
}

/**
 * As readRules, but follows links: the user's own file may be one. None for what is no file, too large or not readable.
 */
const readOwnRules = (path: string): readonly IgnoreRule[] => {
  try {
    const facts = statSync(path)
    return facts.isFile() && facts.size <= LARGEST ? parseIgnoreRules(readFileSync(path, 'latin1')) : []
  } catch {
    return []
  }
}

/**
 * The user's ignore rules: of core.excludesFile, else of git's usual file; none where there is none. Rejects where git
 * can't be started.
 */
export const userIgnoreRules = async (root: string): Promise<readonly IgnoreRule[]> => {
  const configured = await readUserGit(root, ['config', '--type=path', '--get', 'core.excludesFile'])
  const path = configured?.replace(/\n$/, '')
  const settings = process.env['XDG_CONFIG_HOME']
  const usual = join(settings === undefined || settings === '' ? join(homedir(), '.config') : settings, 'git', 'ignore')
  return readOwnRules(
    path === undefined || path === '' ? usual : resolve(root, Buffer.from(path, 'latin1').toString('utf8')),
  )
}

/**
 * The folder in which a repository keeps what its worktrees share; undefined where `folder` is no repository, or its
 * `.git` can't be read.
 */
const commonGitFolder = (folder: string): string | undefined => {
  const dotGit = join(folder, '.git')
  try {
    const facts = statSync(dotGit)
    if (facts.isDirectory()) return dotGit
    // A pipe or a device would be read for ever.
    if (!facts.isFile() || facts.size > LARGEST) return undefined
    const pointed = /^gitdir: (.+?)\r?\n?$/s.exec(readFileSync(dotGit, 'utf8'))?.[1]
    if (pointed === undefined) return undefined
    const gitFolder = resolve(folder, pointed)
    try {
      return resolve(gitFolder, readFileSync(join(gitFolder, 'commondir'), 'utf8').trim())
    } catch {
      return gitFolder
    }
  } catch {
    return undefined
  }
}

/**
 * Whether a folder is the top of a repository, a submodule or a worktree: whether there is a `.git` folder in it, or a
 * `.git` file that names one.
 */
export const isRepositoryTop = (folder: string): boolean => commonGitFolder(folder) !== undefined

/**
 * The ignores at `folder` (absolute), which lies at `path` under the root. For the root (`path` empty) the repository's
 * top may be above it, and the `.gitignore` files of the folders above, up to the top, count. The folder's own
 * `.gitignore` is not among them. Strongest first; `user`, the user's own rules, is last. Outside of any repository
 * only the user's, and those of the folders above don't count. Rejects as `user` does.
 */
export const repositoryIgnores = async (
  folder: string,
  path: BytePath,
  user: Promise<readonly IgnoreRule[]>,
): Promise<RepositoryIgnores> => {
  const above: IgnoreFile[] = []
  let prefix = ''
  let top = folder
  let gitFolder = commonGitFolder(top)
  while (path === '' && gitFolder === undefined) {
    const next = folderAbove(top)
    if (next === undefined) break
    prefix = `${bytePathOf(basename(top))}/${prefix}`
    top = next
    const source = `${'../'.repeat(above.length + 1)}.gitignore`
    above.push({ folder: '', prefix, rules: readRules(join(top, '.gitignore')), source })
    gitFolder = commonGitFolder(top)
  }
  if (gitFolder === undefined)
    return {
      files: [{ folder: path, rules: await user, source: USER_SOURCE }],
      trackedAnyway: () => Promise.resolve([]),
    }
  const exclude = readOwnRules(join(gitFolder, 'info', 'exclude'))
  return {
    files: [
      ...above,
      { folder: path, prefix, rules: exclude, source: '.git/info/exclude' },
      { folder: path, prefix, rules: await user, source: USER_SOURCE },
    ],
    trackedAnyway: () => trackedThoughIgnored(folder, path),
  }
}

/**
 * The files below a folder that git tracks though rules ignore them; none where git can't say. As byte paths, with the
 * folder's path in front.
 */
const trackedThoughIgnored = async (folder: string, path: BytePath): Promise<readonly BytePath[]> => {
  const names = (await readUserGit(folder, ['ls-files', '-z', '-c', '-i', '--exclude-standard'])) ?? ''
  return names
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => (path === '' ? name : `${path}/${name}`))
}
