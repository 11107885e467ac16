/**
 * What setup does to which file, kept in the data folder, so that it can be undone byte for byte. It is noted before it is
 * done: of a setup that was killed it may tell more than there is, and never less.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../errors.ts'
import type { Splice } from '../../setup/index.ts'
import { SettingsFileError, readSettingsFile, writeSettingsFile } from './settings-file.ts'

/** What setup did to one file. */
export interface FileRecord {
  /** Setup made the file. */
  readonly isMade: boolean
  /** Folders that setup made for it, the outermost first. */
  readonly folders: readonly string[]
  /** Path of the copy of the file before. */
  readonly backup?: string | undefined
  /** Paths of older copies, of a file that somebody has put back since. */
  readonly copies?: readonly string[] | undefined
  /** In the order in which they were made. */
  readonly splices: readonly Splice[]
}

export interface SetupRecord {
  /** Folders that setup made for the record itself. */
  readonly folders: readonly string[]
  /** By the files' real paths. */
  readonly files: ReadonlyMap<string, FileRecord>
}

const recordSchema = z.object({
  version: z.literal(1),
  folders: z.array(z.string()),
  files: z.record(
    z.string(),
    z.object({
      isMade: z.boolean(),
      folders: z.array(z.string()),
      backup: z.string().optional(),
      copies: z.array(z.string()).optional(),
      splices: z.array(z.object({ text: z.string(), was: z.string() })),
    }),
  ),
})

/** The path of setup's record in a data folder, whether it exists or not. */
export const recordPath = (dataFolder: string): string => join(dataFolder, 'setup.json')

/**
 * What setup noted of files and folders. A record that is missing or can't be read counts as empty: entries are then
 * found by what they start.
 */
export const readSetupRecord = (dataFolder: string): SetupRecord =>
  parsedRecord(dataFolder) ?? { folders: [], files: new Map() }

/** The record of what setup did; undefined where there is none, or none that can be read. */
const parsedRecord = (dataFolder: string): SetupRecord | undefined => {
  try {
    const { text } = readSettingsFile(recordPath(dataFolder))
    if (text === undefined) return undefined
    const { folders, files } = recordSchema.parse(JSON.parse(text))
    return { folders, files: new Map(Object.entries(files)) }
  } catch {
    return undefined
  }
}

/** The record as the text of its file; the same record gives the same text. */
export const recordText = ({ folders, files }: SetupRecord): string => {
  const sorted = Object.fromEntries([...files].sort(([left], [right]) => (left < right ? -1 : 1)))
  return `${JSON.stringify({ version: 1, folders, files: sorted }, undefined, 2)}\n`
}

/** Whether there is no record, or one that notes no file; false for one that is there and can't be read. */
export const isRecordEmpty = (dataFolder: string): boolean =>
  parsedRecord(dataFolder)?.files.size === 0 || !existsSync(recordPath(dataFolder))

/** Replaces the record, whose folder must be there. @throws SettingsFileError; it is then as it was */
export const writeSetupRecord = (dataFolder: string, record: SetupRecord): void => {
  const path = recordPath(dataFolder)
  try {
    const { path: real, text } = readSettingsFile(path)
    writeSettingsFile(real, recordText(record), { expected: text, mode: 0o600 })
  } catch (cause) {
    throw new SettingsFileError(`what setup does can't be noted in ${path} (${messageOf(cause)})`, { cause })
  }
}
