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

/** Why an operation on a path failed, in words that do not name the path, as the rest of a sentence. */
export const pathProblem = (cause: unknown): string =>
  PROBLEMS[codeOf(cause) ?? ''] ?? messageOf(cause).replace(/, \w+(?: '.*')?$/s, '')

/**
 * The facts of a path, called `named` in errors; undefined when nothing is there. Throws `usage` for an impossible
 * path.
 */
export const statOf = (path: string, named: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    throw new CairnError('usage', `${neutraliseLine(named)} can't be read: ${pathProblem(cause)}.`, { cause })
  }
}
