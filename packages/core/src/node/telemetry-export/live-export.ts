/**
 * Sends requests to a collector as they are recorded: a pass every few seconds, which looks at what was added since the last
 * one. Of several programs over one store one sends.
 */
import type { SyncSource } from '../../ports/sync-storage.ts'
import type { LeaseFile } from '../lease-file.ts'
import { exportTelemetry } from './export-telemetry.ts'
import type { ExportDeps, ExportQuery, ExportReport, ExportSource } from './export-telemetry.ts'
import type { SentRecord } from './sent-record.ts'

export interface LiveExportDeps extends Pick<ExportDeps, 'destination' | 'sender' | 'now'> {
  readonly source: ExportSource & Pick<SyncSource, 'sessionsOfRequestsAfter'>
  /** Reads what the collector was sent so far. */
  readonly openRecord: () => Promise<SentRecord>
  /** Held by the one program that sends. */
  readonly lease: Pick<LeaseFile, 'take' | 'renew' | 'release'>
}

export interface LiveExport {
  /**
   * Sends what is new; undefined where another program does. Rejects as an export does: the next pass sends the rest. One pass
   * at a time.
   */
  pass(): Promise<ExportReport | undefined>
  /** Lets another program send. */
  end(): void
}

/** Writers of other processes may commit requests out of order: so many rows are looked at again. */
const OVERLAP = 1_000

/**
 * A live export, which has sent nothing yet; its first pass looks at all sessions, as `cairn export otel` does.
 * Sessions are sent in order; a failed pass rejects, and the next one reads the record again.
 */
export const createLiveExport = (
  { openRecord, lease, ...deps }: LiveExportDeps,
  query: Omit<ExportQuery, 'isAll'>,
): LiveExport => {
  let record: SentRecord | undefined
  let lookedAt: number | undefined
  /** Sessions of which something is still to be sent. */
  let unfinished: ReadonlySet<number> = new Set()

  const newSessions = async (): Promise<{ readonly sessions: readonly number[]; readonly newest: number }> => {
    if (lookedAt !== undefined) return deps.source.sessionsOfRequestsAfter(Math.max(0, lookedAt - OVERLAP))
    const { newest } = await deps.source.sessionsOfRequestsAfter(Number.MAX_SAFE_INTEGER)
    return { sessions: await deps.source.allSessions(), newest }
  }

  return {
    /** Sends what is new and settled; undefined where another program has the lease. */
    pass: async () => {
      if (!lease.renew() && !lease.take().isTaken) {
        // What the other one sends is not known here.
        record = undefined
        lookedAt = undefined
        return undefined
      }
      record ??= await openRecord()
      const { sessions, newest } = await newSessions()
      const rows = [...new Set([...unfinished, ...sessions])].sort((left, right) => left - right)
      try {
        const source: ExportSource = { ...deps.source, allSessions: () => Promise.resolve(rows) }
        const report = await exportTelemetry({ ...deps, source, record }, { ...query, isAll: false })
        unfinished = report.waitingSessions
        lookedAt = newest
        return report
      } catch (error) {
        // Some of it may have been noted, by this program or another.
        record = undefined
        throw error
      }
    },
    end: () => lease.release(),
  }
}
