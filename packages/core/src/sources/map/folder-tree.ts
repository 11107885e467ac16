/** The folders of a workspace with how many files lie in and below each, as the project map shows them. */

/** A folder that holds files, with everything below it. */
export interface Folder {
  /** From the workspace's root on; the root itself is ``. */
  readonly path: string
  /** As it is shown below its parent: several names where folders with nothing else in them are joined. */
  readonly name: string
  /** Files in it and below. */
  readonly files: number
  /** The ending of most of these files, without the dot; undefined where no ending has the majority. */
  readonly ending: string | undefined
  /** Sorted by name. */
  readonly folders: readonly Folder[]
}

/** A folder while files are counted. */
interface Node {
  files: number
  readonly endings: Map<string, number>
  readonly children: Map<string, Node>
}

const newNode = (): Node => ({ files: 0, endings: new Map(), children: new Map() })
/** Counts a file with this extension (empty for none) in a folder. */
const add = (node: Node, ending: string): void => {
  node.files += 1
  node.endings.set(ending, (node.endings.get(ending) ?? 0) + 1)
}

/** Files in deeper folders are counted in their ancestor at this depth. */
const DEEPEST = 64

/**
 * Returns the tree of all folders that hold files; the root's path and name are empty. Folders that hold nothing but
 * one other folder are joined with it. Files below the 64th level count in their ancestor at that level. For no paths:
 * a root with 0 files.
 */
export const folderTree = (paths: Iterable<string>): Folder => {
  const root = newNode()
  for (const path of paths) {
    const names = path.split('/')
    const base = names.pop() ?? ''
    const dot = base.lastIndexOf('.')
    const ending = dot > 0 ? base.slice(dot + 1) : ''
    let node = root
    add(node, ending)
    for (const name of names.slice(0, DEEPEST)) {
      const child = node.children.get(name) ?? newNode()
      node.children.set(name, child)
      add(child, ending)
      node = child
    }
  }
  return toFolder(root, '', '')
}

/**
 * Converts a counted folder, joined with a chain of only children. Folders below are sorted by name; a chain of only
 * children is one folder, its names joined by `/`.
 */
const toFolder = (start: Node, startPath: string, startName: string): Folder => {
  let [node, path, name] = [start, startPath, startName]
  for (let only = onlyChild(node); only !== undefined && path !== ''; only = onlyChild(node)) {
    path = `${path}/${only[0]}`
    name = `${name}/${only[0]}`
    node = only[1]
  }
  return {
    path,
    name,
    files: node.files,
    ending: mainEnding(node),
    folders: [...node.children]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([child, own]) => toFolder(own, path === '' ? child : `${path}/${child}`, child)),
  }
}

/** The name and counts of the one subfolder that holds all of a folder's files; undefined if there is none. */
const onlyChild = ({ files, children }: Node): readonly [string, Node] | undefined => {
  const [first, second] = children
  return first !== undefined && second === undefined && first[1].files === files ? first : undefined
}

/** The extension of more than half of a folder's files; undefined if no extension has a majority. */
const mainEnding = ({ files, endings }: Node): string | undefined => {
  for (const [ending, count] of endings) if (ending !== '' && count * 2 > files) return ending
  return undefined
}
