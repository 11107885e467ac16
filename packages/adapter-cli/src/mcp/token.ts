/** The token of a server that others reach: the user's own, or a random one, kept in a file that only the user can read. */
import { randomBytes } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CairnError } from '@cairn/core'
import { dataFolder, makeFolder } from '@cairn/core/node'
import type { Surroundings } from '../config/locations.ts'

/** The environment variable of the MCP server's token. */
export const TOKEN_VARIABLE = 'CAIRN_MCP_TOKEN'
/** Where a server's token comes from. */
export interface TokenSource {
  /** The environment variable of the user's own. */
  readonly variable: string
  /** The file's name, in the data folder. */
  readonly file: string
}
const MCP_TOKEN: TokenSource = { variable: TOKEN_VARIABLE, file: 'mcp-token' }
/** Long enough, and only characters that a header may contain. */
const USABLE = /^[\w.~+/=-]{16,512}$/

/** A token and where it is kept. */
export interface McpToken {
  readonly token: string
  /** The file that keeps it; undefined for the user's own token, or one for this run only. */
  readonly file: string | undefined
}

/** A new random token. */
const fresh = (): string => randomBytes(32).toString('base64url')

/** Whether only the owner can read a file; on Windows the folder's permissions ensure that. */
const isPrivate = async (file: string, platform: NodeJS.Platform): Promise<boolean> =>
  platform === 'win32' || ((await stat(file)).mode & 0o077) === 0

/**
 * The token in the file; undefined if there is none, it can't be read, others could read it, or it has no usable form.
 */
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
 * Returns the token that clients must send: the user's own, the one in the file, or a new one, which is stored in the file.
 * A file that others could read is replaced, because its token may be known. If `isKept` is false, the file is neither read
 * nor written. Rejects with `usage` if the user's token is not usable, with `read-failed` if the file can't be written.
 */
export const mcpToken = async (
  surroundings: Surroundings,
  isKept: boolean,
  { variable, file: name }: TokenSource = MCP_TOKEN,
): Promise<McpToken> => {
  const own = surroundings.variables[variable]
  if (own !== undefined && own !== '') {
    if (!USABLE.test(own))
      throw new CairnError(
        'usage',
        `${variable} must be 16 to 512 letters, digits or . _ ~ + / = -, so that it can't be guessed and fits a header.`,
      )
    return { token: own, file: undefined }
  }
  if (!isKept) return { token: fresh(), file: undefined }
  const folder = dataFolder(surroundings)
  const file = join(folder, name)
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
    // Another server that started at the same time has written one: that is used.
    const other = await kept(file, surroundings.platform)
    if (other !== undefined) return { token: other, file }
    throw new CairnError('read-failed', `The token can't be kept in ${file}; set ${variable} instead.`, { cause })
  }
  return { token, file }
}
