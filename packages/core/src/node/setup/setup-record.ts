/** What setup did to which file, kept in the data folder, so that it can be undone byte for byte. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Splice } from '../../setup/index.ts'
import {
  SettingsFileError,
  makeFolderOf,
  readSettingsFile,
  removeEmptyFolders,
  writeSettingsFile,
} from './settings-file.ts'

/** What setup did to one file. */
export interface FileRecord {
  /** Setup made the file. */
  readonly isMade: boolean
  /** Folders that setup made for it, the outermost first. */
  readonly folders: readonly string[]
  /** Path of the copy of the file before. */
  readonly backup?: string | undefined
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
      splices: z.array(z.object({ text: z.string(), was: z.string() })),
    }),
  ),
})

const pathIn = (dataFolder: string): string => join(dataFolder, 'setup.json')

/** One that can't be read counts as empty: entries are then found by what they start. */
export const readSetupRecord = (dataFolder: string): SetupRecord => {
  try {
    const { text } = readSettingsFile(pathIn(dataFolder))
    if (text === undefined) return { folders: [], files: new Map() }
    const { folders, files } = recordSchema.parse(JSON.parse(text))
    return { folders, files: new Map(Object.entries(files)) }
  } catch {
    return { folders: [], files: new Map() }
  }
}

/** Replaces the record; an empty one is removed, and with it the folders that setup made for it. @throws SettingsFileError */
export const writeSetupRecord = (dataFolder: string, { folders, files }: SetupRecord): void => {
  const path = pathIn(dataFolder)
  if (files.size === 0) {
    rmSync(path, { force: true })
    removeEmptyFolders(folders)
    return
  }
  try {
    writeRecord(path, { folders, files })
  } catch (cause) {
    if (!(cause instanceof SettingsFileError)) throw cause
    throw new SettingsFileError(`what setup does can't be noted in ${path} (${cause.message})`, { cause })
  }
}

const writeRecord = (path: string, { folders, files }: SetupRecord): void => {
  const made = [...folders, ...makeFolderOf(path)]
  const { path: real, text } = readSettingsFile(path)
  const sorted = Object.fromEntries([...files].sort(([left], [right]) => (left < right ? -1 : 1)))
  const written = JSON.stringify({ version: 1, folders: made, files: sorted }, undefined, 2)
  writeSettingsFile(real, `${written}\n`, { expected: text, mode: 0o600 })
}
