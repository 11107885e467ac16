/** Reads what one file held in a snapshot. */
import { bytePathOf, pathRefusal } from '../../checkpoints/byte-path.ts'
import { FILES_FOLDER } from '../../checkpoints/import-stream.ts'
import { parseTree } from '../../checkpoints/snapshot-changes.ts'
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'
import { gitOutput } from './git-process.ts'
import { createBlobReader } from './read-snapshots.ts'

/**
 * The bytes of a file, of a link its target; undefined where the snapshot holds no file of this path, also for a folder.
 * `path`: relative to the root, with `/` between. @throws CairnError `invalid-input` for one that is empty or absolute,
 * has an empty name, `.` or `..` in it (`./a`, `a/`), a zero byte, or a name that means `.git`
 */
export const readContent = async (gitFolder: string, commit: string, path: string): Promise<Buffer | undefined> => {
  const bytePath = bytePathOf(path)
  const refused = pathRefusal(bytePath)
  if (refused !== undefined)
    throw new CairnError('invalid-input', `${echoed(path)} can’t be read from a checkpoint, as ${refused}.`)
  // By its id: a path may hold the line break that ends a question to git.
  const tree = parseTree(await gitOutput(gitFolder, ['ls-tree', '-z', commit, '--', `${FILES_FOLDER}/${path}`]))
  const file = tree.get(bytePath)
  if (file === undefined) return undefined
  const reader = createBlobReader(gitFolder)
  try {
    return await reader.read(file.blob)
  } finally {
    await reader.close()
  }
}
