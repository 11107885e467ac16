/** How the commands that texts name must be typed where this one was called from. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { CommonOptions } from '../command.ts'
import type { Surroundings } from '../config/locations.ts'
import { shellOption } from '../output/shell-word.ts'

/** `npx cairn` under npm, where `cairn` alone is not found. */
export const programName = ({ variables }: Pick<Surroundings, 'variables'>): string =>
  (variables['npm_command'] ?? '') === '' && (variables['npm_lifecycle_event'] ?? '') === '' ? 'cairn' : 'npx cairn'

/** The option that names the same store again; nothing where none was named. A file below the folder by its relative path. */
export const storeOption = (
  { store }: CommonOptions,
  { folder, variables }: Pick<Surroundings, 'folder' | 'variables'>,
): string => {
  // An address of a server may hold a password.
  if (store === undefined || !store.startsWith('file:')) return ''
  const path = store.slice('file:'.length)
  // A script of npm runs in the package's folder, wherever its caller is and will type the next command.
  const isCallersFolder = (variables['INIT_CWD'] ?? folder) === folder
  const below = relative(folder, resolve(folder, path))
  const isBelow = !isAbsolute(below) && !below.startsWith(`..${sep}`)
  const address = `file:${isCallersFolder && isBelow ? below : resolve(folder, path)}`
  return shellOption('--store', address)
}
