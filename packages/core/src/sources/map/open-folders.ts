/** Which folders of a workspace the map shows: the largest ones are opened until the tokens are used up. */
import type { Folder } from './folder-tree.ts'
import { visibleName } from '../mentions/delimited.ts'

/** Names of folders with other people's code, build output or data only: listed, but not opened. */
const CLOSED =
  /^(?:\.?(?:cache|git|idea|next|nuxt|output|venv|vscode|yarn)|bower_components|build|coverage|dist|env|node_modules|out|public|static|target|third[-_]?party|vendor|vendored|(?:.*[-_.])?(?:generated|fixtures?|snapshots?|snaps|golden|testdata|cassettes)(?:__)?|__(?:generated|fixtures|snapshots|mocks|pycache)__|test[-_]data|example_scripts|locales?|i18n|assets|images|samples)$/i
/** Subfolders listed of a folder, the largest ones; the rest is given as a number. */
const MOST_FOLDERS = 16

/** Whether the map lists a folder without opening it, by its name or that of a folder joined with it. */
export const isKeptClosed = ({ name }: Pick<Folder, 'name'>): boolean =>
  name.split('/').some((part) => CLOSED.test(part))

/** Returns the number of tokens of a text. */
export type CountTokens = (text: string) => number

/**
 * Returns the map's lines of folders, indented by depth, within `tokens`: the largest folders are opened first. The
 * first line tells the number of files and is always there, even if it takes more.
 */
export const folderLines = (root: Folder, tokens: number, count: CountTokens): readonly string[] => {
  const opened = new Set<string>()
  const head = `${root.files} ${root.files === 1 ? 'file' : 'files'}`
  let used = count(head)
  const waiting = [root]
  while (waiting.length > 0) {
    const largest = waiting.reduce((best, each) => (isLarger(each, best) ? each : best))
    waiting.splice(waiting.indexOf(largest), 1)
    const cost = count(childLines(largest).join('\n'))
    if (used + cost > tokens) continue
    used += cost
    opened.add(largest.path)
    waiting.push(...shownFolders(largest).shown.filter((child) => child.folders.length > 0 && !isKeptClosed(child)))
  }
  return [head, ...(opened.has('') ? linesOf(root, opened) : [])]
}

/** Whether a folder has more files than another; with equally many, the first by path. */
const isLarger = (left: Folder, right: Folder): boolean =>
  left.files > right.files || (left.files === right.files && left.path < right.path)

const depthOf = (parent: Folder): number => (parent.path === '' ? 0 : parent.path.split('/').length)

/** The lines of a folder's subfolders for counting tokens, with the widest indentation that they may get. */
const childLines = (folder: Folder): readonly string[] => {
  const { shown, rest } = shownFolders(folder)
  const indent = '  '.repeat(depthOf(folder))
  return [...shown.map((child) => indent + lineOf(child)), ...(rest === undefined ? [] : [indent + rest])]
}

/** "src/ 12 ts": a folder with its files and, if there is a main one, their extension. */
const lineOf = ({ name, files, ending }: Folder): string =>
  `${visibleName(name)}/ ${files}${ending === undefined ? '' : ` ${ending}`}`

/** The subfolders to list, by name, and a sentence part about the others; `rest` is undefined if all are listed. */
const shownFolders = ({
  folders,
}: Folder): { readonly shown: readonly Folder[]; readonly rest: string | undefined } => {
  if (folders.length <= MOST_FOLDERS) return { shown: folders, rest: undefined }
  const largest = new Set(folders.toSorted((left, right) => (isLarger(left, right) ? -1 : 1)).slice(0, MOST_FOLDERS))
  const others = folders.filter((folder) => !largest.has(folder))
  const files = others.reduce((sum, folder) => sum + folder.files, 0)
  return {
    shown: folders.filter((folder) => largest.has(folder)),
    rest: `… ${others.length} more folders, ${files} files`,
  }
}

/** The lines below the root, in the order of the tree. Folders that are not opened are one line. */
const linesOf = (root: Folder, opened: ReadonlySet<string>): readonly string[] => {
  const lines: string[] = []
  // The next line is the last of the list: no recursion, however deep the folders are.
  const open: { readonly text: string; readonly folder: Folder | undefined; readonly depth: number }[] = []
  const put = (folder: Folder, depth: number): void => {
    const { shown, rest } = shownFolders(folder)
    if (rest !== undefined) open.push({ text: rest, folder: undefined, depth })
    for (const child of shown.toReversed()) open.push({ text: lineOf(child), folder: child, depth })
  }
  put(root, 0)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    lines.push('  '.repeat(next.depth) + next.text)
    if (next.folder !== undefined && opened.has(next.folder.path)) put(next.folder, next.depth + 1)
  }
  return lines
}
