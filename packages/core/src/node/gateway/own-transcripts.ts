/** Whether an agent keeps a transcript of a session on this machine: then its messages come from there, by an import. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { claudeCodeImporter } from '../../importers/claude-code.ts'
import { codexImporter } from '../../importers/codex.ts'
import { uuidTime } from '../../importers/codex-lineage.ts'
import type { ImportEnvironment } from '../../importers/importer.ts'
import { isUuid } from '../../incognito/incognito-record.ts'

/** How long an agent may take to begin a session's file, ms. */
const FIRST_WRITE_MS = 2_000
const BETWEEN_LOOKS_MS = 100
const DAY_MS = 86_400_000

export interface OwnTranscripts {
  /**
   * The path of the session's file; undefined where there is none. The first time for a session it waits a moment for it.
   * Never rejects.
   */
  find(agent: string, session: string): Promise<string | undefined>
  /** The same without waiting. */
  now(agent: string, session: string): Promise<{ readonly path: string | undefined; readonly mayCome: boolean }>
}

/**
 * Finds the transcripts that Claude Code and Codex keep of the sessions that the gateway sees; of other agents, and for
 * ids that are no UUIDs, it finds none. What is found is remembered; `find` waits up to 2 s, but only once for a
 * session. @param signal aborted: nothing is waited for any more
 */
export const createOwnTranscripts = (environment: ImportEnvironment, signal: AbortSignal): OwnTranscripts => {
  const found = new Map<string, string>()
  const missed = new Set<string>()
  const look = async (agent: string, session: string): Promise<string | undefined> => {
    if (agent === 'claude-code') return claudeFile(claudeCodeImporter.transcriptFolders(environment), session)
    if (agent === 'codex') return codexFile(codexImporter.transcriptFolders(environment), session)
    return undefined
  }
  return {
    /** Looks once, and remembers what is found; `mayCome` until `find` has waited and found none. */
    now: async (agent, session) => {
      if (!hasTranscripts(agent, session)) return { path: undefined, mayCome: false }
      const key = `${agent}:${session}`
      const path = found.get(key) ?? (await look(agent, session))
      if (path !== undefined) found.set(key, path)
      return { path, mayCome: path === undefined && !missed.has(key) }
    },
    /** The session's file; looks every 100 ms for up to 2 s, the first time, and once later. Undefined for none. */
    find: async (agent, session) => {
      if (!hasTranscripts(agent, session)) return undefined
      const key = `${agent}:${session}`
      const known = found.get(key)
      if (known !== undefined) return known
      for (const end = performance.now() + FIRST_WRITE_MS; ;) {
        const path = await look(agent, session)
        if (path !== undefined) {
          found.set(key, path)
          return path
        }
        if (missed.has(key) || signal.aborted || performance.now() > end) break
        await wait(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined)
      }
      missed.add(key)
      return undefined
    },
  }
}

/** Ids become parts of paths; both agents' are UUIDs. */
const hasTranscripts = (agent: string, session: string): boolean =>
  (agent === 'claude-code' || agent === 'codex') && isUuid(session)

/** Whether anything is at the path; false, too, if that can't be found out. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

/** The transcript of a session, in the first folder that has it; undefined if none does. */
const claudeFile = async (roots: readonly string[], session: string): Promise<string | undefined> => {
  for (const root of roots)
    for (const project of await namesIn(root)) {
      const path = join(root, project, `${session}.jsonl`)
      if (await exists(path)) return path
    }
  return undefined
}

/**
 * The path of a session's rollout, in the first root that has it; undefined if none does. Codex keeps it in the folder of
 * the local day on which the session began. The id's time gives that day (today if it has none); the days before and
 * after are looked at too. Folders that can't be read count as empty; never rejects.
 */
const codexFile = async (roots: readonly string[], session: string): Promise<string | undefined> => {
  const began = uuidTime(session) ?? Date.now()
  for (const root of roots)
    for (const at of [began, began - DAY_MS, began + DAY_MS]) {
      const date = new Date(at)
      const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      const day = join(root, ...parts.map((part) => String(part).padStart(2, '0')))
      const name = (await namesIn(day)).find((one) => one.includes(session) && one.endsWith('.jsonl'))
      if (name !== undefined) return join(day, name)
    }
  return undefined
}
