/** Reads and writes settings files. A broken one is an error that names it; it is never ignored. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CairnError, isJsonObject, messageOf, withoutPassword } from '@cairn/core'
import type { JsonObject } from '@cairn/core'
import { changeAlone, codeOf, makeFolder, replaceFile } from '@cairn/core/node'
import { pathProblem } from '../path-problems.ts'
import type * as ConfigSchema from './config-schema.ts'
import type { Config } from './config-schema.ts'

/** A file's text; undefined where there is none. Throws `invalid-input` when it can't be read. */
const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CairnError('invalid-input', `The settings in ${path} can't be read: ${pathProblem(cause)}.`, { cause })
  }
}

/** Line and column of an offset in a text, both from 1. */
const lineAndColumn = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** Parses a settings file as JSON. Throws `invalid-input` with line and column. */
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
 * The settings in a file; undefined where there is none. @throws CairnError `invalid-input` that names the file and
 * what is wrong in it.
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

/** A value as it was given. */
const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return withoutPassword(value.join(','))
  return withoutPassword(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The settings with one value changed, at a path of keys. */
const withValue = (config: JsonObject, path: readonly string[], value: unknown): Record<string, unknown> => {
  const [first = '', ...rest] = path
  if (rest.length === 0) return { ...config, [first]: value }
  const inner = config[first]
  return { ...config, [first]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}

/**
 * Sets one value in a file, which is made if it is missing. It is replaced as a whole: nobody reads half of it, and what
 * other processes set at the same time stays. @throws CairnError `usage` when the value does not fit the setting.
 */
export const writeConfigValue = async (path: string, key: readonly string[], value: unknown): Promise<void> => {
  await changeConfig(path, (before, schema) => {
    const after = withValue(before, key, value)
    const problem = schema.problemOf(after)
    if (problem !== undefined)
      throw new CairnError('usage', `${key.join('.')} ${problem.what}, and '${valueText(value)}' is not.`)
    return after
  })
}

/**
 * Takes one value out of a file, if it is there; as in `writeConfigValue`, nobody reads half of it. @returns the value that
 * was there; undefined: none
 */
export const removeConfigValue = async (path: string, key: readonly string[]): Promise<unknown> => {
  if (readIfThere(path) === undefined) return undefined
  let value: unknown
  await changeConfig(path, (before) => {
    value = key.reduce<unknown>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      before,
    )
    return value === undefined ? undefined : withValue(before, key, undefined)
  })
  return value
}

/** Changes a file while no other process does. Nothing is written where `change` gives undefined or throws. */
const changeConfig = async (
  path: string,
  change: (before: JsonObject, schema: typeof ConfigSchema) => unknown,
): Promise<void> => {
  const schema = await import('./config-schema.ts')
  try {
    makeFolder(dirname(path))
    changeAlone(path, () => {
      const text = readIfThere(path)
      const before = text === undefined ? {} : checked(path, parse(path, text), schema)
      const after = change({ ...before }, schema)
      if (after !== undefined) replaceFile(path, `${JSON.stringify(after, undefined, 2)}\n`, { flush: true })
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
