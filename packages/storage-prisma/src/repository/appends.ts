/**
 * Live appends with group commit: appends that arrive while a commit is under way share the next one,
 * and so its sync to disk. Each resolves only when it is on disk.
 */
import { CairnError, err, ok } from '@cairn/core'
import type { AppendPosition, EntryWrite, Result, SequenceConflict, SessionFacts } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { rowLockClause } from './context.ts'
import type { StoreContext } from './context.ts'
import { GroupCommit } from './group-commit.ts'
import { Labels, storableText } from './labels.ts'
import { blocksIn, prepareContent } from './prepared-content.ts'
import type { PreparedContent } from './prepared-content.ts'
import { mergeRequests } from './request-merge.ts'
import { BlockRemoved } from './pack-writer.ts'
import { findSession, openSession } from './session-row.ts'
import { writeSession } from './session-writer.ts'

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

  async #commit(group: readonly Append[]): Promise<readonly Outcome[]> {
    const { database, labels: cache, maintenance } = this.#context
    for (let attempt = 1; ; attempt += 1) {
      const prepared = await Promise.all(
        group.map(({ session, writes }) => prepareContent({ session, writes, runs: [] }, blocksIn(database))),
      )
      try {
        const [outcomes, labels, workspaces] = await database.transaction(
          { durability: 'synced' },
          async (transaction) => {
            const labelsInUse = new Labels(transaction, cache, database.dialect)
            const results: Outcome[] = []
            const written = new Set<number>()
            for (const [index, waiting] of group.entries()) {
              const content = prepared[index]
              if (content !== undefined)
                results.push(await this.#write(transaction, labelsInUse, waiting, content, written))
            }
            return [results, labelsInUse, written] as const
          },
        )
        labels.remember()
        void maintenance.maintain(workspaces)
        return outcomes
      } catch (error) {
        // Another process deleted a session whose blocks the content refers to.
        if (!(error instanceof BlockRemoved) || attempt === 3) throw error
      }
    }
  }

  async #write(
    transaction: SqlTransaction,
    labels: Labels,
    waiting: Append,
    content: PreparedContent,
    workspaces: Set<number>,
  ): Promise<Outcome> {
    const lock = rowLockClause(this.#context)
    const known = await findSession(transaction, waiting.session.id, lock)
    // A missing session is created only for a writer that has seen no entries of it.
    const row =
      known ?? (waiting.expectedSeq === 0 ? await openSession(transaction, labels, waiting.session, lock) : undefined)
    const actualSeq = row?.next_seq ?? 0
    if (row === undefined || (waiting.expectedSeq !== 'end' && actualSeq !== waiting.expectedSeq))
      return err({ code: 'sequence-conflict', expectedSeq: waiting.expectedSeq, actualSeq })
    if (row.isNew)
      await transaction.run('DELETE FROM deleted_session WHERE "key" = ?', [storableText(waiting.session.id)])
    const written = await writeSession(transaction, labels, row, content)
    if (written.newMessages > 0) workspaces.add(written.workspaceId)
    if (written.isNew.includes(false)) {
      throw new CairnError(
        'invalid-input',
        `An entry with the same id is in the session ${waiting.session.id} already; nothing was written.`,
      )
    }
    await mergeRequests(transaction, this.#context.database.dialect, labels, written.reports)
    return ok({ nextSeq: row.next_seq + written.isNew.length })
  }
}
