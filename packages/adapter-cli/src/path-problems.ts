/** What is wrong with a path given by the user, in words. */
import { statSync, type Stats } from 'node:fs'
import { CairnError, messageOf } from '@cairn/core'
import { codeOf } from '@cairn/core/node'
import { neutraliseLine } from './terminal/neutralise.ts'

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'permission denied',
}

/** Returns why an operation on a path failed, as the rest of a sentence that does not name the path. */
export const pathProblem = (cause: unknown): string =>
  PROBLEMS[codeOf(cause) ?? ''] ?? messageOf(cause).replace(/, \w+(?: '.*')?$/s, '')

/**
 * Returns the facts of a path, which errors call `named`; undefined if nothing is there.
 * @throws CairnError `usage` if it can't be read
 */
export const statOf = (path: string, named: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    throw new CairnError('usage', `${neutraliseLine(named)} can't be read: ${pathProblem(cause)}.`, { cause })
  }
}
