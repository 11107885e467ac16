/**
 * Which files a git command wrote, by the records that git keeps: the log of HEAD says when and from which commit to which, the
 * commits which files that concerns, the index whether they are still so.
 */
import { execFile } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { GitRecords, WorkingFile } from '../../ports/git-records.ts'

const run = promisify(execFile)
const PATIENCE_MS = 1_000
/** Of the log of HEAD the end is read. */
const MOST_BYTES = 64 << 10
/** Files that git is asked for; the rest count as somebody's. */
const MOST_FILES = 200
/** Git writes files first, one after the other, and then the log, by the whole second. */
const BEFORE_MS = 10_000
const AFTER_MS = 2_000

/** Operations that are asked about; people don't do more in a few seconds. */
const MOST_OPERATIONS = 10

/** What a line of the log begins its message with where the command wrote files; commits don't. */
const OPERATION = /^(?:checkout|pull|merge|reset|rebase|cherry-pick|revert|am)\b/
const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t(.*)$/
const NO_COMMIT = /^0+$/

interface Operation {
  readonly from: string
  readonly to: string
  /** ms */
  readonly at: number
}

/**
 * Reads a repository's records. `writtenByGit` resolves to those of the files that a recent checkout, pull, merge,
 * reset, rebase, cherry-pick, revert or am gave the content they have now; of more than `MOST_FILES` only the first are
 * looked at. Empty where there is no repository, git fails or takes longer than a second. Never rejects.
 */
export const createGitRecords = (): GitRecords => ({
  /** Those of the files that a recent git command left as they are now; empty where that can't be told. */
  writtenByGit: async (root, files) => {
    try {
      const folder = await gitFolderAbove(root)
      if (folder === undefined) return new Set()
      const operations = await operationsIn(folder.gitFolder)
      const concerned = operations
        .filter(({ at }) => files.some((file) => isWrittenAt(file, at)))
        .slice(-MOST_OPERATIONS)
      const candidates = files.filter((file) => concerned.some(({ at }) => isWrittenAt(file, at))).slice(0, MOST_FILES)
      return candidates.length === 0 ? new Set() : await asGitLeftThem(folder.top, candidates, concerned)
    } catch {
      return new Set()
    }
  },
})

const isWrittenAt = ({ modifiedAt }: WorkingFile, at: number): boolean =>
  modifiedAt >= at - BEFORE_MS && modifiedAt <= at + AFTER_MS

/**
 * The nearest repository, or linked worktree, that a folder is in; undefined if it is in none, or its `.git` file names
 * no folder.
 */
const gitFolderAbove = async (
  root: string,
): Promise<{ readonly top: string; readonly gitFolder: string } | undefined> => {
  for (let top = resolve(root); ; top = dirname(top)) {
    const path = join(top, '.git')
    const facts = await stat(path).catch(() => undefined)
    if (facts?.isDirectory() === true) return { top, gitFolder: path }
    if (facts?.isFile() === true) {
      const target = /^gitdir: (.+)$/m.exec(await readFile(path, 'utf8'))?.[1]?.trim()
      return target === undefined ? undefined : { top, gitFolder: resolve(top, target) }
    }
    if (dirname(top) === top) return undefined
  }
}

/**
 * The commands that moved the working tree from one commit to another, oldest first, from the last `MOST_BYTES` of the
 * log of HEAD. Rejects where there is no log.
 */
const operationsIn = async (gitFolder: string): Promise<readonly Operation[]> => {
  const file = await open(join(gitFolder, 'logs', 'HEAD'), 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - MOST_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .flatMap((line): readonly Operation[] => {
        const [, from = '', to = '', seconds, message = ''] = LINE.exec(line) ?? []
        const isMove = seconds !== undefined && OPERATION.test(message) && from !== to && !NO_COMMIT.test(from)
        return isMove ? [{ from, to, at: Number(seconds) * 1_000 }] : []
      })
  } finally {
    await file.close()
  }
}

/**
 * The paths of those files that an operation gave the content that they have. A file outside of the repository's top is
 * none of them. Rejects as `git`.
 */
const asGitLeftThem = async (
  top: string,
  files: readonly WorkingFile[],
  operations: readonly Operation[],
): Promise<ReadonlySet<string>> => {
  const byName = new Map(
    files.flatMap((file) => {
      const name = relative(top, file.path)
      return name === '' || name.startsWith('..') || isAbsolute(name) ? [] : [[name.replaceAll('\\', '/'), file]]
    }),
  )
  const names = [...byName.keys()]
  const left = new Set<string>()
  if (names.length === 0) return left
  const unchanged = await blobsOfUnchanged(top, names)
  for (const { from, to, at } of operations) {
    // ":100644 100644 <old> <new> M", then the name.
    const rows = await git(top, ['diff-tree', '-r', '-z', '--no-renames', from, to, '--', ...names])
    for (let row = 0; row + 1 < rows.length; row += 2) {
      const [blob, file] = [rows[row]?.split(' ')[3], byName.get(rows[row + 1] ?? '')]
      if (file === undefined || blob === undefined || !isWrittenAt(file, at)) continue
      if (unchanged.get(rows[row + 1] ?? '') === blob) left.add(file.path)
    }
  }
  return left
}

/** The index's blob ids of those files that are on the disk as the index has them, by name. Rejects as `git`. */
const blobsOfUnchanged = async (top: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const blobs = new Map<string, string>()
  // "H 100644 <blob> 0\t<name>"; a file that changed is listed again, with C.
  for (const row of await git(top, ['ls-files', '-z', '-s', '-t', '-c', '-m', '--', ...names])) {
    const end = row.indexOf('\t')
    const [state, , blob = ''] = row.slice(0, end).split(' ')
    const name = row.slice(end + 1)
    if (state === 'H') blobs.set(name, blob)
    else blobs.delete(name)
  }
  return blobs
}

/**
 * What git prints, split at zero bytes, without empty parts. It takes no lock, runs no monitor of the user's, and takes
 * names for no patterns. Rejects where it fails, or takes longer than `PATIENCE_MS`.
 */
const git = async (top: string, options: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await run('git', ['-c', 'core.fsmonitor=false', '--literal-pathspecs', ...options], {
    cwd: top,
    timeout: PATIENCE_MS,
    maxBuffer: 4 << 20,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))),
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
  })
  return stdout.split('\0').filter((row) => row !== '')
}
