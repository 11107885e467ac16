/** Paths that a command is about: named one by one, or listed in a file or on standard input. */
import { lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { systemReason } from '@cairn/core/node'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { givenText } from './standard-input.ts'

/** The option that reads paths from a file. */
export interface PathOptions {
  /** A file with a path a line, or `-`. */
  readonly pathsFrom?: string
}

/** The paths in a list, one per line or separated by zero bytes, as `git diff --name-only -z` prints them. */
const pathsIn = (text: string): readonly string[] =>
  (text.includes('\0') ? text.split('\0') : text.split(/\r?\n/)).filter((path) => path !== '')

/**
 * Returns the given paths as absolute ones, in their order; undefined if none were given. `--paths-from` reads them
 * from a file or standard input. Rejects with `usage` if both are given, for an empty list and for an empty path:
 * `restore latest "$file"` with an empty variable would otherwise restore everything.
 */
export const namedPaths = async (
  given: readonly string[],
  { pathsFrom }: PathOptions,
  folder: string,
): Promise<readonly string[] | undefined> => {
  if (pathsFrom === undefined) {
    if (given.includes(''))
      throw new CairnError('usage', 'A path that was given is empty; . names the whole folder. Nothing was changed.')
    return given.length === 0 ? undefined : given.map((path) => resolve(folder, path))
  }
  if (given.length > 0) throw new CairnError('usage', 'Give paths or --paths-from, not both; nothing was changed.')
  const paths = pathsIn(await listText(pathsFrom, folder))
  if (paths.length === 0) throw new CairnError('usage', 'The list of paths is empty; nothing was changed.')
  return paths.map((path) => resolve(folder, path))
}

/**
 * Returns the text of a list of paths, `-` being standard input. Rejects with `usage` if it can't be read or is not
 * UTF-8.
 */
const listText = async (pathsFrom: string, folder: string): Promise<string> => {
  if (pathsFrom === '-') return givenText('-')
  const path = resolve(folder, pathsFrom)
  try {
    // A name that is decoded to another one would be looked for in vain, and passed over.
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const why = systemReason(cause) ?? (cause instanceof TypeError ? 'it is not UTF-8 text' : 'it is too large')
    throw new CairnError(
      'usage',
      `The list of paths ${neutraliseLine(path)} can't be read: ${why}. Nothing was changed.`,
      {
        cause,
      },
    )
  }
}

/**
 * Returns those of the absolute paths at which nothing exists, not even a link, in their order. A path that must not be
 * looked at counts as existing.
 */
export const absentPaths = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) === undefined
    } catch {
      // It may not be looked at, so it may be there.
      return false
    }
  })
