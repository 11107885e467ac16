/** The file of the store that a command is about, for commands that work with the file itself. */
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { usableStore } from '../config/settings.ts'

/**
 * Returns the absolute path of the SQLite store in use. Rejects with `unsupported` for PostgreSQL, and with `usage`
 * under `--incognito`.
 * @param what what is to be done with it, as the end of "is …"
 */
export const storeFile = async (
  options: CommonOptions,
  { settings, surroundings }: Pick<Context, 'settings' | 'surroundings'>,
  what: string,
): Promise<string> => {
  if (options.incognito === true)
    throw new CairnError(
      'usage',
      `With --incognito the store is neither read nor written, so it is not ${what}; leave the flag out.`,
    )
  const address = usableStore(await settings(options))
  if (address.startsWith('file:')) return resolve(surroundings.folder, address.slice('file:'.length))
  throw new CairnError(
    'unsupported',
    `A store on PostgreSQL is ${what} with the server's own tools (pg_dump --format=custom, pg_restore); nothing was done.`,
  )
}
