/** Deletes the input histories of all workspaces. */
import { readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { CairnError } from '@cairn/core'
import { codeOf, systemReason } from '@cairn/core/node'
import { historyFolder } from './history-file.ts'

const HISTORY = /^[0-9a-f]+\.jsonl$/

/**
 * Deletes the chat histories in a data folder, and their folder if it is then empty. Returns their number; 0 if there
 * is no folder.
 * @throws CairnError `read-failed` if one can't be deleted
 */
export const removeHistories = (dataFolder: string): number => {
  const folder = historyFolder(dataFolder)
  try {
    const names = readdirSync(folder).filter((name) => HISTORY.test(name))
    for (const name of names) rmSync(join(folder, name))
    if (readdirSync(folder).length === 0) rmdirSync(folder)
    return names.length
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return 0
    throw new CairnError(
      'read-failed',
      `The store is empty, but what was typed in chats can't be removed from ${folder}: ${systemReason(cause)}.`,
      { cause },
    )
  }
}
