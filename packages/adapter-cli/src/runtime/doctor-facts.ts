/** Facts about the machine that the doctor names: agents' folders, a store file's pages. */
import { closeSync, openSync, readSync } from 'node:fs'
import { importAgents, findImporter } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import type { Surroundings } from '../config/locations.ts'
import { importEnvironment } from './import-environment.ts'
import { createImportPreview } from '../output/import-preview.ts'

export interface TranscriptFolder {
  readonly agent: string
  readonly path: string
  /** Transcripts in it; null where there is no such folder. */
  readonly files: number | null
}

/** The folders in which each agent keeps transcripts, and how many are in each. */
export const transcriptFolders = async (surroundings: Surroundings): Promise<readonly TranscriptFolder[]> => {
  const environment = importEnvironment(surroundings)
  const fileSystem = createFileSystem()
  const found: TranscriptFolder[] = []
  for (const agent of importAgents()) {
    for (const path of findImporter(agent).transcriptFolders(environment)) {
      const facts = await fileSystem.stat(path).catch(() => undefined)
      const files =
        facts?.kind === 'directory' ? (await createImportPreview({ agent, from: [path], environment })).files : null
      found.push({ agent, path, files })
    }
  }
  return found
}

/** Where SQLite's file header keeps the number of pages, as four bytes. */
const PAGE_COUNT_OFFSET = 28

/** The number of pages that a store's file has by its header; null for a store that is no file. */
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
