/** Writes entries of one session, without secrets. */
import { CairnError } from '../errors.ts'
import type { EntryWrite, SessionFacts, SessionStorage } from '../ports/session-storage.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { assertAppend } from '../session/append-input.ts'

/** A write without the secrets of its entry; the index names it in errors. */
export type RedactWrite = (write: EntryWrite, index: number) => EntryWrite

export interface SessionWriter {
  readonly session: SessionFacts
  /**
   * The writes without secrets; `writeAt` takes only these.
   * @throws CairnError `invalid-input` for what no log can hold.
   */
  redacted(writes: readonly EntryWrite[]): readonly EntryWrite[]
  /**
   * Writes at `seq`; resolves when the entries are on disk.
   * @throws CairnError `sequence-conflict` when somebody else has written there: then nothing was written.
   */
  writeAt(redacted: readonly EntryWrite[], seq: number): Promise<void>
  /**
   * Writes at `seq` or, when others have written meanwhile, behind them; without secrets.
   * @throws CairnError `not-found` when the session has been deleted meanwhile.
   */
  writeFrom(writesAt: (seq: number) => readonly EntryWrite[], seq: number): Promise<WrittenFrom>
}

/** Where entries were written, and as what. */
interface WrittenFrom {
  /** The number of the first entry; larger than was asked for when others have written before it. */
  readonly seq: number
  readonly writes: readonly EntryWrite[]
}

/** How often another writer may be faster. */
const MOST_TRIES = 50

/**
 * What writes a session's entries. `redacted` checks entries and takes their secrets out, and writes nothing; `writeAt`
 * takes what it gave. `writeAt` rejects with `sequence-conflict`, and writes nothing, where the log has grown;
 * `writeFrom` takes secrets out itself and tries again behind what others wrote, `MOST_TRIES` times in all, then
 * rejects so too; with `not-found` where the session was deleted.
 */
export const createSessionWriter = (
  session: SessionFacts,
  sessions: Pick<SessionStorage, 'append'>,
  redactWrite: RedactWrite,
): SessionWriter => ({
  session,
  redacted: (writes) => {
    assertAppend(session, 'end', writes)
    return writes.map(redactWrite)
  },
  writeAt: async (redacted, seq) => {
    const written = await sessions.append(session, seq, redacted)
    if (!written.ok)
      throw new CairnError(
        'sequence-conflict',
        `Another program wrote to the session ${session.id} meanwhile; nothing was sent. Try again.`,
      )
  },
  writeFrom: async (writesAt, from) => {
    let seq = from
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const writes = writesAt(seq).map(redactWrite)
      const written = await sessions.append(session, seq, writes)
      if (written.ok) return { seq, writes }
      if (written.error.actualSeq < seq)
        throw new CairnError(
          'not-found',
          `The session ${session.id} was deleted while a request of it ran; what came of the request was not kept.`,
        )
      seq = written.error.actualSeq
    }
    throw new CairnError(
      'sequence-conflict',
      `Other programs write to the session ${session.id} all the time; what came of the request could not be kept.`,
    )
  },
})

/**
 * Entries as the log gives them when it is read again: only what JSON keeps of them, with numbers from `seq` on. What a
 * model is sent is made of these, so that the next reader of the log sends the same.
 */
export const storedEntries = (redacted: readonly EntryWrite[], seq: number): readonly LogEntry[] =>
  redacted.map(({ entry }, index) => ({ ...(JSON.parse(JSON.stringify(entry)) as NewLogEntry), seq: seq + index }))
