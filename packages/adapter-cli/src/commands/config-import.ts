/** `cairn config import`: imports another system's settings, its keys and the stars of its tasks. */
import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { CairnError, messageOf } from '@cairn/core'
import type { Engine, JsonValue } from '@cairn/core'
import type { LegacyImport } from '@cairn/core/state'
import type { CommonOptions, Context } from '../command.ts'
import { openSecrets } from '../models/open-secrets.ts'
import { pathProblem, statOf } from '../path-problems.ts'
import { counted, formatBytes } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { commonOptions, scopeOf, storedText } from './config-stored.ts'
import type { ScopeOptions } from './config-stored.ts'
import { appendFacts } from './session-named.ts'

/** The options of `config import`. */
export interface ConfigImportOptions extends Omit<ScopeOptions, 'session'> {
  readonly from: string
  readonly dryRun?: boolean
}

/** Settings are small; Cline's old state holds the task history, too. */
const LARGEST_FILE = 64 * 1024 * 1024
const CHUNK = 1024 * 1024

/** Agents whose tasks are in Cline's state: the program and its forks. */
const TASK_AGENTS = ['cline', 'roo', 'kilo'] as const

/** A key that was found in the file. */
interface KeptSecret {
  readonly from: string
  readonly provider: string
  /** A key of that provider was kept before, and stays. */
  readonly isKept: boolean
}

/** How many favourite tasks were marked. */
interface Stars {
  readonly marked: number
  readonly already: number
  /** Their sessions are not in the store. */
  readonly missing: number
}

/**
 * Imports the settings in a file of Cline or CLIO, stores its secrets as keys, and marks its favourites; prints what
 * was imported, set aside and left out. Settings and keys that are set already stay. The file is not changed; with
 * `--dry-run` nothing is written. Rejects with `invalid-input` for another kind of file.
 */
export const runConfigImport = async (options: ConfigImportOptions, context: Context): Promise<void> => {
  const content = readJson(resolve(context.surroundings.folder, options.from), options.from)
  const isDry = options.dryRun === true
  const common = commonOptions(options)
  const engine = await (isDry ? context.readEngine(common) : context.engine(common))
  const scope = await scopeOf(options, engine, context)
  const report = await engine.settings.takeOver(content, { scope, isDry })
  const secrets = await keepSecrets(report, isDry, context)
  const stars = await markFavourites(report, isDry, engine)
  if (options.json === true) return context.json(importJson(report, { secrets, stars, isDry }))
  await printImport(report, { secrets, stars, isDry }, context)
}

/**
 * A file as JSON. Errors repeat nothing of the file, which may contain keys. A byte order mark is skipped. `named`: the
 * path as it was given, for errors.
 * @throws CairnError `invalid-input` if it can't be read or is no JSON, `usage` for an empty path
 */
const readJson = (path: string, named: string): JsonValue => {
  if (named === '') throw new CairnError('usage', '--from takes the path of a file; nothing was changed.')
  const shown = neutraliseLine(named)
  if (statOf(path, named) === undefined)
    throw new CairnError('invalid-input', `${shown} can't be read: it is not there.`)
  try {
    const bytes = readAtMost(path, LARGEST_FILE)
    if (bytes === undefined)
      throw new CairnError(
        'invalid-input',
        `${shown} is too large for settings (over ${formatBytes(LARGEST_FILE)}); nothing was changed.`,
      )
    // A byte order mark is no part of JSON.
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) as JsonValue
  } catch (cause) {
    if (CairnError.is(cause)) throw cause
    const position = /at position \d+/.exec(messageOf(cause))?.[0]
    const why =
      cause instanceof SyntaxError
        ? `it is not JSON${position === undefined ? '' : ` (${position})`}`
        : pathProblem(cause)
    throw new CairnError('invalid-input', `${shown} can't be read: ${why}; nothing was changed.`)
  }
}

/**
 * Returns the bytes of a file or pipe, also of a device without an end; undefined if there are more than `limit`.
 * @throws Error of the file system
 */
const readAtMost = (path: string, limit: number): Buffer | undefined => {
  const file = openSync(path, 'r')
  try {
    const parts: Buffer[] = []
    for (let length = 0; ;) {
      const part = Buffer.alloc(CHUNK)
      const read = readSync(file, part)
      if (read === 0) return Buffer.concat(parts)
      length += read
      if (length > limit) return undefined
      parts.push(part.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Stores provider keys where `cairn secret` does, except for providers that have one already. Returns all keys that
 * were found, without their values, with a dry run too, which stores none.
 */
const keepSecrets = async (
  { secrets }: LegacyImport,
  isDry: boolean,
  context: Context,
): Promise<readonly KeptSecret[]> => {
  if (secrets.length === 0) return []
  const store = await openSecrets(context)
  const there = new Set((await store.list()).map(({ name }) => name))
  const kept: KeptSecret[] = []
  for (const { from, provider, value } of secrets) {
    const isKept = there.has(provider)
    if (!isKept && !isDry) await store.set(provider, value)
    kept.push({ from, provider, isKept })
  }
  return kept
}

/**
 * Marks favourite tasks as favourite sessions and counts them; those whose sessions are not in the store are missing. A
 * dry run only counts: `marked` are then those that would be.
 */
const markFavourites = async ({ favourites }: LegacyImport, isDry: boolean, engine: Engine): Promise<Stars> => {
  const stars = { marked: 0, already: 0, missing: 0 }
  for (const id of favourites) {
    const found = await Promise.all(TASK_AGENTS.map((agent) => engine.store.sessions.get(`${agent}:${id}`)))
    const session = found.find((each) => each !== undefined)
    if (session === undefined) stars.missing += 1
    else if (session.favourite) stars.already += 1
    else {
      if (!isDry) await appendFacts(session, [{ kind: 'favourite', at: Date.now(), favourite: true }], engine)
      stars.marked += 1
    }
  }
  return stars
}

/** What was done besides the settings. */
interface Rest {
  readonly secrets: readonly KeptSecret[]
  readonly stars: Stars
  readonly isDry: boolean
}

/** Returns the document of `--json`, without any secret. */
const importJson = ({ system, taken, aside, leftSecrets }: LegacyImport, { secrets, stars, isDry }: Rest) => ({
  system,
  settings: taken.map(({ from, name, value, isKept }) => ({ from, key: name, value, kept: isKept })),
  secrets: secrets.map(({ from, provider, isKept }) => ({ from, provider, kept: isKept })),
  favourites: stars,
  aside,
  leftSecrets,
  dryRun: isDry,
})

/** Prints what was imported, what stays as it is set, and on standard error what was kept aside or left; no secret. */
const printImport = async (
  report: LegacyImport,
  { secrets, stars, isDry }: Rest,
  { terminal }: Context,
): Promise<void> => {
  const { system, taken, aside, leftSecrets } = report
  for (const { from, name, value, isKept } of taken)
    await terminal.line(
      isKept
        ? `${name} stays as it is set; ${neutraliseLine(from)} has ${storedText(value)}`
        : `${name} = ${storedText(value)}  (${neutraliseLine(from)})`,
    )
  for (const { from, provider, isKept } of secrets)
    await terminal.line(
      isKept
        ? `The key of ${provider} that is kept stays; ${neutraliseLine(from)} is not taken.`
        : `The key of ${provider} is kept (${neutraliseLine(from)}).`,
    )
  if (stars.marked + stars.already > 0)
    await terminal.line(`${counted(stars.marked + stars.already, 'favourite')} among the sessions.`)
  if (stars.missing > 0)
    terminal.note(
      `${counted(stars.missing, 'favourite')} of tasks that are not in the store; take them in (cairn import), then repeat this.`,
    )
  if (aside.length > 0)
    terminal.note(
      `Without a counterpart here, kept aside (cairn config get imported.${system}): ${aside.map(neutraliseLine).join(', ')}`,
    )
  if (leftSecrets.length > 0)
    terminal.note(
      `Left where they are, because they look like secrets of something that Cairn has no keys for: ${leftSecrets.map(neutraliseLine).join(', ')}`,
    )
  const done = `${counted(taken.filter(({ isKept }) => !isKept).length, 'setting')} of ${system === 'cline' ? 'Cline' : 'CLIO'}`
  await terminal.line(`Total: ${done}${isDry ? '; nothing was changed (--dry-run)' : ''}`)
}

/**
 * Prints what was set aside of a system's settings: one line per import, nothing without any. `{key, value}` as JSON,
 * where `value` is a list with one object per import.
 */
export const printAside = async (system: 'cline' | 'clio', options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.readEngine(options)
  const values = await engine.settings.aside(system)
  if (options.json === true) return context.json({ key: `imported.${system}`, value: values })
  for (const value of values) await context.terminal.line(storedText(value))
}
