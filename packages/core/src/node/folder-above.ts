/** How far above a folder its repository and its project are looked for. */
import path from 'node:path'

/** Git's own variable: folders at which it stops looking, which are not looked at themselves. */
export const CEILINGS = 'GIT_CEILING_DIRECTORIES'

/**
 * The folder above; undefined at the top of the disk, and right below a folder at which git was told to stop looking
 * (GIT_CEILING_DIRECTORIES).
 */
export const folderAbove = (folder: string, platform: NodeJS.Platform = process.platform): string | undefined => {
  const paths = platform === 'win32' ? path.win32 : path.posix
  const above = paths.dirname(folder)
  const ceilings = process.env[CEILINGS]?.split(paths.delimiter) ?? []
  return above === folder || ceilings.includes(above) ? undefined : above
}
