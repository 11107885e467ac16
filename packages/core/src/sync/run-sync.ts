/**
 * Sends what a team's store has not been told of. Each batch is one commit of the team's store, and is confirmed in the
 * user's store only after it: who is killed in between sends the batch again, which changes nothing.
 */
import { redact, withoutBrokenSignatures } from '../redaction/index.ts'
import type { LogEntry } from '../session-log.ts'
import type {
  ChangedProject,
  ChangedRequest,
  ChangedSession,
  SentSession,
  SyncMachine,
  SyncProject,
  SyncRequest,
  SyncSession,
  SyncSource,
  SyncTarget,
} from '../ports/sync-storage.ts'
import type { Outgoing } from './outgoing.ts'

/** What was sent, or would be. */
export interface SyncReport {
  readonly sessions: number
  readonly requests: number
  /** Entries of logs: messages and the like. */
  readonly entries: number
  /** Removed from the team's store. */
  readonly withdrawn: number
  /** Changed sessions that were not sent, by reason. */
  readonly kept: {
    readonly private: number
    readonly withdrawn: number
    readonly otherCopy: number
    /** Their figures were sent, but their text was not: the team's store takes none of this user. */
    readonly text: number
  }
  /** Commits of the team's store. */
  readonly commits: number
}

/** A row as it leaves. */
export type SyncRow =
  | { readonly kind: 'machine'; readonly row: SyncMachine }
  | { readonly kind: 'session'; readonly row: SyncSession }
  | { readonly kind: 'request'; readonly row: SyncRequest }
  | { readonly kind: 'entry'; readonly row: LogEntry & { readonly sessionId: string } }
  | { readonly kind: 'project'; readonly row: SyncProject }
  | { readonly kind: 'withdrawal'; readonly row: { readonly sessionId: string } }

export interface SyncDeps {
  readonly source: SyncSource
  /** Opened only when there is something to send. */
  readonly target: () => Promise<SyncTarget>
  readonly outgoing: Outgoing
  readonly machine: SyncMachine
  /** It has other names than the team's store was told: they are sent, even if nothing else is. */
  readonly isMachineChanged?: boolean
  readonly now: () => number
}

/** Sessions and requests of one commit: short locks, and little to send again. */
const SESSIONS_PER_BATCH = 50
const REQUESTS_PER_BATCH = 1_000
const ENTRIES_PER_BATCH = 200

interface Piece {
  readonly changed: ChangedSession
  readonly session: SyncSession
  readonly requests: readonly SyncRequest[]
  readonly sent: SentSession
}

interface Counts {
  sessions: number
  requests: number
  entries: number
  withdrawn: number
  commits: number
  readonly kept: { private: number; withdrawn: number; otherCopy: number; text: number }
}

/** Counts of nothing sent. */
const noCounts = (): Counts => ({
  sessions: 0,
  requests: 0,
  entries: 0,
  withdrawn: 0,
  commits: 0,
  kept: { private: 0, withdrawn: 0, otherCopy: 0, text: 0 },
})

/**
 * Sends what is new, and withdraws what was deleted. With nothing to do the target is not even opened. Rejects as the
 * stores do; what was confirmed until then stays confirmed.
 */
export const runSync = async (given: SyncDeps): Promise<SyncReport> => {
  const deps = { ...given, target: askedOnce(given.target) }
  const counts = noCounts()
  await withdrawDeleted(deps, counts)
  for await (const pieces of batches(deps, counts)) await sendBatch(deps, counts, pieces)
  if (deps.isMachineChanged === true && counts.sessions === 0) await sendMachine(deps, counts)
  await sendProjects(deps, counts)
  // What was deleted while it was being sent.
  await withdrawDeleted(deps, counts)
  return counts
}

/** A target that is asked once whether it takes text, however many sessions are sent. */
const askedOnce = (target: SyncDeps['target']): SyncDeps['target'] => {
  let takesText: Promise<boolean> | undefined
  return async () => {
    const team = await target()
    return { ...team, takesText: () => (takesText ??= team.takesText()) }
  }
}

/** Tells the team that this machine is there, without sending any sessions. */
const sendMachine = async ({ target, machine, now }: SyncDeps, counts: Counts): Promise<void> => {
  await (await target()).receive({ machine, at: now(), sessions: [], requests: [] })
  counts.commits += 1
}

/**
 * Tells which projects the folders belong to, of which something was sent. A change is confirmed only where the team's
 * store has something of the folder; else the next sync sends it again.
 */
const sendProjects = async ({ source, target, outgoing }: SyncDeps, counts: Counts): Promise<void> => {
  const changed = await source.changedProjects()
  const sent = projectRows(changed, outgoing)
  if (sent.length === 0) return
  const had = new Set(await (await target()).receiveProjects(sent.map(({ row }) => row)))
  counts.commits += 1
  // What began meanwhile is sent by the next sync, and its folder's project after it.
  await source.confirmProjects(sent.filter(({ row }) => had.has(row.workspace)).map(({ project }) => project))
}

/** Those of the folders of which something is shared, as they leave. */
const projectRows = (
  changed: readonly ChangedProject[],
  outgoing: Outgoing,
): readonly { readonly project: ChangedProject; readonly row: SyncProject }[] =>
  changed.flatMap((project) => {
    const row = outgoing.project(project)
    return row === undefined ? [] : [{ project, row }]
  })

/**
 * The source as if nothing had been sent; the store itself stays as it is, see its `sendAgain`.
 * @param forget for a team's store that has none of it: logs from their beginning, and no withdrawals; what was
 * withdrawn from one stays out of every other
 */
export const asUnsent = (source: SyncSource, forget: boolean): SyncSource => ({
  ...source,
  changedSessions: () => source.allSessions(),
  sessions: async (rows) =>
    (await source.sessions(rows)).map((changed) => ({
      ...changed,
      fromRequest: 0,
      ...(forget ? { sentEntries: 0 } : {}),
    })),
  changedProjects: async () => {
    const projects = await source.changedProjects({ all: true })
    // A store that was told nothing takes a folder for a project of its own.
    return forget ? projects.filter(({ project }) => project !== null) : projects
  },
  deletedSessions: () => (forget ? Promise.resolve([]) : source.deletedSessions()),
})

/**
 * The rows that {@link runSync} would send, in its order, read as they are asked for. Neither store is changed, and the
 * team's is not asked: what it would refuse or has already is among them. Rejects as the user's store does.
 */
export async function* previewSync(deps: Pick<SyncDeps, 'source' | 'outgoing' | 'machine'>): AsyncGenerator<SyncRow> {
  let isFirst = true
  for (const id of await deps.source.deletedSessions())
    yield { kind: 'withdrawal', row: { sessionId: deps.outgoing.sessionId(id) } }
  for await (const pieces of pieceBatches(deps, noCounts(), () => Promise.resolve())) {
    if (isFirst) yield { kind: 'machine', row: deps.machine }
    isFirst = false
    for (const { changed, session, requests, sent } of pieces) {
      // A session in several pieces is one row.
      if (sent.isComplete) yield { kind: 'session', row: session }
      for (const row of requests) yield { kind: 'request', row }
      if (!sent.isComplete || deps.outgoing.levelOf(changed.session) !== 'text') continue
      for await (const entries of logParts(deps.source, changed, changed.sentEntries))
        for (const entry of entries) yield { kind: 'entry', row: { sessionId: session.id, ...entry } }
    }
  }
  for (const { row } of projectRows(await deps.source.changedProjects(), deps.outgoing)) yield { kind: 'project', row }
}

/**
 * Removes sessions from the team's store, and keeps them out, whatever any machine sends later; they stay in the user's
 * own. The team's store is asked for all of them: the user's does not know what was sent to one that was named before
 * another. Returns how many it had.
 */
export const withdrawSessions = async (
  { source, target, outgoing }: Pick<SyncDeps, 'source' | 'target' | 'outgoing'>,
  sessionIds: readonly string[],
): Promise<number> => {
  const removed = await (await target()).withdraw(sessionIds.map((sessionId) => outgoing.sessionId(sessionId)))
  await source.keepOut(sessionIds)
  return removed
}

/** Withdraws deleted sessions from the team, and confirms them only once it has. */
const withdrawDeleted = async ({ source, target, outgoing }: SyncDeps, counts: Counts): Promise<void> => {
  const ids = await source.deletedSessions()
  if (ids.length === 0) return
  counts.withdrawn += await (await target()).withdraw(ids.map((id) => outgoing.sessionId(id)))
  await source.confirmWithdrawn(ids)
}

/** Batches of what is to be sent; what is not is confirmed as it comes by. */
const batches = (deps: SyncDeps, counts: Counts): AsyncGenerator<readonly Piece[]> =>
  pieceBatches(deps, counts, (sent) => deps.source.confirm(sent))

/**
 * The pieces to send, in batches by number of sessions and requests. Sessions that may not leave are counted and
 * confirmed at once. Batches may hold pieces of one session.
 */
async function* pieceBatches(
  { source, outgoing }: Pick<SyncDeps, 'source' | 'outgoing'>,
  counts: Counts,
  confirm: (sent: readonly SentSession[]) => Promise<void>,
): AsyncGenerator<readonly Piece[]> {
  const rows = await source.changedSessions()
  let batch: Piece[] = []
  let size = 0
  for (let start = 0; start < rows.length; start += SESSIONS_PER_BATCH) {
    for (const changed of await source.sessions(rows.slice(start, start + SESSIONS_PER_BATCH))) {
      const reason = reasonToKeep(changed, outgoing)
      if (reason !== undefined) {
        counts.kept[reason] += 1
        await confirm([{ row: changed.row, writes: changed.writes, isComplete: true }])
        continue
      }
      for await (const piece of piecesOf(changed, source, outgoing)) {
        batch.push(piece)
        size += piece.requests.length
        if (batch.length < SESSIONS_PER_BATCH && size < REQUESTS_PER_BATCH) continue
        yield batch
        batch = []
        size = 0
      }
    }
  }
  if (batch.length > 0) yield batch
}

/** Why a session stays on the machine; undefined where it is sent. */
const reasonToKeep = (
  { isWithdrawn, session }: ChangedSession,
  outgoing: Outgoing,
): 'private' | 'withdrawn' | undefined => {
  if (isWithdrawn) return 'withdrawn'
  return outgoing.levelOf(session) === 'nothing' ? 'private' : undefined
}

/**
 * A session with its requests, in pieces of a batch's size; one without any is one piece. Requests that may not leave
 * are left out.
 */
async function* piecesOf(changed: ChangedSession, source: SyncSource, outgoing: Outgoing): AsyncGenerator<Piece> {
  const session = outgoing.session(changed.session)
  const { row, writes } = changed
  for (let from = changed.fromRequest; ;) {
    const found: readonly ChangedRequest[] = from === null ? [] : await source.requests(row, from, REQUESTS_PER_BATCH)
    const last = found.at(-1)
    const isComplete = last === undefined || found.length < REQUESTS_PER_BATCH
    const nextRequest = isComplete ? null : last.row + 1
    yield {
      changed,
      session,
      requests: found.flatMap((request) => outgoing.request(request, changed.session) ?? []),
      sent: { row, writes, nextRequest, isComplete },
    }
    if (isComplete) return
    from = nextRequest
  }
}

/**
 * Sends a batch, and the logs of sessions whose text is shared, and confirms it. What another copy has sent or the team
 * has withdrawn is confirmed without being sent again. Counts what was sent.
 */
const sendBatch = async (
  { source, target, outgoing, machine, now }: SyncDeps,
  counts: Counts,
  pieces: readonly Piece[],
): Promise<void> => {
  await source.announce(pieces.flatMap(({ changed }) => (changed.isShared ? [] : [changed.row])))
  const team = await target()
  // A session may be in a batch with two pieces.
  const sessions = new Map(pieces.map(({ session }) => [session.id, session]))
  const requests = pieces.flatMap((piece) => piece.requests)
  const { withdrawn, others } = await team.receive({ machine, at: now(), sessions: [...sessions.values()], requests })
  counts.commits += 1
  const isOut = new Set(withdrawn)
  const isOthers = new Set(others)
  const taken = pieces.filter(({ session }) => !isOut.has(session.id) && !isOthers.has(session.id))
  const ofOthers = pieces.filter(({ session }) => isOthers.has(session.id))
  const left = pieces.filter(({ session }) => isOut.has(session.id))
  if (left.length > 0) await source.keepOut(left.map(({ changed }) => changed.session.id))
  const sent: SentSession[] = [...left, ...ofOthers].map((piece) => piece.sent)
  for (const piece of taken) {
    const hasLog = piece.sent.isComplete && outgoing.levelOf(piece.changed.session) === 'text'
    sent.push(hasLog ? { ...piece.sent, entries: await sendLog(source, team, piece, counts) } : piece.sent)
  }
  await source.confirm(sent)
  counts.sessions += taken.filter(({ sent }) => sent.isComplete).length
  counts.requests += taken.reduce((sum, piece) => sum + piece.requests.length, 0)
  counts.kept.withdrawn += left.filter(({ sent }) => sent.isComplete).length
  counts.kept.otherCopy += ofOthers.filter(({ sent }) => sent.isComplete).length
}

/**
 * Sends the part of a log that the team's store lacks: its length there says from where on. Resolves with how much of
 * the log it has afterwards; 0 where the team's store takes no text of this user, or has another machine's copy, which
 * stays.
 */
const sendLog = async (
  source: SyncSource,
  team: SyncTarget,
  { changed, session }: Piece,
  counts: Counts,
): Promise<number> => {
  if (!(await team.takesText())) {
    counts.kept.text += 1
    return 0
  }
  const { nextSeq, last } = await team.logEnd(session.id)
  if (last !== undefined && !(await isOurs(source, changed, last))) {
    counts.kept.otherCopy += 1
    return 0
  }
  let fromSeq = nextSeq
  for await (const entries of logParts(source, changed, nextSeq)) {
    if (!(await team.receiveLog({ session, fromSeq, entries }))) return fromSeq
    fromSeq += entries.length
    counts.entries += entries.length
    counts.commits += 1
  }
  return fromSeq
}

/** Whether the last entry that the team's store has is that of our log at the same position. */
const isOurs = async (source: SyncSource, { session }: ChangedSession, last: LogEntry): Promise<boolean> => {
  const [own] = await source.entries(session.id, last.seq, 1)
  return own !== undefined && JSON.stringify(withoutSecrets(own)) === JSON.stringify(last)
}

/** A session's entries from a number on, in parts, with secrets taken out. Fewer if the log is shorter. */
async function* logParts(
  source: SyncSource,
  { session, entries: length }: ChangedSession,
  fromSeq: number,
): AsyncGenerator<readonly LogEntry[]> {
  for (let from = fromSeq; from < length;) {
    const part = await source.entries(session.id, from, Math.min(ENTRIES_PER_BATCH, length - from))
    if (part.length === 0) return
    yield part.map(withoutSecrets)
    from += part.length
  }
}

/**
 * The entry without secrets, by today's rules: what was stored may be older than some of them. The same object if it
 * has none.
 */
const withoutSecrets = (entry: LogEntry): LogEntry => {
  const { text, count } = redact(JSON.stringify(entry))
  // Placeholders hold nothing that JSON escapes.
  return count === 0 ? entry : withoutBrokenSignatures(JSON.parse(text) as LogEntry)
}
