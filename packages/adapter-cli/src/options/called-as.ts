/** How suggested commands have to be typed where this one was called. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { CommonOptions } from '../command.ts'
import type { Surroundings } from '../config/locations.ts'
import { shellOption } from '../output/shell-word.ts'

/**
 * Returns how the user calls the command: `npx cairn` if npm runs it, because `cairn` alone is not found then;
 * otherwise `cairn`.
 */
export const programName = ({ variables }: Pick<Surroundings, 'variables'>): string =>
  (variables['npm_command'] ?? '') === '' && (variables['npm_lifecycle_event'] ?? '') === '' ? 'cairn' : 'npx cairn'

/**
 * Returns the `--store` option that names the same store again; empty if none was named, and for a server's address,
 * which may contain a password. A file below the current folder gets its relative path, any other its absolute one.
 */
export const storeOption = (
  { store }: CommonOptions,
  { folder, variables }: Pick<Surroundings, 'folder' | 'variables'>,
): string => {
  // A server's address may hold a password.
  if (store === undefined || !store.startsWith('file:')) return ''
  const path = store.slice('file:'.length)
  // A script of npm runs in the package's folder, while the user may be in another.
  const isCallersFolder = (variables['INIT_CWD'] ?? folder) === folder
  const below = relative(folder, resolve(folder, path))
  const isBelow = !isAbsolute(below) && !below.startsWith(`..${sep}`)
  const address = `file:${isCallersFolder && isBelow ? below : resolve(folder, path)}`
  return shellOption('--store', address)
}
