/** Commits of a repository as the ranking reads them, the newest first. */

/** One commit, with the paths of its files under their current names. */
export interface Commit {
  readonly id: string
  readonly subject: string
  readonly paths: readonly string[]
}

/** What the log is asked for: a zero byte between fields, a record separator before each commit. */
const LOG_FORMAT = '%x1e%H%x00%s%x00'
/** Options of `git log` that this module reads; renames are found, no other program is run. */
export const LOG_OPTIONS = [
  '--no-merges',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--name-status',
  '-z',
  '-M',
  '-l2000',
  `--format=${LOG_FORMAT}`,
] as const

/**
 * The commits in what git printed with {@link LOG_OPTIONS}; what can't be understood is left out. In their order; the
 * paths are the files' names of now.
 */
export const parseLog = (output: string): readonly Commit[] => {
  const commits: Commit[] = []
  /** What a file's name of that time is called now. */
  const names = new Map<string, string>()
  for (const record of output.split('\x1e')) {
    const [id, subject, ...rest] = record.split('\0')
    if (id === undefined || subject === undefined || !/^[0-9a-f]{40,64}$/.test(id)) continue
    const paths = new Set<string>()
    for (const path of changedPaths(rest, names)) paths.add(path)
    commits.push({ id, subject, paths: [...paths] })
  }
  return commits
}

/**
 * Yields the paths that a commit changed (fields: `M`, path, or `R090`, old path, new path), and records its renames in
 * `names` for the older commits that follow.
 */
function* changedPaths(fields: readonly string[], names: Map<string, string>): Generator<string> {
  const renamed: (readonly [string, string])[] = []
  for (let index = 0; index < fields.length; index++) {
    const status = (fields[index] ?? '').trim()
    if (!/^[A-Z]\d*$/.test(status)) continue
    const first = fields[++index]
    const isPair = status.startsWith('R') || status.startsWith('C')
    const path = isPair ? fields[++index] : first
    if (first === undefined || path === undefined) return
    const now = names.get(path) ?? path
    if (status.startsWith('R')) renamed.push([first, now])
    yield now
  }
  for (const [old, now] of renamed) if (old !== now) names.set(old, now)
}
