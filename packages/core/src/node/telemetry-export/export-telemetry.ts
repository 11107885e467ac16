/**
 * Sends what one collector was not sent yet: a trace a turn, and metrics. What a batch held is noted when the collector has
 * taken it; who is killed in between sends it again, with the same ids.
 */
import { CairnError } from '../../errors.ts'
import type { ChangedRequest, ChangedSession, SyncSource } from '../../ports/sync-storage.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { redact } from '../../redaction/index.ts'
import type { Destination } from './destination.ts'
import { histogramsOf } from './histogram.ts'
import type { OtlpSender, Rejected } from './otlp-sender.ts'
import type { SentRecord } from './sent-record.ts'
import { ActivityReader, type SessionActivity, type ShownText } from './session-activity.ts'
import { sessionSpans } from './session-spans.ts'
import type { Span } from './span.ts'

/** The store as what is read. */
export type ExportSource = Pick<SyncSource, 'allSessions' | 'sessions' | 'requests' | 'entries'>

export interface ExportQuery {
  /** Only requests from this time on, ms. */
  readonly since?: number
  /** Only this session. */
  readonly sessionId?: string
  /** Only requests that were made in these folders; `unknown`: in none that is known. */
  readonly workspaces?: ReadonlySet<string>
  /** Also what was sent before, with the same ids; it counts once in the metrics. */
  readonly isAll: boolean
  /** What was written, with known kinds of secrets replaced. */
  readonly hasTexts: boolean
  /** The project's folder name and the branch. */
  readonly hasNames: boolean
}

/** Requests of one session with their spans. */
interface Unit {
  readonly session: number
  /** All requests of the session, by their rows, ascending. */
  readonly rows: readonly number[]
  readonly requests: readonly { readonly row: number; readonly fact: RequestFact }[]
  readonly spans: readonly Span[]
}

export interface ExportReport {
  sessions: number
  readonly requests: RequestFact[]
  spans: number
  /** Requests that may still change: they are sent by the next export. */
  waiting: number
  /** Their sessions, by row. */
  readonly waitingSessions: Set<number>
  /** Requests of which nobody knows when they were; they can't be sent. */
  withoutTime: number
  rejectedSpans: number
  rejectedPoints: number
  /** Why, in the collector's words. */
  readonly why: Set<string>
}

export interface ExportDeps {
  readonly source: ExportSource
  readonly destination: Pick<Destination, 'isDelta'>
  readonly record: SentRecord
  /** Asked for when there is something to send. */
  readonly sender: () => Promise<OtlpSender>
  readonly now: () => number
  /** Told after each batch how many sessions were looked at, of how many. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Spans and characters of one export. */
const SPANS_PER_BATCH = 500
const CHARACTERS_PER_BATCH = 1_000_000
const SESSIONS_AT_ONCE = 50
const REQUESTS_AT_ONCE = 1_000
const ENTRIES_AT_ONCE = 500
/** A request that a transcript tells of is complete after so long, ms. */
const SETTLED_MS = 60_000
/** A tool call whose result is not there after so long has none, ms. */
const LONGEST_CALL_MS = 3_600_000
/** Time between two notes of what was sent, ms. */
const SAVE_EVERY_MS = 2_000
/** Characters of a text that is told. */
const LONGEST_TEXT = 32_768

/** A report of nothing sent. */
const newReport = (): ExportReport => ({
  sessions: 0,
  requests: [],
  spans: 0,
  waiting: 0,
  waitingSessions: new Set(),
  withoutTime: 0,
  rejectedSpans: 0,
  rejectedPoints: 0,
  why: new Set(),
})

/** The spans that {@link exportTelemetry} would send, and what it would report; nothing is sent or noted. */
export const previewExport = async (
  deps: Pick<ExportDeps, 'source' | 'record' | 'now'>,
  query: ExportQuery,
): Promise<{ readonly report: ExportReport; readonly spans: readonly Span[] }> => {
  const report = newReport()
  const spans: Span[] = []
  for await (const unit of unitsOf(deps, query, report)) {
    spans.push(...unit.spans)
    addTo(report, unit)
  }
  return { report, spans }
}

/**
 * Sends what is new, in batches, then the metrics, and notes in the record what was taken. Requests that may still
 * change are only counted (`waiting`), those without a time too. Rejects with a CairnError, what was taken by then
 * being noted, where the collector can't be reached or takes no more.
 */
export const exportTelemetry = async (deps: ExportDeps, query: ExportQuery): Promise<ExportReport> => {
  const report = newReport()
  const exporting = new Exporting(deps, report)
  try {
    let batch: Unit[] = []
    let size = { spans: 0, characters: 0 }
    for await (const unit of unitsOf(deps, query, report)) {
      batch.push(unit)
      size = { spans: size.spans + unit.spans.length, characters: size.characters + charactersOf(unit) }
      if (size.spans < SPANS_PER_BATCH && size.characters < CHARACTERS_PER_BATCH) continue
      await exporting.send(batch)
      batch = []
      size = { spans: 0, characters: 0 }
    }
    if (batch.length > 0) await exporting.send(batch)
    await exporting.sendMetrics()
  } catch (error) {
    if (!CairnError.is(error) || report.requests.length === 0) throw error
    const kept = `${report.requests.length} requests were sent before; the next export sends the rest.`
    throw new CairnError(error.code, `${error.message} ${kept}`, { cause: error })
  } finally {
    await exporting.close()
  }
  return report
}

const charactersOf = ({ spans }: Unit): number =>
  spans.reduce((sum, { attributes }) => sum + JSON.stringify(attributes).length, 0)

/** Adds a unit's requests and spans to the report. */
const addTo = (report: ExportReport, { requests, spans }: Unit): void => {
  report.requests.push(...requests.map(({ fact }) => fact))
  report.spans += spans.length
}

/** An export under way. */
class Exporting {
  readonly #deps: ExportDeps
  readonly #report: ExportReport
  #sender: OtlpSender | undefined
  #savedAt: number | undefined

  constructor(deps: ExportDeps, report: ExportReport) {
    this.#deps = deps
    this.#report = report
  }

  /**
   * Sends the spans of some requests, then notes the requests as sent and counts each once for the metrics. The record
   * is saved at most every `SAVE_EVERY_MS`.
   */
  async send(units: readonly Unit[]): Promise<void> {
    const { record, now } = this.#deps
    const sender = await this.#open()
    this.#reject('rejectedSpans', await sender.sendSpans(units.flatMap(({ spans }) => spans)))
    for (const unit of units) {
      const { session, rows, requests } = unit
      const fresh = requests.filter(({ row }) => !record.isSent(session, row))
      record.count(histogramsOf(fresh.map(({ fact }) => fact)))
      record.addSent(session, rows, new Set(requests.map(({ row }) => row)))
      addTo(this.#report, unit)
    }
    if (now() - (this.#savedAt ?? Number.NEGATIVE_INFINITY) < SAVE_EVERY_MS) return
    await record.save()
    this.#savedAt = now()
  }

  /** Sends the metrics, if they hold what no export has sent: only that with `isDelta`, else all sums. */
  async sendMetrics(): Promise<void> {
    const { record, destination, now } = this.#deps
    if (Object.keys(record.untold).length === 0) return
    const sender = await this.#open()
    const at = now()
    const [sums, from] = destination.isDelta ? [record.untold, record.metricsMs] : [record.totals, record.startMs]
    this.#reject('rejectedPoints', await sender.sendHistograms(sums, from, at))
    record.setTold(at)
  }

  /** Closes the sender and saves the record; nothing where none was opened. */
  async close(): Promise<void> {
    if (this.#sender === undefined) return
    await this.#sender.close()
    await this.#deps.record.save()
  }

  /** The sender, opened at the first call. */
  async #open(): Promise<OtlpSender> {
    this.#sender ??= await this.#deps.sender()
    return this.#sender
  }

  /** Counts what the collector rejected, and why; an empty reason is not noted. */
  #reject(what: 'rejectedSpans' | 'rejectedPoints', { items, why }: Rejected): void {
    this.#report[what] += items
    if (why !== '') this.#report.why.add(why)
  }
}

type Reading = Pick<ExportDeps, 'source' | 'record' | 'now' | 'onProgress'>

/**
 * What is to be sent, a session after the other, each request by itself. Counts the sessions in the report, and tells
 * `onProgress`.
 */
async function* unitsOf(deps: Reading, query: ExportQuery, report: ExportReport): AsyncGenerator<Unit> {
  const { source, onProgress } = deps
  const rows = await source.allSessions()
  for (let start = 0; start < rows.length; start += SESSIONS_AT_ONCE) {
    for (const changed of await source.sessions(rows.slice(start, start + SESSIONS_AT_ONCE))) {
      if (query.sessionId !== undefined && changed.session.id !== query.sessionId) continue
      let isAny = false
      for await (const unit of sessionUnits(changed, deps, query, report)) {
        isAny = true
        yield unit
      }
      if (isAny) report.sessions += 1
    }
    onProgress?.({ done: Math.min(start + SESSIONS_AT_ONCE, rows.length), total: rows.length })
  }
}

/**
 * The requests of a session that are due, in order of time, each as a unit with its spans; the root of a turn goes with
 * the turn's first. Those whose spans may still change are only counted in the report as waiting, those without a time
 * as that. None if no request is wanted.
 */
async function* sessionUnits(
  changed: ChangedSession,
  { source, record, now }: Reading,
  query: ExportQuery,
  report: ExportReport,
): AsyncGenerator<Unit> {
  const { row: session, session: facts } = changed
  const isWanted = wanted(changed, record, query)
  const from = query.isAll ? 0 : record.firstUnsent(session)
  const newest = await requestsFrom(source, session, from)
  if (!newest.some(isWanted)) return
  const all = from === 0 ? newest : await requestsFrom(source, session, 0)
  const rows = all.map(({ row }) => row)
  const timed = all
    .flatMap((request) => (request.fact.at === null ? [] : [{ request, at: request.fact.at }]))
    .sort((left, right) => left.at - right.at || left.request.row - right.request.row)
  const activity = await activityOf(source, changed, query.hasTexts ? shownText : undefined)
  const spans = sessionSpans({ session: facts, requests: timed, activity, hasNames: query.hasNames })
  report.withoutTime += all.filter((request) => request.fact.at === null && isWanted(request)).length
  const turns = new Set<number>()
  for (const { request, at } of timed.filter((one) => isWanted(one.request))) {
    const found = spans.byRow.get(request.row)
    if (found === undefined) continue
    if (mayChange(found, at, now())) {
      report.waiting += 1
      report.waitingSessions.add(session)
      continue
    }
    const root = turns.has(found.turn) ? [] : [spans.rootOf(found.turn)]
    turns.add(found.turn)
    yield { session, rows, requests: [request], spans: [...root, ...found.spans] }
  }
}

/** Whether a request is asked for, and was not sent (with `isAll`, also if it was). */
const wanted =
  ({ row: session, session: { workspace } }: ChangedSession, record: SentRecord, query: ExportQuery) =>
  ({ row, fact }: ChangedRequest): boolean => {
    const { since, workspaces, isAll } = query
    if (!isAll && record.isSent(session, row)) return false
    if (since !== undefined && (fact.at === null || fact.at < since)) return false
    return workspaces === undefined || workspaces.has(fact.workspace ?? workspace ?? 'unknown')
  }

/**
 * Whether more of a request may come: a transcript's is told in several lines, and a tool may be at work. A request
 * with a measured latency went through Cairn, and is complete.
 */
const mayChange = ({ fact, isOpen }: { fact: RequestFact; isOpen: boolean }, at: number, now: number): boolean =>
  (fact.latency === undefined && now - at < SETTLED_MS) || (isOpen && now - at < LONGEST_CALL_MS)

/** All requests of a session from this row on (included), in order of rows, read in pages. */
const requestsFrom = async (source: ExportSource, session: number, from: number): Promise<ChangedRequest[]> => {
  const all: ChangedRequest[] = []
  let next = from
  for (;;) {
    const page = await source.requests(session, next, REQUESTS_AT_ONCE)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < REQUESTS_AT_ONCE) return all
    next = last.row + 1
  }
}

/**
 * What the session's log tells of turns, replies and calls, read in parts.
 * @param shown what makes a text fit to be sent; undefined for none
 */
const activityOf = async (
  source: ExportSource,
  { session, entries: length }: ChangedSession,
  shown: ShownText,
): Promise<SessionActivity> => {
  const reader = new ActivityReader(session.agent, shown)
  for (let from = 0; from < length; from += ENTRIES_AT_ONCE)
    for (const entry of await source.entries(session.id, from, ENTRIES_AT_ONCE)) reader.take(entry)
  return reader.activity()
}

/** A text as it leaves: without known kinds of secrets, by today's rules, and cut. */
const shownText = (text: string): string => {
  const { text: clean } = redact(text)
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT).toWellFormed()}…` : clean
}
