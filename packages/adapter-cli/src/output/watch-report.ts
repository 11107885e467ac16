/** The output of `cairn watch`: a line for each import and the totals; with --json, one document per line. */
import { formatUsd, messageOf, usdFromNano } from '@cairn/core'
import type { WatchEvent, WatchedImport } from '@cairn/core/node/watching'
import type { Context } from '../command.ts'
import { sentenceOf } from '../runtime/failure.ts'
import { counted, formatClock, formatDuration } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { skipText } from './skip-text.ts'
import { storeName } from './store-name.ts'

/** Prints what a watch does. */
export interface WatchReport {
  /**
   * Prints an event of the watch: a line for people, or an object of JSON Lines. Something left out that was told
   * before prints nothing.
   */
  tell(event: Exclude<WatchEvent, { type: 'busy' | 'transcripts' }>): void
  /** Prints the totals. */
  end(): void
}

interface ReportOptions {
  readonly isJson: boolean
  readonly store: string
}

/**
 * Creates a report that prints each event as text (most on one line), or with `isJson` as a document. Something left
 * out is printed once, but again where its line, reason or count is another. `end` always prints the totals since
 * creation; their cost is that of `import` events alone. `store`: the store's address, which is named when the watch
 * begins.
 */
export const createWatchReport = (context: Context, { isJson, store }: ReportOptions): WatchReport => {
  const { terminal, now } = context
  const startedAt = now()
  const totals: Totals = { imports: 0, sessions: 0, messages: 0, requests: 0, costNano: 0n }
  const toldSkips = new Set<string>()
  const print = ({ document, text }: Line): void =>
    void (isJson ? context.json({ ...document, at: now() }) : terminal.line(text))
  return {
    /** Adds what was imported to the totals and prints the event; a skip that was printed before does nothing. */
    tell: (event) => {
      count(event, totals)
      // A file that grows is read again and again.
      if (event.type === 'skip' && toldSkips.has(skipText(event.skip))) return
      if (event.type === 'skip') toldSkips.add(skipText(event.skip))
      print(lineOf(event, store, formatClock(now())))
    },
    end: () => print(lastLine(totals, now() - startedAt)),
  }
}

/** An event that is printed. */
type Told = Parameters<WatchReport['tell']>[0]

/** What was imported so far. */
interface Totals {
  imports: number
  sessions: number
  messages: number
  requests: number
  costNano: bigint
}

/** One event as JSON and as text. */
interface Line {
  readonly document: Readonly<Record<string, unknown>>
  readonly text: string
}

/**
 * Adds an event to `totals`, which it changes. An import counts as one, with its new sessions, messages and requests,
 * and its cost. What was taken in at the beginning (`following`) adds its sessions, messages and requests only: no
 * import and no cost. Other events change nothing.
 */
const count = (event: Told, totals: Totals): void => {
  if (event.type === 'import') {
    const { newSessions, newMessages, newRequests, costNano } = event.import
    totals.imports += 1
    totals.sessions += newSessions
    totals.messages += newMessages
    totals.requests += newRequests
    totals.costNano += costNano
  } else if (event.type === 'following') {
    totals.sessions += event.report.sessions
    totals.messages += event.report.messages
    totals.requests += event.report.requests
  }
}

/** Returns an event as JSON and as text: one line that begins with `time`, or sentences without it for a beginning. */
const lineOf = (event: Told, store: string, time: string): Line => {
  switch (event.type) {
    case 'import':
      return { document: importDocument(event.import), text: `${time} ${importText(event.import)}` }
    case 'following': {
      const { sessions, messages } = event.report
      return {
        document: { event: 'following', ...event.report, roots: event.roots },
        text: `Store: ${storeName(store)}\nTaken in so far: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}. Following ${counted(event.roots.length, 'folder')}; Ctrl-C ends it.`,
      }
    }
    case 'standby': {
      const pid = event.owner?.pid ?? null
      const program = neutraliseLine(event.owner?.program ?? 'Another program')
      return {
        document: { event: 'standby', pid, program: event.owner?.program ?? null },
        text: `${program}${pid === null ? '' : ` (process ${pid})`} takes in the same already. This one waits, and takes over when that one ends; Ctrl-C ends it.`,
      }
    }
    case 'skip':
      return { document: { event: 'skip', ...event.skip }, text: `${time} left out: ${skipText(event.skip)}` }
    case 'trouble':
      return {
        document: { event: 'trouble', message: messageOf(event.error) },
        text: `${time} ${sentenceOf(event.error)} It is tried again.`,
      }
    case 'recovered':
      return { document: { event: 'recovered' }, text: `${time} It works again.` }
    case 'unwatched':
      return {
        document: { event: 'unwatched' },
        text: `${time} The system grants no more notices of changes (on Linux fs.inotify.max_user_watches limits them); folders without them are looked at every few seconds.`,
      }
  }
}

/** Returns an import for `--json`, its cost in USD. */
const importDocument = (given: WatchedImport): Line['document'] => {
  const { costNano, newMessages, newRequests, ...rest } = given
  return { event: 'import', ...rest, messages: newMessages, requests: newRequests, costUsd: usdFromNano(costNano) }
}

/** Returns the totals as a line of text and as JSON. */
const lastLine = ({ imports, sessions, messages, requests, costNano }: Totals, ms: number): Line => ({
  document: { event: 'ended', imports, sessions, messages, requests, costUsd: usdFromNano(costNano), ms },
  text: `Watched for ${formatDuration(ms)}: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}, ${counted(requests, 'new request')}; ${formatUsd(costNano)} while it watched.`,
})

/**
 * Returns an import in one safe line: agent, the project's last part (else a session's id), how many messages are new
 * (requests, if no message is), cost.
 */
const importText = ({ agent, workspace, newMessages, newRequests, costNano, sessions }: WatchedImport): string => {
  const project = workspace?.split(/[/\\]/).at(-1) ?? sessions.at(-1) ?? ''
  const what = newMessages > 0 || newRequests === 0 ? counted(newMessages, 'message') : counted(newRequests, 'request')
  return neutraliseLine(`${agent} ${project} +${what} ${formatUsd(costNano)}`)
}
