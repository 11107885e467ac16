/** What projects are called: the last part of their folder or remote, and as much more of it as tells them apart from the others. */

/** The name of a project by its key, or of a folder by its path. */
export type ProjectNames = (key: string) => string

/** Returns the last `count` parts of a path, with its own separators; the whole path if it has no more parts. */
const endOf = (path: string, count: number): string => {
  const parts = [...path.matchAll(/[^\\/]+/g)]
  const [first, last] = [parts.at(-count), parts.at(-1)]
  return first === undefined || last === undefined ? path : path.slice(first.index, last.index + last[0].length)
}

/** Returns the last part of a path, even if others end the same way. */
export const lastPart: ProjectNames = (key) => endOf(key, 1)

/**
 * Returns for each path its shortest end that no other path has, in whole parts; a path that is the end of another one
 * is whole.
 */
const shortestEnds = (paths: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (let count = 1; found.size < paths.length; count += 1) {
    const ends = paths.map((path) => endOf(path, count))
    const times = Map.groupBy(ends, (end) => end)
    for (const [index, path] of paths.entries()) {
      const end = ends[index] ?? path
      // A path that has no more parts is told apart by being whole.
      if (!found.has(path) && (times.get(end)?.length === 1 || end === path)) found.set(path, end)
      else if (!found.has(path) && end === endOf(path, count + 1)) found.set(path, path)
    }
  }
  return found
}

/** Returns names for these keys, no two the same; any other key is called by its last part. */
export const distinctNames = (keys: Iterable<string>): ProjectNames => {
  const names = new Map<string, string>()
  for (const alike of Map.groupBy(new Set(keys), lastPart).values())
    for (const [key, name] of shortestEnds(alike)) names.set(key, name)
  return (key) => names.get(key) ?? lastPart(key)
}
