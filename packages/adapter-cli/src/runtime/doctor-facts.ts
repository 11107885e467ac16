/** Facts about the machine that the doctor names: agents' folders, stored keys, a store file's pages. */
import { closeSync, openSync, readSync } from 'node:fs'
import { CairnError } from '@cairn/core'
import type { StoredSecret } from '@cairn/core'
import { importAgents, findImporter, transcriptOf } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import type { Context } from '../command.ts'
import type { Surroundings } from '../config/locations.ts'
import { openSecrets } from '../models/open-secrets.ts'
import { importEnvironment } from './import-environment.ts'
import { createImportPreview } from '../output/import-preview.ts'

/** A folder or file in which an agent keeps transcripts. */
export interface TranscriptFolder {
  readonly agent: string
  readonly path: string
  /** Transcripts in it; null where there is no such folder or file. */
  readonly files: number | null
}

/**
 * Returns the folders and files in which each agent may keep transcripts, and how many are in each; null if it does not
 * exist. Agents are in the order of `importAgents`.
 */
export const transcriptFolders = async (surroundings: Surroundings): Promise<readonly TranscriptFolder[]> => {
  const environment = importEnvironment(surroundings)
  const fileSystem = createFileSystem()
  const found: TranscriptFolder[] = []
  for (const agent of importAgents()) {
    for (const path of findImporter(agent).transcriptFolders(environment)) {
      // What only changes with a transcript is none.
      if (transcriptOf(path) !== path) continue
      const facts = await fileSystem.stat(path).catch(() => undefined)
      const isThere = facts?.kind === 'directory' || facts?.kind === 'file'
      const files = isThere ? (await createImportPreview({ agent, from: [path], environment })).files : null
      found.push({ agent, path, files })
    }
  }
  return found
}

/** The stored provider keys, without the keys themselves. */
export interface StoredKeys {
  /** Whether it is there or not. */
  readonly file: string
  readonly kept: readonly StoredSecret[]
  /** Why they can't be used; null where nothing is known to be wrong. */
  readonly problem: string | null
}

/**
 * Returns which provider keys are stored; `problem` says why if that can't be determined. Asks neither for a passphrase
 * nor the keyring. Other errors than Cairn's reject.
 */
export const storedKeys = async (context: Pick<Context, 'surroundings' | 'terminal'>): Promise<StoredKeys> => {
  const secrets = await openSecrets(context)
  let kept: readonly StoredSecret[] = []
  try {
    kept = await secrets.list()
    await secrets.check()
    return { file: secrets.file, kept, problem: null }
  } catch (error) {
    if (!CairnError.is(error)) throw error
    return { file: secrets.file, kept, problem: error.message }
  }
}

/** Where SQLite's file header has the number of pages, as four bytes. */
const PAGE_COUNT_OFFSET = 28

/**
 * Returns the number of pages of a SQLite store by its file's header; null for a store that is no file or can't be
 * read. The store is not opened.
 */
export const storePages = (address: string): number | null => {
  if (!address.startsWith('file:')) return null
  try {
    const file = openSync(address.slice('file:'.length), 'r')
    try {
      const header = Buffer.alloc(4)
      return readSync(file, header, 0, 4, PAGE_COUNT_OFFSET) === 4 ? header.readUInt32BE() : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
