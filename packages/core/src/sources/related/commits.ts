/** Commits of a repository as the ranking reads them, the newest first. */

/** One commit, with the paths of its files under their current names. */
export interface Commit {
  readonly id: string
  readonly subject: string
  readonly body: string
  readonly paths: readonly string[]
}

/** What git is asked to print: a record separator before each commit, zero bytes between its fields. */
const LOG_FORMAT = '%x1e%H%x00%s%x00%b%x00'
/** Options of `git log` whose output {@link parseLog} reads. Renames are detected; no external programs are run. */
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

/** Characters of a commit's body that are kept. */
const LONGEST_BODY = 4_000

/**
 * Returns the commits in the output of `git log` with {@link LOG_OPTIONS}, in its order. Files that were renamed later
 * have their current names. Records that can't be parsed are skipped; empty for empty output.
 */
export const parseLog = (output: string): readonly Commit[] => {
  const commits: Commit[] = []
  /** What a file's name of that time is called now. */
  const names = new Map<string, string>()
  for (const record of output.split('\x1e')) {
    const [id, subject, body, ...rest] = record.split('\0')
    if (id === undefined || subject === undefined || body === undefined || !/^[0-9a-f]{40,64}$/.test(id)) continue
    const paths = new Set<string>()
    for (const path of changedPaths(rest, names)) paths.add(path)
    commits.push({ id, subject, body: body.slice(0, LONGEST_BODY), paths: [...paths] })
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
