/** `git fast-import` as a process that is written to with back pressure. What it was given counts only after `end`. */
import { once } from 'node:events'
import { answerOf, startGit } from './git-process.ts'
import type { GitAnswer } from './git-process.ts'

export interface ImportProcess {
  /** Bytes, or a text in which each character is one. Once git has ended it does nothing; `end` tells why. */
  send(part: string | Buffer): Promise<void>
  end(): Promise<GitAnswer>
  /** Ends it before its time: nothing is kept. */
  cancel(): Promise<void>
}

/** So many bytes are gathered before they are written: a write costs as much as compressing a small file. */
const GATHERED = 256 * 1024

/**
 * Starts fast-import on a repository. `withDeltas`: tries each content as a difference to the one before, which saves space for
 * folders that changed a little, and only costs time for files that come one after another. Rejects with
 * `storage-failed` where there is no git.
 */
export const startImport = async (gitFolder: string, withDeltas: boolean): Promise<ImportProcess> => {
  const depth = withDeltas ? [] : ['--depth=0']
  const child = startGit(gitFolder, ['fast-import', '--quiet', '--done', '--force', ...depth])
  const answer = answerOf(child)
  const state = { hasEnded: false }
  const setEnded = (): void => {
    state.hasEnded = true
  }
  const ended = answer.then(setEnded, setEnded)
  await Promise.race([once(child, 'spawn').catch(() => undefined), ended])
  if (child.pid === undefined) await answer
  let gathered: Buffer[] = []
  let size = 0
  /** Writes what was gathered, and waits until git takes more; nothing once git has ended. */
  const flush = async (): Promise<void> => {
    if (state.hasEnded || child.stdin.destroyed || size === 0) return
    const isTaken = child.stdin.write(Buffer.concat(gathered, size))
    gathered = []
    size = 0
    if (!isTaken) await Promise.race([once(child.stdin, 'drain').catch(() => undefined), ended])
  }
  return {
    send: async (part) => {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
      gathered.push(bytes)
      size += bytes.length
      if (size >= GATHERED) await flush()
    },
    end: async () => {
      await flush()
      child.stdin.end()
      return answer
    },
    cancel: async () => {
      child.kill()
      await ended
    },
  }
}
