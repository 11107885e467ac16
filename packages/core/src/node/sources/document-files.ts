/** Context documents on disk: read and written below a project alone, never through a link out of it. */
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname, join, sep } from 'node:path'
import type { ExistingDocument } from '../../sources/documents/plan-documents.ts'
import { renameOver } from '../replace-file.ts'
import { codeOf, systemReason } from '../system-reason.ts'
import { readBelow } from './read-below.ts'

export interface DocumentFiles {
  /** The file at a path below the project. Never rejects. */
  read(path: string): Promise<ExistingDocument>
  /**
   * Writes a file, and its folder where that is missing, as long as it still has the text `before` (undefined: there is
   * none). Whoever reads meanwhile sees the old text or the new. Resolves to why it was not written, as the end of a
   * sentence about it; undefined: it was.
   */
  write(path: string, before: string | undefined, text: string): Promise<string | undefined>
}

const LARGEST = 1_000_000
const REFUSALS = {
  gone: 'it is gone',
  'too-large': 'it has more than 1 MB',
  binary: 'it is no text',
  'not-a-file': 'it is no regular file',
  outside: 'it leads out of the project',
  ignored: 'it is ignored',
  unreadable: 'it can not be read',
} as const

/**
 * Reads and writes the documents of a project, and nothing that a link or `..` leads to outside of it. Neither rejects:
 * they give the reason, as the end of a sentence. `write` gives undefined when it is done, and only if the file is as
 * in `before`. A missing folder is made; the new text replaces the file at once.
 * @param root absolute
 */
export const createDocumentFiles = (root: string): DocumentFiles => {
  /**
   * A document's text, undefined if it is missing; or why it can't be read, such as a link, its size, or bytes that are
   * no UTF-8.
   */
  const read = (path: string): ExistingDocument => {
    const problem = linkProblem(root, path)
    if (problem !== undefined) return { refused: problem }
    const answer = readBelow(root, path, LARGEST)
    if ('refused' in answer)
      return answer.refused === 'gone' ? { text: undefined } : { refused: REFUSALS[answer.refused] }
    try {
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.content) }
    } catch {
      return { refused: 'it is no text in UTF-8' }
    }
  }
  return {
    read: async (path) => read(path),
    /** Writes the text if the file is still as in `before`; undefined then, else why it was not written. */
    write: async (path, before, text) => {
      const now = read(path)
      if ('refused' in now) return now.refused
      if (now.text !== before) return 'it was changed meanwhile'
      const file = join(root, path)
      const fresh = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
      try {
        mkdirSync(dirname(file), { recursive: true })
        const mode = before === undefined ? 0o666 : statSync(file).mode & 0o777
        writeFileSync(fresh, text, { mode, flag: 'wx' })
        renameOver(fresh, file)
        return undefined
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') rmSync(fresh, { force: true })
        return systemReason(error) ?? 'the system refuses to write it'
      }
    },
  }
}

/**
 * Why a path is not used: it is a link, or what there is of its folders leads out of the project, is no folder or can't
 * be looked at. Undefined where it may be; it need not exist.
 */
const linkProblem = (root: string, path: string): string | undefined => {
  try {
    const file = join(root, path)
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'it is a link'
    let folder = dirname(file)
    while (!existsSync(folder)) {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return 'its folder is a link to nothing'
      folder = dirname(folder)
    }
    const top = realpathSync.native(root)
    return `${realpathSync.native(folder)}${sep}`.startsWith(top.endsWith(sep) ? top : top + sep)
      ? undefined
      : 'its folder leads out of the project'
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return 'its folder is a file'
    return systemReason(error) ?? 'the system refuses to look at it'
  }
}
