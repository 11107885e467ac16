/** Whether an agent keeps a transcript of a session on this machine: then its messages come from there, by an import. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { claudeCodeImporter } from '../../importers/claude-code.ts'
import { codexImporter } from '../../importers/codex.ts'
import { uuidTime } from '../../importers/codex-lineage.ts'
import type { ImportEnvironment } from '../../importers/importer.ts'

/** How long an agent may take to begin a session's file, ms. */
const FIRST_WRITE_MS = 2_000
const BETWEEN_LOOKS_MS = 100
const DAY_MS = 86_400_000

export interface OwnTranscripts {
  /** Looks for the session's file; the first time for a session it waits a moment for it. Never rejects. */
  has(agent: string, session: string): Promise<boolean>
}

/** @param signal aborted: nothing is waited for any more */
export const createOwnTranscripts = (environment: ImportEnvironment, signal: AbortSignal): OwnTranscripts => {
  const found = new Set<string>()
  const missed = new Set<string>()
  const look = async (agent: string, session: string): Promise<boolean> => {
    if (agent === 'claude-code') return hasClaudeFile(claudeCodeImporter.transcriptFolders(environment), session)
    if (agent === 'codex') return hasCodexFile(codexImporter.transcriptFolders(environment), session)
    return false
  }
  return {
    has: async (agent, session) => {
      const key = `${agent}:${session}`
      if (found.has(key)) return true
      const end = performance.now() + FIRST_WRITE_MS
      for (;;) {
        if (await look(agent, session)) {
          found.add(key)
          return true
        }
        if (missed.has(key) || signal.aborted || performance.now() > end) break
        await wait(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined)
      }
      missed.add(key)
      return false
    },
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

const hasClaudeFile = async (roots: readonly string[], session: string): Promise<boolean> => {
  for (const root of roots)
    for (const project of await namesIn(root)) if (await exists(join(root, project, `${session}.jsonl`))) return true
  return false
}

/** Rollouts lie in folders of days, by the clock on the wall, and a session keeps the one that it began in. */
const hasCodexFile = async (roots: readonly string[], session: string): Promise<boolean> => {
  const began = uuidTime(session) ?? Date.now()
  for (const root of roots)
    for (const at of [began, began - DAY_MS, began + DAY_MS]) {
      const date = new Date(at)
      const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      const day = join(root, ...parts.map((part) => String(part).padStart(2, '0')))
      if ((await namesIn(day)).some((name) => name.includes(session))) return true
    }
  return false
}
