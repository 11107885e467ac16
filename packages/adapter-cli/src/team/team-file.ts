/** The user's file about the team: where its store is, and what leaves for it. No project can have one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CairnError, messageOf, storeAddresses } from '@cairn/core'
import { codeOf, dataFolder } from '@cairn/core/node'
import { DEFAULT_CHOICES, SHARE_LEVELS } from '@cairn/core/sync'
import type { SyncChoices } from '@cairn/core/sync'
import { z } from 'zod'
import type { Surroundings } from '../config/locations.ts'
import { pathProblem } from '../path-problems.ts'

/** The settings of a sync. */
export interface Team {
  /** The file, whether it is there or not. */
  readonly file: string
  /** Address of the team's store; undefined where none is named. */
  readonly url: string | undefined
  readonly choices: SyncChoices
  /** What hashes are made with where the team has agreed on one. */
  readonly salt: string | undefined
  readonly machine: string | undefined
  readonly person: string | undefined
}

const level = z.enum(SHARE_LEVELS)
const name = z.string().trim().min(1).max(200)
/** Whether a text names one database (PostgreSQL or a `file:`), or several of PostgreSQL with spaces between them. */
const isAddress = (text: string): boolean => {
  const addresses = storeAddresses(text)
  const form = addresses.length === 1 ? /^(?:postgres(?:ql)?:\/\/.|file:.)/ : /^postgres(?:ql)?:\/\/\S+$/
  return addresses.every((address) => form.test(address))
}

const teamSchema = z.strictObject({
  url: z.string().trim().refine(isAddress).optional(),
  share: level.optional(),
  workspaces: z.record(z.string().min(1), level).optional(),
  names: z.enum(['hashed', 'plain']).optional(),
  salt: z.string().min(16).max(1_000).optional(),
  machine: name.optional(),
  person: name.optional(),
})

const LEVELS = SHARE_LEVELS.join(', ')

/** What each setting accepts, as the end of "must be …". */
const ALLOWED: Readonly<Record<string, string>> = {
  url: 'postgresql://…, several of them with spaces between, or file:<path> to try it out',
  share: `one of ${LEVELS}`,
  workspaces: `folders, each with one of ${LEVELS}`,
  names: 'hashed or plain',
  salt: 'a text of 16 characters or more',
  machine: 'a name of at most 200 characters',
  person: 'a name of at most 200 characters',
}

/** The path of the file, which may not exist. */
const teamFile = (surroundings: Surroundings): string => join(dataFolder(surroundings), 'team.json')

/**
 * Returns the team's settings from the file and from CAIRN_TEAM_URL, which takes precedence; defaults if there is no
 * file.
 * @throws CairnError `invalid-input` naming what is wrong with the file, `usage` for a variable that is no address
 */
export const readTeam = (surroundings: Surroundings): Team => {
  const file = teamFile(surroundings)
  const { url, share, workspaces, names, salt, machine, person } = parse(file, textOf(file))
  const given = surroundings.variables['CAIRN_TEAM_URL']?.trim()
  if (given !== undefined && given !== '' && !isAddress(given))
    throw new CairnError('usage', "CAIRN_TEAM_URL must be the address of the team's store, postgresql://….")
  return {
    file,
    url: given === undefined || given === '' ? url : given,
    choices: {
      share: share ?? DEFAULT_CHOICES.share,
      names: names ?? DEFAULT_CHOICES.names,
      workspaces: Object.fromEntries(
        Object.entries(workspaces ?? {}).map(([folder, chosen]) => [inHome(folder, surroundings.home), chosen]),
      ),
    },
    salt,
    machine,
    person,
  }
}

/** A path with `~` replaced by the home folder. */
const inHome = (folder: string, home: string): string =>
  /^~(?=$|[/\\])/.test(folder) ? home + folder.slice(1) : folder

/**
 * The text of the file; `{}` if it does not exist. Throws `invalid-input` if it can't be read. Without a byte order
 * mark.
 */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return '{}'
    throw problem(file, `can't be read: ${pathProblem(cause)}`, cause)
  }
}

/**
 * Returns the settings in the file's text. Unknown settings are a problem, too.
 * @throws CairnError `invalid-input` for the first problem
 */
const parse = (file: string, text: string): z.infer<typeof teamSchema> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw problem(file, `are not valid JSON (${messageOf(cause)})`, cause)
  }
  const parsed = teamSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (issue?.code === 'unrecognized_keys')
    throw problem(file, `are not valid: '${issue.keys[0] ?? ''}' is not a known setting`)
  const setting = issue?.path[0]
  if (setting === undefined) throw problem(file, 'are not valid: the file must hold a JSON object')
  throw problem(file, `are not valid: '${String(setting)}' must be ${ALLOWED[String(setting)] ?? 'left out'}`)
}

/** Creates (does not throw) the error for a file that can't be used; nothing is sent then. */
const problem = (file: string, what: string, cause?: unknown): CairnError =>
  new CairnError('invalid-input', `The team's settings in ${file} ${what}; nothing was sent. Correct the file.`, {
    cause,
  })
