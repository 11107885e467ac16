/** The token of the server over HTTP: the user's own, or one that is made once and kept in a file that only they can read. */
import { randomBytes } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CairnError } from '@cairn/core'
import { dataFolder, makeFolder } from '@cairn/core/node'
import type { Surroundings } from '../config/locations.ts'

export const TOKEN_VARIABLE = 'CAIRN_MCP_TOKEN'
const FILE = 'mcp-token'
/** What a header can carry, and nobody can guess. */
const USABLE = /^[\w.~+/=-]{16,512}$/

export interface McpToken {
  readonly token: string
  /** Where it is kept; undefined when it is the user's own, or of this run only. */
  readonly file: string | undefined
}

const fresh = (): string => randomBytes(32).toString('base64url')

/** Readable by its owner only; Windows keeps that in the folder. */
const isPrivate = async (file: string, platform: NodeJS.Platform): Promise<boolean> =>
  platform === 'win32' || ((await stat(file)).mode & 0o077) === 0

const kept = async (file: string, platform: NodeJS.Platform): Promise<string | undefined> => {
  try {
    if (!(await isPrivate(file, platform))) return undefined
    const token = (await readFile(file, 'utf8')).trim()
    return USABLE.test(token) ? token : undefined
  } catch {
    return undefined
  }
}

/**
 * Rejects with `usage` for a token of the user's that can't be one. `isKept` false: nothing is written. A file that
 * others could read is replaced, for its token may be known.
 */
export const mcpToken = async (surroundings: Surroundings, isKept: boolean): Promise<McpToken> => {
  const own = surroundings.variables[TOKEN_VARIABLE]
  if (own !== undefined && own !== '') {
    if (!USABLE.test(own))
      throw new CairnError(
        'usage',
        `${TOKEN_VARIABLE} must be 16 to 512 letters, digits or . _ ~ + / = -, so that it can't be guessed and fits a header.`,
      )
    return { token: own, file: undefined }
  }
  if (!isKept) return { token: fresh(), file: undefined }
  const folder = dataFolder(surroundings)
  const file = join(folder, FILE)
  const before = await kept(file, surroundings.platform)
  if (before !== undefined) return { token: before, file }
  const token = fresh()
  try {
    makeFolder(folder, 0o700)
    await rm(file, { force: true })
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(`${token}\n`)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    // Two servers that start at once: the other one's is as good.
    const other = await kept(file, surroundings.platform)
    if (other !== undefined) return { token: other, file }
    throw new CairnError('read-failed', `The token can't be kept in ${file}; set ${TOKEN_VARIABLE} instead.`, { cause })
  }
  return { token, file }
}
