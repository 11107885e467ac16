/**
 * A list that is given again without asking git, as long as no folder, ignore file or index has changed since: then no file
 * can have come or gone. Only for a repository's top without other repositories inside.
 */
import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join, sep } from 'node:path'
import { isGitFolderName } from '../../checkpoints/byte-path.ts'
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { isRepositoryTop } from '../checkpoints/ignore-files.ts'
import { askGit } from './git-files.ts'
import { gitIgnores } from './list-files.ts'

/** What has to be as it was; times of change by absolute path, undefined where nothing is there. */
export interface ListWatch {
  readonly files: readonly WorkspaceFile[]
  readonly times: ReadonlyMap<string, number | undefined>
}

/** Times of change have steps; what changed so shortly before the list was begun may have changed once more. */
const UNCERTAIN_MS = 50
const IGNORE_FILES = new Set(['.gitignore', '.cairnignore', '.clineignore'])
/** With more, the watch costs too much. */
const MOST_FOLDERS = 20_000

/**
 * What to look at for a list that was begun at `startedAt`, ms; undefined where such a look would not tell everything:
 * the root is no top of a repository, has another repository or more than `MOST_FOLDERS` folders in it, or something
 * changed as late as the list was begun. `isLeftOut`: the person's own ignore files.
 */
export const watchList = async (
  root: string,
  files: readonly WorkspaceFile[],
  startedAt: number,
  isLeftOut: (path: string, isFolder: boolean) => boolean,
): Promise<ListWatch | undefined> => {
  if (!isRepositoryTop(root)) return undefined
  const gitPaths = await Promise.all(
    ['index', 'info/exclude'].map((name) => askGit(root, ['rev-parse', '--path-format=absolute', '--git-path', name])),
  )
  const looked = gitPaths.flatMap((path) => (path === undefined ? [] : [path.replace(/\n$/, '')]))
  const ignores = await gitIgnores(root, '')
  const withFiles = new Set(files.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  const pending = ['']
  for (let folder = pending.pop(), count = 0; folder !== undefined; folder = pending.pop(), count++) {
    if (count > MOST_FOLDERS) return undefined
    looked.push(join(root, folder))
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (IGNORE_FILES.has(entry.name)) looked.push(join(root, path))
      if (!entry.isDirectory() || isGitFolderName(entry.name)) continue
      if (isRepositoryTop(join(root, path))) return undefined
      // Also of an ignored folder, where it has tracked files.
      if (withFiles.has(path) || !(ignores.isLeftOut(path, true) || isLeftOut(path, true))) pending.push(path)
    }
  }
  const times = new Map(looked.map((path) => [path, timeOf(path)]))
  const isCertain = [...times.values()].every((time) => time === undefined || time < startedAt - UNCERTAIN_MS)
  return isCertain ? { files, times } : undefined
}

/**
 * The files of the watched list again, each with its present size and time; a file that changed loses its `blobId`.
 * Undefined where a file, folder, ignore file or index came, went or changed so that the list has to be made again.
 */
export const unchangedList = (root: string, { files, times }: ListWatch): readonly WorkspaceFile[] | undefined => {
  for (const [path, time] of times) if (timeOf(path) !== time) return undefined
  const now: WorkspaceFile[] = []
  for (const file of files) {
    // Not join: the path is in its normal form, and of many files that alone takes time.
    const facts = factsOf(`${root}${sep}${file.path}`)
    if (facts?.isFile() !== true) return undefined
    const { size: bytes, mtimeMs } = facts
    now.push(bytes === file.bytes && mtimeMs === file.mtimeMs ? file : { path: file.path, bytes, mtimeMs })
  }
  return now
}

/** What a folder holds; empty if it can't be read. */
const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const timeOf = (path: string): number | undefined => factsOf(path)?.mtimeMs

/** The facts of a path, not following a link; undefined if there are none. */
const factsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
