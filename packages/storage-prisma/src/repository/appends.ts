/**
 * Live appends with group commit: appends that arrive while a commit is under way share the next one,
 * and so its sync to disk. Each resolves only when it is on disk.
 */
import { CairnError, err, mergeReports, ok } from '@cairn/core'
import type { AppendPosition, EntryWrite, Result, SequenceConflict, SessionFacts } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { GroupCommit } from './group-commit.ts'
import { Labels, storableText } from './labels.ts'
import { nothingPending, prepareContent } from './prepared-content.ts'
import type { PreparedContent } from './prepared-content.ts'
import { askAboutRequests, beginMerging } from './request-merge.ts'
import type { RequestAnswers, StoredReport } from './request-merge.ts'
import { BlockRemoved } from './pack-writer.ts'
import { findSession, openSession } from './session-row.ts'
import type { SessionRow } from './session-row.ts'
import { askAboutSession, beginWriting } from './session-writer.ts'

type Outcome = Result<{ readonly nextSeq: number }, SequenceConflict>

interface Append {
  readonly session: SessionFacts
  readonly expectedSeq: AppendPosition
  readonly writes: readonly EntryWrite[]
}

/** Appends entries to sessions, several sessions' in one commit. */
export class Appends {
  readonly #context: StoreContext
  readonly #commits = new GroupCommit<Append, Outcome>((group) => this.#commit(group))

  constructor(context: StoreContext) {
    this.#context = context
  }

  /**
   * Appends entries to a session as {@link SessionStorage.append} does; what is waiting at the same time is committed,
   * and synced to disk, together.
   */
  append(session: SessionFacts, expectedSeq: AppendPosition, writes: readonly EntryWrite[]): Promise<Outcome> {
    return this.#commits.add({ session, expectedSeq, writes })
  }

  /** Resolves when nothing is waiting and the index maintenance that followed is done. */
  async idle(): Promise<void> {
    await this.#commits.idle()
    await this.#context.maintenance.idle()
  }

  /**
   * Writes a group of appends in one transaction, to disk; tried up to three times if blocks it refers to were deleted
   * meanwhile. Resolves with an outcome each, in order: the next position, or a conflict, which the others don't
   * notice. Rejects, with nothing of the group written, for an id that is in its session already (`invalid-input`). The
   * search index is brought up to date afterwards, not waited for.
   */
  async #commit(group: readonly Append[]): Promise<readonly Outcome[]> {
    const { database, labels: cache, maintenance } = this.#context
    for (let attempt = 1; ; attempt += 1) {
      const prepared = await Promise.all(
        group.map(({ session, writes }) => prepareContent({ session, writes, runs: [] }, database, nothingPending)),
      )
      try {
        const [outcomes, labels, newMessages] = await database.transaction(
          { durability: 'synced' },
          async (transaction) => {
            const labelsInUse = new Labels(transaction, cache, database.dialect)
            const added = new Map<number, number>()
            const results = await this.#write(transaction, labelsInUse, group, prepared, added)
            return [results, labelsInUse, added] as const
          },
        )
        labels.remember()
        void maintenance.maintainAfter(newMessages)
        return outcomes
      } catch (error) {
        // Another process deleted a session whose blocks the content refers to.
        if (!(error instanceof BlockRemoved) || attempt === 3) throw error
      }
    }
  }

  /**
   * Writes the appends of a group. A conflict is that append's outcome; a repeated id throws `invalid-input`, which
   * rolls the group back.
   * @param newMessages gets the number of new messages by the workspace's row id
   */
  async #write(
    transaction: SqlTransaction,
    labels: Labels,
    group: readonly Append[],
    prepared: readonly PreparedContent[],
    newMessages: Map<number, number>,
  ): Promise<readonly Outcome[]> {
    const { dialect } = this.#context.database
    const results: Outcome[] = []
    const running: Promise<unknown>[] = []
    const reports: StoredReport[] = []
    let requests: RequestAnswers | undefined
    for (const [index, append] of group.entries()) {
      const content = required(prepared[index], 'the content of an append')
      const lock = rowLockClause(this.#context)
      // All that is asked goes to the server together, behind the lock of the session's row.
      const finding = findSession(transaction, append.session.id, lock)
      finding.catch(() => undefined)
      const answers = askAboutSession(transaction, content, false)
      void labels.ask()
      requests ??= askAboutRequests(transaction, callsOf(group))
      const row = await this.#openRow(transaction, labels, append, await finding)
      const actualSeq = row?.next_seq ?? 0
      if (row === undefined || (append.expectedSeq !== 'end' && actualSeq !== append.expectedSeq)) {
        results.push(err({ code: 'sequence-conflict', expectedSeq: append.expectedSeq, actualSeq }))
        continue
      }
      const { written, done } = await beginWriting(transaction, labels, row, content, answers)
      running.push(done)
      if (written.newMessages > 0) {
        const before = newMessages.get(written.workspaceId) ?? 0
        newMessages.set(written.workspaceId, before + written.newMessages)
      }
      if (written.isNew.includes(false)) {
        throw new CairnError(
          'invalid-input',
          `An entry with the same id is in the session ${append.session.id} already; nothing was written.`,
        )
      }
      reports.push(...written.reports)
      results.push(ok({ nextSeq: row.next_seq + written.isNew.length }))
    }
    if (reports.length > 0) {
      const { done } = await beginMerging(transaction, dialect, labels, reports, mergeReports, requests)
      running.push(done)
    }
    await Promise.all(running)
    return results
  }

  /**
   * The row that is written to. A missing session is created where `expectedSeq` is 0, and is then no longer noted as
   * deleted; with another number or `end` it is undefined.
   */
  async #openRow(
    transaction: SqlTransaction,
    labels: Labels,
    { session, expectedSeq }: Append,
    known: SessionRow | undefined,
  ): Promise<SessionRow | undefined> {
    if (known !== undefined || expectedSeq !== 0) return known
    const row = await openSession(transaction, labels, session, rowLockClause(this.#context))
    if (row.isNew) await transaction.run('DELETE FROM deleted_session WHERE "key" = ?', [storableText(session.id)])
    return row
  }
}

/** The requests that a group of appends reports. */
const callsOf = (group: readonly Append[]) =>
  group.flatMap(({ session: { agent }, writes }) =>
    writes.flatMap(({ request }) => (request === undefined ? [] : [{ agent, fact: request }])),
  )
