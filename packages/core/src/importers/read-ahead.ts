/** Reading ahead: which files an import may leave to threads, and what such a thread does with one. */
import type { Clock } from '../ports/clock.ts'
import type { ImportedFile } from '../ports/import-storage.ts'
import type { FileToRead, ReadBatch, ReadNotice, ReadRows, SessionInFolder } from '../ports/read-ahead.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { FoundFile } from './discover.ts'
import { UNHEARD, readBatches, type ReadDeps } from './file-batches.ts'
import { planImport } from './import-plan.ts'
import { createPauses } from './pauses.ts'
import { findImporter } from './registry.ts'
import { resolveWorkspaces } from './resolve-workspaces.ts'

/**
 * Those of the files that a thread may read, in the given order: not known yet, and read from the file alone. What is made
 * of the others depends on the store.
 */
export const filesToReadAhead = (
  files: readonly FoundFile[],
  known: ReadonlyMap<string, ImportedFile>,
): readonly FileToRead[] =>
  files
    .filter(
      ({ facts: { path }, importer }) =>
        !known.has(path) &&
        importer.givesIds !== true &&
        importer.shared === undefined &&
        importer.format(path) !== 'records',
    )
    .map(({ facts, importer: { agent } }) => ({ facts, agent }))

/** What a thread reads a file with. */
export interface ReadAheadDeps extends Pick<ReadDeps, 'fileSystem' | 'hasher' | 'redact'> {
  readonly clock: Clock
  readonly workspaceOf: (folder: string) => Promise<string>
}

/**
 * Reads a file that the store does not know, from its start: the batches that an import would read, in the same pieces.
 * Rejects as reading does. What {@link ReadRows} names to be checked is not.
 */
export async function* readAhead({ facts, agent }: FileToRead, deps: ReadAheadDeps): AsyncGenerator<ReadBatch> {
  const importer = findImporter(agent)
  const checks = createChecks()
  const notices: ReadNotice[] = []
  const skips = {
    add: (reason: string, line?: number, count?: number): void => {
      notices.push({ reason, ...(line === undefined ? {} : { line }), ...(count === undefined ? {} : { count }) })
    },
    rows: () => [],
  }
  const reading = { ...deps, ...checks.questions, pauses: createPauses(deps.clock) }
  try {
    // What nothing is kept of is looked for by the import.
    const plan = { ...(await planImport(facts, importer, undefined, deps)), isLookAhead: true }
    for await (const { outcome, cursor } of readBatches(plan, reading, skips, UNHEARD)) {
      const sessions = await resolveWorkspaces(outcome.sessions, importer.workspaces, deps.workspaceOf)
      const { source, wrongCosts, skips: left } = outcome
      const awaitsFolder = outcome.hasUnplaced && cursor.size === 0
      const rows: ReadRows = { sessions, source, skips: left, wrongCosts, cursor, awaitsFolder, ...checks.take() }
      yield { notices: notices.splice(0), rows }
    }
  } catch (error) {
    if (notices.length > 0) yield { notices }
    throw error
  }
  if (notices.length > 0) yield { notices }
}

/** Notes what a parser asks of sessions instead of answering it. */
const createChecks = () => {
  let sessions = new Map<string, SessionFacts>()
  let folders = new Map<string, SessionInFolder>()
  return {
    questions: {
      isHidden: (session: SessionFacts): boolean => {
        sessions.set(`${session.id} ${session.externalId} ${session.forkedFrom ?? ''}`, session)
        return false
      },
      isHiddenIn: async (session: SessionFacts, folder: string | undefined): Promise<boolean> => {
        folders.set(`${session.id} ${folder ?? ''}`, { session, folder })
        return false
      },
    },
    /** What was asked since the last call. */
    take: (): Pick<ReadRows, 'sessionsToCheck' | 'foldersToCheck'> => {
      const taken = { sessionsToCheck: [...sessions.values()], foldersToCheck: [...folders.values()] }
      sessions = new Map()
      folders = new Map()
      return taken
    },
  }
}
