/** Sends the batches of one file to the storage: one is written while the next is read, and they are written in order. */
import type { ImportCounts, ImportStorage } from '../ports/import-storage.ts'
import type { FileBatch } from './file-batches.ts'
import type { ImportPlan } from './import-plan.ts'
import type { WrongCost } from './importer.ts'
import { resolveWorkspaces } from './resolve-workspaces.ts'
import { reusedIds } from './reused-ids.ts'
import { createSkipCollector, type SkipCollector } from './skips.ts'
import { wrongCostRows } from './wrong-costs.ts'

/** What sending writes to. */
export interface SendDeps {
  readonly storage: Pick<ImportStorage, 'prepare' | 'messagesWith'>
  readonly workspaceOf: (folder: string) => Promise<string>
}

/** Called when a batch was written. */
export interface SendProgress {
  /** A batch was written, of these sessions. */
  onCommit(counts: ImportCounts, sessions: readonly string[]): void
}

export interface Sender {
  /** Prepares a batch at once, and writes it after the one before; false when another importer was faster. */
  send(batch: FileBatch): Promise<boolean>
  /** Waits for the last batch; false when another importer was faster. */
  settle(): Promise<boolean>
  /** Names the recorded costs that don't count, of all batches that were written. */
  tellWrongCosts(): void
}

export const createSender = (
  { facts: { path }, importer, known, isRestarted }: ImportPlan,
  deps: SendDeps,
  skips: SkipCollector,
  progress: SendProgress,
): Sender => {
  const firstVersion = known?.version ?? 0
  let version = firstVersion
  const wrongCosts: WrongCost[] = []
  let committing: Promise<boolean> | undefined
  const settle = async (): Promise<boolean> => committing === undefined || (await committing)
  return {
    settle,
    tellWrongCosts: () => {
      for (const { reason, count } of wrongCostRows(wrongCosts)) skips.add(reason, undefined, count)
    },
    send: async ({ outcome, cursor, draft }) => {
      const rows = createSkipCollector(path)
      const reused = importer.givesIds === true ? await reusedIds(outcome, deps.storage) : []
      const skipped = [...outcome.skips, ...reused]
      for (const { reason, line } of skipped) rows.add(reason, line)
      for (const { reason, count } of wrongCostRows(outcome.wrongCosts)) rows.add(reason, undefined, count)
      const sessions = outcome.sessions.map(({ session }) => session.id)
      const prepared = deps.storage.prepare({
        path,
        agent: importer.agent,
        baseVersion: version,
        restarted: isRestarted && version === firstVersion,
        // A thread has resolved them already.
        sessions:
          draft === undefined
            ? await resolveWorkspaces(outcome.sessions, importer.workspaces, deps.workspaceOf)
            : outcome.sessions,
        source: outcome.source,
        skips: rows.rows(),
        cursor,
        ...(draft === undefined ? {} : { draft }),
      })
      version++
      if (!(await settle())) return false
      committing = prepared.commit().then((counts) => {
        if (counts === undefined) return false
        progress.onCommit(counts, sessions)
        for (const { reason, line } of skipped) skips.add(reason, line)
        wrongCosts.push(...outcome.wrongCosts)
        return true
      })
      // The caller may throw (a read error, an abort) before it looks at this promise.
      committing.catch(() => undefined)
      return true
    },
  }
}
