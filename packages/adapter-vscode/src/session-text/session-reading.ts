/**
 * A session's text for the editor: its facts, then its log. When the session grows, only what is new is read.
 */
import { allInputTokens } from '@cairn/core'
import type { SessionSummary, Store, UsageStorage } from '@cairn/core'
import { counted, timeText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { sessionTitle } from '../sessions/session-label.ts'
import { cacheHitText, costText, countText, stateNotes } from '../usage/figures.ts'
import { createLogText } from './log-text.ts'
import type { EntryLines, Fold, Landmark, LogText } from './log-text.ts'

/** A session as a text, with what can be folded and jumped to. */
export interface SessionText {
  /** The facts, each line with its end. They change with each request, while the body only grows. */
  readonly header: string
  readonly body: string
  /** Lines count header and body together, in landmarks as well. */
  readonly folds: readonly Fold[]
  readonly landmarks: readonly Landmark[]
  readonly entries: readonly EntryLines[]
  /** False: only its beginning was read. */
  readonly isWhole: boolean
}

/** Reads one session, and follows it as it grows. */
export interface SessionReading {
  /** The beginning of a session, which is read fast; all of a short one. */
  begin(store: Pick<Store, 'sessions' | 'usage'>): Promise<SessionText>
  /** The session as it is now. */
  read(store: Pick<Store, 'sessions' | 'usage'>): Promise<SessionText>
  /** Whether the session has changed since it was read last; true before that. */
  isOutdated(store: Pick<Store, 'sessions'>): Promise<boolean>
}

/** Entries a page: between pages the editor's other extensions, which share the thread, have their turn. */
const PAGE = 1_000
/** Entries of the beginning: more than fills any screen. */
const BEGINNING = 200

/** What is said of a session above its conversation. */
export interface SessionFacts {
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** What its sums leave out. */
  readonly notes: readonly string[]
}

/**
 * Returns the facts of a session, safe to show. Rejects as the store does. Each as a name and a text; redactions only
 * if there are any.
 */
export const sessionFacts = async (
  session: SessionSummary,
  { usage }: { readonly usage: Pick<UsageStorage, 'report'> },
): Promise<SessionFacts> => {
  const { rows, total } = await usage.report({ by: 'model', filter: { session: session.id } })
  const facts: readonly (readonly [string, string])[] = [
    ['session', session.id],
    ['agent', session.agent],
    ['project', `${session.workspace ?? 'none'}${session.branch === null ? '' : ` (${session.branch})`}`],
    ['time', `${timeText(session.startedAt)} to ${timeText(session.updatedAt)}`],
    ['models', rows.map(({ key }) => key).join(', ') || 'none'],
    ['length', `${counted(session.messages, 'message')}, ${counted(session.requests, 'request')}`],
    [
      'tokens',
      `${countText(allInputTokens(total))} in (${cacheHitText(total)} from the cache), ${countText(total.outputTokens)} out`,
    ],
    ['cost', costText(total)],
    ...(session.redactions > 0 ? [['secrets', `${session.redactions} replaced before they were stored`] as const] : []),
  ]
  return { facts: facts.map(([name, text]) => [name, neutraliseLine(text)]), notes: stateNotes(total) }
}

/** Returns the title and the facts, one per line. Rejects as the store does. */
const headerLines = async (session: SessionSummary, store: Pick<Store, 'usage'>): Promise<readonly string[]> => {
  const { facts, notes } = await sessionFacts(session, store)
  return [
    `# ${sessionTitle(session)}`,
    '',
    ...facts.map(([name, text]) => `${name.padEnd(9)}${text}`),
    ...notes.map((note) => `${' '.repeat(9)}${note}`),
  ]
}

/**
 * Returns a text that changes whenever the session does, also if no entry is added, such as when a cost becomes known;
 * `none` without a session.
 */
export const fingerprintOf = (session: SessionSummary | undefined): string =>
  session === undefined
    ? 'none'
    : [session.entries, session.requests, session.costNano, session.updatedAt, session.title].join(' ')

/** Returns the text for a session that is not in the store. */
const notFoundText = (sessionId: string): SessionText => ({
  header: '',
  body: `# Cairn\n\nThis session is not in the store (any more): ${neutraliseLine(sessionId)}\n`,
  folds: [],
  landmarks: [],
  entries: [],
  isWhole: true,
})

/**
 * Returns header and log as one text; the ranges of the log are moved down by the header's lines. Lines count from 0.
 */
const textWith = (header: readonly string[], logText: LogText, isWhole: boolean): SessionText => {
  const moved = <T extends { readonly from: number; readonly to: number }>(range: T): T => ({
    ...range,
    from: range.from + header.length,
    to: range.to + header.length,
  })
  return {
    header: `${header.join('\n')}\n`,
    body: logText.parts.join(''),
    folds: logText.folds().map(moved),
    landmarks: logText.landmarks().map(moved),
    entries: logText.entries.map(moved),
    isWhole,
  }
}

/**
 * Returns the reading of one session. Calls at the same time run one after the other. A session that is gone yields a
 * text that says so; a call rejects as the store does, without affecting the next. `begin` gives the beginning alone,
 * `read` all that there is.
 */
export const createSessionReading = (sessionId: string): SessionReading => {
  let logText: LogText = createLogText()
  let nextSeq = 0
  let lastFingerprint = ''

  const readOn = async ({ sessions }: Pick<Store, 'sessions'>, entries: number, atMost: number): Promise<void> => {
    // It was deleted and imported again: reading starts again.
    if (entries < nextSeq) {
      logText = createLogText()
      nextSeq = 0
    }
    for (let left = atMost; left > 0;) {
      const limit = Math.min(PAGE, left)
      const page = await sessions.read(sessionId, { fromSeq: nextSeq, limit })
      for (const entry of page) {
        logText.step(entry)
        nextSeq = entry.seq + 1
      }
      if (page.length < limit) return
      left -= page.length
    }
  }

  const read = async (store: Pick<Store, 'sessions' | 'usage'>, atMost: number): Promise<SessionText> => {
    const session = await store.sessions.get(sessionId)
    lastFingerprint = fingerprintOf(session)
    if (session === undefined) return notFoundText(sessionId)
    await readOn(store, session.entries, atMost)
    return textWith(await headerLines(session, store), logText, nextSeq >= session.entries)
  }

  let last: Promise<unknown> = Promise.resolve()
  /** Reads when the reading before has ended, however that went. */
  const readInTurn = (store: Pick<Store, 'sessions' | 'usage'>, atMost: number): Promise<SessionText> => {
    const next = last.then(
      () => read(store, atMost),
      () => read(store, atMost),
    )
    last = next
    return next
  }

  return {
    begin: (store) => readInTurn(store, BEGINNING),
    read: (store) => readInTurn(store, Number.POSITIVE_INFINITY),
    isOutdated: async ({ sessions }) => fingerprintOf(await sessions.get(sessionId)) !== lastFingerprint,
  }
}
