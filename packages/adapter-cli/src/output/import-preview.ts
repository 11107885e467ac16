/** What an import would read, without reading it and without a store. */
import { discover } from '@cairn/core/importers'
import type { DiscoverOptions } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'

/** Transcripts that an import would read. */
export interface ImportPreview {
  readonly files: number
  readonly bytes: number
  readonly agents: readonly { readonly agent: string; readonly files: number; readonly bytes: number }[]
}

/**
 * Finds the transcripts of each agent without reading them, and returns how many there are and their bytes. No agents
 * if there are none.
 */
export const createImportPreview = async (
  options: Omit<DiscoverOptions, 'known' | 'signal'>,
): Promise<ImportPreview> => {
  const found = await discover(createFileSystem(), { ...options, known: new Map() })
  const byAgent = new Map<string, { agent: string; files: number; bytes: number }>()
  for (const { facts, importer } of found.files) {
    const sum = byAgent.get(importer.agent) ?? { agent: importer.agent, files: 0, bytes: 0 }
    byAgent.set(importer.agent, { agent: importer.agent, files: sum.files + 1, bytes: sum.bytes + facts.size })
  }
  const agents = [...byAgent.values()]
  return { files: found.files.length, bytes: agents.reduce((sum, { bytes }) => sum + bytes, 0), agents }
}
