/** Whether an imported file is gone for good. */
import { existsSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/**
 * Whether a file is gone, and not only out of reach. False for a relative path, and where its folder is missing: a disk
 * may not be mounted, a folder moved for a while.
 */
export const isGoneForGood = (path: string): boolean =>
  isAbsolute(path) && !existsSync(path) && existsSync(dirname(path))
