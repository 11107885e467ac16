/** Paths that a command is about: named one by one, or listed in a file or on standard input. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { systemReason } from '@cairn/core/node'
import { givenText } from './standard-input.ts'

export interface PathOptions {
  /** A file with a path a line, or `-`. */
  readonly pathsFrom?: string
}

/** The paths in a list: a line each, or separated by zero bytes, as `git diff --name-only -z` writes them. */
const pathsIn = (text: string): readonly string[] =>
  (text.includes('\0') ? text.split('\0') : text.split(/\r?\n/)).filter((path) => path !== '')

/** Paths relative to a folder as absolute ones; undefined where none were named. Rejects with `usage` for an empty list. */
export const namedPaths = async (
  given: readonly string[],
  { pathsFrom }: PathOptions,
  folder: string,
): Promise<readonly string[] | undefined> => {
  if (pathsFrom === undefined) return given.length === 0 ? undefined : given.map((path) => resolve(folder, path))
  if (given.length > 0) throw new CairnError('usage', 'Give paths or --paths-from, not both; nothing was changed.')
  const paths = pathsIn(await listText(pathsFrom, folder))
  if (paths.length === 0) throw new CairnError('usage', 'The list of paths is empty; nothing was changed.')
  return paths.map((path) => resolve(folder, path))
}

const listText = async (pathsFrom: string, folder: string): Promise<string> => {
  if (pathsFrom === '-') return givenText('-')
  const path = resolve(folder, pathsFrom)
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new CairnError(
      'usage',
      `The list of paths ${path} can't be read: ${systemReason(cause) ?? 'unknown reason'}. Nothing was changed.`,
      { cause },
    )
  }
}
