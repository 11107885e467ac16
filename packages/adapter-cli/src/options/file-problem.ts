/** What is wrong with a file of the project that a user names. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkspaceFiles } from '@cairn/core/node/sources'
import { neutraliseLine } from '../terminal/neutralise.ts'

/**
 * Returns why a file is not looked at, as the words behind its name: it is a folder, ignored, a link out of the project,
 * or no regular file. Undefined for any other file, and where nothing is there.
 * @param root the project's folder, absolute
 * @param path relative to it, with `/`
 */
export const fileProblem = async (root: string, path: string): Promise<string | undefined> => {
  if (isFolder(join(root, path))) return 'is a folder, not a file'
  const found = await createWorkspaceFiles([root]).read(path, 0)
  if (!('refused' in found)) return undefined
  const { refused, by = 'an ignore file' } = found
  if (refused === 'ignored') return by === '.git' ? "lies in git's own folder" : `is ignored by ${neutraliseLine(by)}`
  if (refused === 'outside') return 'is outside of the project, or a link leads there'
  return refused === 'not-a-file' ? 'is no regular file' : undefined
}

/** Returns whether a folder is at a path; false where that can't be told. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
