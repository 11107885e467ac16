/** The system's notices of changes in folders, over `fs.watch`. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import type { Notices } from '../../watching/follow.ts'

/**
 * On Linux each folder is watched by itself: Node's recursive watch there is made of one more for every file, and the kernel
 * allows each user a limited number. A watch keeps no process alive.
 */
export const createNotices = (platform: NodeJS.Platform = process.platform): Notices => {
  const coversFoldersBelow = platform === 'darwin' || platform === 'win32'
  return {
    coversFoldersBelow,
    watch: (folder, changed) => {
      try {
        const watcher = watch(folder, { recursive: coversFoldersBelow, persistent: false }, (_, name) => {
          if (name !== null) changed(join(folder, name))
        })
        // The folder went: looking at it again and again finds out.
        watcher.on('error', () => watcher.close())
        return { close: () => watcher.close() }
      } catch {
        return undefined
      }
    },
  }
}
