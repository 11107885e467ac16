/** The system's notices of changes in folders, over `fs.watch`. */
import { watch } from 'node:fs'
import { basename, join } from 'node:path'
import type { FolderWatch, Notices } from '../../watching/folder-watches.ts'
import { codeOf } from '../system-reason.ts'

/** Of a folder that is gone or may not be read there is nothing to watch; any other failure is a limit of the system's. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'])

/**
 * Watches folders with `fs.watch`: `watch` returns `refused` where the system allows no more, and undefined where there
 * is no folder or it may not be read. `changed` is told the path of an entry, `ended` that the watch is over.
 * `platform` decides whether a watch covers the folders below. On Linux each folder is watched by itself: Node's
 * recursive watch there is made of one more for every file, and the kernel allows each user a limited number. A watch
 * keeps no process alive.
 */
export const createFolderNotices = (platform: NodeJS.Platform = process.platform): Notices => {
  const coversFoldersBelow = platform === 'darwin' || platform === 'win32'
  return {
    coversFoldersBelow,
    /** Watches one folder; undefined where there is none to watch, `refused` where the system allows no more. */
    watch: (folder, changed, ended): FolderWatch | 'refused' | undefined => {
      try {
        const watcher = watch(folder, { recursive: coversFoldersBelow, persistent: false }, (type, name) => {
          if (name === null) return
          changed(join(folder, name))
          // So Linux tells that the folder itself was removed or renamed. If it was an entry of the same name, the folder
          // is only watched again.
          if (type === 'rename' && name === basename(folder)) ended()
        })
        watcher.on('error', () => ended())
        return { close: () => watcher.close() }
      } catch (error) {
        return NOT_THERE.has(codeOf(error)) ? undefined : 'refused'
      }
    },
  }
}
