/** The input history of a workspace, kept in the data folder, readable only by the user, with secrets replaced. */
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, redact } from '@cairn/core'
import { appendText, codeOf, replaceFile } from '@cairn/core/node'
import type { EditorHistory } from './line-editor.ts'

/** Messages that are kept. */
const KEPT = 500
/** Lines of a file after which it is rewritten. */
const LONGEST_FILE = 1_000
/** Characters; longer messages are mostly pastes and are not kept. */
const LONGEST_ENTRY = 4_000
const NAME_LENGTH = 24

/** Returns the folder of the histories of all workspaces, which may not exist. */
export const historyFolder = (dataFolder: string): string => join(dataFolder, 'chat-history')

/** The file of a workspace's history in the data folder, named by a hash of its path; creates nothing. */
export const historyPath = (dataFolder: string, workspace: string): string =>
  join(historyFolder(dataFolder), `${createHash('sha256').update(workspace).digest('hex').slice(0, NAME_LENGTH)}.jsonl`)

/**
 * Reads the history of a file at once. `entries`, which stay as they were then: the newest 500, each once, the newest
 * first, without damaged lines; a file of over 1,000 lines is cut to these. `add` appends to the file, which is created
 * with the first message, with known secrets replaced, but no message over 4,000 characters. Never throws: if the file
 * can't be read or written, `tell` is called once with a sentence, and `add` does nothing from then on.
 */
export const openHistory = (path: string, tell: (problem: string) => void): EditorHistory => {
  let isBroken = false
  /** Does something with the file; the first failure is told, and nothing is done from then on. */
  const guarded = (action: () => void): void => {
    if (isBroken) return
    try {
      action()
    } catch (error) {
      isBroken = true
      tell(`What you type is not kept for the next time: ${messageOf(error)}`)
    }
  }
  let entries: readonly string[] = []
  guarded(() => {
    const lines = linesOf(path)
    const texts = lines.flatMap((line) => entryOf(line) ?? [])
    entries = [...new Set(texts.toReversed())].slice(0, KEPT)
    if (lines.length > LONGEST_FILE) replaceFile(path, entries.toReversed().map(lineOf).join(''))
  })
  return {
    entries,
    add: (text) =>
      guarded(() => {
        if (text.length <= LONGEST_ENTRY) appendText(path, lineOf(redact(text).text))
      }),
  }
}

/** A history that stores nothing. */
export const NO_HISTORY: EditorHistory = { entries: [], add: () => undefined }

/** A message as a line of the file, with its line end. */
const lineOf = (text: string): string => `${JSON.stringify({ text })}\n`

/** The lines of a file; empty if it does not exist. Throws if it can't be read. */
const linesOf = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Returns the message in a line of JSON; undefined if the line is damaged. */
const entryOf = (line: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}
