/**
 * A workspace's files as a tree of limited length: folders that would make it too long show only their number of files.
 */

/** Maximum lines of a listing. */
export const MOST_ENTRIES = 500

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
  /** Files in it and below. */
  count: number
}

/** A tree as text, and the number of files it names. */
export interface FileTree {
  readonly text: string
  readonly named: number
}

/**
 * The tree of paths (with `/`) as `{text, named}`, where `named` is the number of files it shows. It is as deep as
 * `most` lines allow, at most `depth` levels (the first always); folders come first, then files, by name. A closed
 * folder is one line with its number of files. If the first level alone has more than `most` lines, it is cut. `{text:
 * '', named: 0}` without paths.
 */
export const fileTree = (paths: readonly string[], depth: number = Infinity, most: number = MOST_ENTRIES): FileTree => {
  const top = treeOf(paths)
  let levels = 1
  while (levels < depth && linesAt(top, levels + 1, most) <= most && isDeeper(top, levels)) levels += 1
  const lines: string[] = []
  let named = 0
  const left: TreeLine[] = inside(top, 0).reverse()
  for (let next = left.pop(); next !== undefined && lines.length < most; next = left.pop()) {
    const { name, level, folder } = next
    const indented = '  '.repeat(level) + name
    if (folder === undefined) {
      named += 1
      lines.push(indented)
    } else if (level + 1 < levels) {
      lines.push(`${indented}/`)
      left.push(...inside(folder, level + 1).reverse())
    } else lines.push(`${indented}/ (${folder.count} ${folder.count === 1 ? 'file' : 'files'})`)
  }
  return { text: lines.join('\n'), named }
}

interface TreeLine {
  readonly name: string
  readonly level: number
  /** Undefined for a file. */
  readonly folder?: Folder
}

/** The direct content of a folder: folders first, by name. */
const inside = ({ folders, files }: Folder, level: number): TreeLine[] => [
  ...[...folders].sort(byName).map(([name, folder]) => ({ name, level, folder })),
  ...files.toSorted().map((name) => ({ name, level })),
]

const byName = ([left]: readonly [string, Folder], [right]: readonly [string, Folder]): number =>
  left < right ? -1 : left > right ? 1 : 0

/**
 * Builds the tree of folders; `count` is the number of files below a folder, at any depth. In the order of the paths.
 */
const treeOf = (paths: readonly string[]): Folder => {
  const top: Folder = { folders: new Map(), files: [], count: 0 }
  for (const path of paths) {
    const names = path.split('/')
    let at = top
    for (const name of names.slice(0, -1)) {
      at.count += 1
      const next = at.folders.get(name) ?? { folders: new Map(), files: [], count: 0 }
      at.folders.set(name, next)
      at = next
    }
    at.count += 1
    at.files.push(names.at(-1) ?? '')
  }
  return top
}

/** The number of lines with this many levels open; not counted beyond `most`. */
const linesAt = (top: Folder, levels: number, most: number): number => {
  let [lines, level] = [0, [top]]
  for (let depth = 0; depth < levels && lines <= most; depth++) {
    for (const { folders, files } of level) lines += folders.size + files.length
    level = level.flatMap(({ folders }) => [...folders.values()])
  }
  return lines
}

/** Whether there are folders below this many levels. */
const isDeeper = (top: Folder, levels: number): boolean => {
  let level = [top]
  for (let depth = 0; depth < levels; depth++) level = level.flatMap(({ folders }) => [...folders.values()])
  return level.length > 0
}
