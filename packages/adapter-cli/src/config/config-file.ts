/** Reads and writes settings files. A broken file is an error that names it; it is never ignored. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { CairnError, isJsonObject, messageOf, withoutPassword } from '@cairn/core'
import type { JsonObject } from '@cairn/core'
import { changeAlone, codeOf, makeFolder, replaceFile } from '@cairn/core/node'
import { pathProblem } from '../path-problems.ts'
import type * as ConfigSchema from './config-schema.ts'
import type { Config } from './config-schema.ts'

/**
 * The text of a file without its byte order mark; undefined if there is none.
 * @throws CairnError `invalid-input` if it can't be read or is no file
 */
const readIfThere = (path: string): string | undefined => {
  try {
    const facts = statSync(path)
    // A pipe would be waited for.
    if (!facts.isFile() && !facts.isDirectory())
      throw new CairnError('invalid-input', `The settings in ${path} can't be read: it is no file.`)
    // A byte order mark is no part of JSON.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    if (CairnError.is(cause)) throw cause
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CairnError('invalid-input', `The settings in ${path} can't be read: ${pathProblem(cause)}.`, { cause })
  }
}

/** Returns line and column of an offset in a text, both from 1. */
const lineAndColumn = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** Returns a settings file as JSON. @throws CairnError `invalid-input` with line and column */
const parse = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const offset = /at position (\d+)/.exec(messageOf(cause))?.[1]
    const location = offset === undefined ? `line ${text.split('\n').length}` : lineAndColumn(text, Number(offset))
    throw new CairnError(
      'invalid-input',
      `The settings in ${path} are not valid JSON (${location}); correct the file, or move it away.`,
      { cause },
    )
  }
}

/**
 * Returns the settings in a file; undefined if it does not exist. Rejects with CairnError `invalid-input`, naming the
 * file and the problem, if it can't be read, is empty or has an invalid value.
 */
export const readConfig = async (path: string): Promise<Config | undefined> => {
  const text = readIfThere(path)
  if (text === undefined) return undefined
  const value = parse(path, text)
  return checked(path, value, await import('./config-schema.ts'))
}

/** A file's settings, if all of them are valid. Throws `invalid-input` that names the first that is not. */
const checked = (path: string, value: unknown, { configSchema, problemOf }: typeof ConfigSchema): Config => {
  const problem = problemOf(value)
  if (problem !== undefined)
    throw new CairnError(
      'invalid-input',
      `The settings in ${path} are not valid: ${problem.name === '' ? 'they' : `'${problem.name}'`} ${problem.what}; correct the file, or move it away.`,
    )
  return configSchema.parse(value)
}

/**
 * The settings in a file, whose values may be invalid, because the call may be about to correct one.
 * @throws CairnError `invalid-input` if it is not an object
 */
const objectIn = (path: string, value: unknown, schema: typeof ConfigSchema): JsonObject =>
  isJsonObject(value) ? value : checked(path, value, schema)

/** Returns a value as it was given, without passwords in addresses; a list with commas. */
const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return withoutPassword(value.join(','))
  return withoutPassword(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * Returns the settings with the value at a path of keys replaced; what is no object on the way becomes one. Changes
 * nothing.
 */
const withValue = (config: JsonObject, path: readonly string[], value: unknown): Record<string, unknown> => {
  const [first = '', ...rest] = path
  if (rest.length === 0) return { ...config, [first]: value }
  const inner = config[first]
  return { ...config, [first]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}

/**
 * Sets one value in a settings file, which is created if it is missing. The file is replaced in one step, so that nobody
 * reads half of it, and concurrent changes of other processes are kept. A symbolic link stays one and its target is
 * replaced; with `within` only if the target is in that folder. Rejects with `usage` if the value does not fit the setting,
 * with `invalid-input` if the file can't be read or written, or another setting in it is invalid.
 */
export const writeConfigValue = async (
  path: string,
  key: readonly string[],
  value: unknown,
  within?: string,
): Promise<void> => {
  await changeConfig(path, within, (before, schema) => {
    const after = withValue(before, key, value)
    const problem = schema.problemOf(withValue({}, key, value))
    if (problem !== undefined)
      throw new CairnError('usage', `${key.join('.')} ${problem.what}, and '${valueText(value)}' is not.`)
    // Another value that is wrong is named, and has to be corrected first.
    checked(path, after, schema)
    return after
  })
}

/**
 * Removes one value from a settings file in one step, like `writeConfigValue`. Writes nothing if the file or the value
 * does not exist. `within`: a folder that a link may not lead out of.
 * @returns the value that was removed; undefined if there was none
 */
export const removeConfigValue = async (path: string, key: readonly string[], within?: string): Promise<unknown> => {
  if (readIfThere(path) === undefined) return undefined
  let value: unknown
  await changeConfig(path, within, (before) => {
    value = key.reduce<unknown>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      before,
    )
    return value === undefined ? undefined : withValue(before, key, undefined)
  })
  return value
}

/**
 * The file to replace when settings change: the target of a symbolic link, otherwise the file itself.
 * @throws CairnError `invalid-input` for a broken link, and for a link that leaves the project in `within`
 */
const targetOf = (path: string, within: string | undefined): string => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  const problem = (why: string): CairnError =>
    new CairnError('invalid-input', `The settings in ${path} can't be written: ${why}; they are as they were.`)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw problem('it is a link to a file that is not there')
  const target = realpathSync(path)
  if (within !== undefined && !isInside(target, realpathSync(within)))
    throw problem(`it is a link out of the project, to ${target}`)
  return target
}

/** Returns whether a path is a folder or lies in it, by text alone: links are not followed. */
const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * Changes a settings file under a lock. Nothing is written if `change` returns undefined or throws. A missing file is
 * made. `within` is a folder that a link may not lead out of. Rejects with `invalid-input` if the file is damaged or
 * can't be written; it is as it was then.
 */
const changeConfig = async (
  path: string,
  within: string | undefined,
  change: (before: JsonObject, schema: typeof ConfigSchema) => unknown,
): Promise<void> => {
  const schema = await import('./config-schema.ts')
  try {
    // The user's own settings lie in the data folder, which nobody else may read.
    makeFolder(dirname(path), within === undefined ? 0o700 : undefined)
    const target = targetOf(path, within)
    changeAlone(target, () => {
      const text = readIfThere(path)
      const before = text === undefined ? {} : objectIn(path, parse(path, text), schema)
      const after = change({ ...before }, schema)
      if (after !== undefined) replaceFile(target, `${JSON.stringify(after, undefined, 2)}\n`, { flush: true })
    })
  } catch (cause) {
    if (CairnError.is(cause)) throw cause
    throw new CairnError(
      'invalid-input',
      `The settings in ${path} can't be written: ${pathProblem(cause)}; they are as they were.`,
      { cause },
    )
  }
}
