/** Reads the folders of a VS Code multi-root workspace from the text of its `.code-workspace` file. */
import { isFault, parseDocument } from './json/parse.ts'
import { childrenOf, nodeAt, textAt } from './json/tree.ts'

/**
 * The folders' paths as written in the file, relative to it or absolute; undefined if the text is not JSON (comments
 * and trailing commas are allowed). Folders on other machines (`uri`) are left out.
 */
export const workspaceFolders = (text: string): readonly string[] | undefined => {
  const parsed = parseDocument(text, { comments: true, trailingCommas: true, byteOrderMark: true })
  if (isFault(parsed)) return undefined
  const folders = nodeAt(parsed.root, ['folders'])
  if (folders?.kind !== 'array') return []
  return childrenOf(folders)
    .map(({ value }) => textAt(nodeAt(value, ['path'])))
    .filter((path): path is string => path !== undefined && path !== '')
}
