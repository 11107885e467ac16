/** Answers the page of one session, and tells it when the session has changed. It does not use the editor, so that it can be tested without one. */
import { messageOf } from '@cairn/core'
import type { Engine, SearchIndex, SessionStorage, SessionSummary } from '@cairn/core'
import { readEntryViews, readImageUrl, readWholeEntry } from '@cairn/core/conversation'
import type { BlockView } from '@cairn/core/conversation'
import { sessionTitle } from '../../sessions/session-label.ts'
import { neutraliseLine } from '../../text/neutralise.ts'
import { fingerprintOf, sessionFacts } from '../../session-text/session-reading.ts'
import { ENTRY_PAGE, imageKey } from '../entry-names.ts'
import type { HostMessage, PageMessage } from '../messages.ts'
import { outlineView } from '../outline-rows.ts'

/** What of the engine is read. */
export interface SessionSource {
  readonly insights: Pick<Engine['insights'], 'outline'>
  readonly store: {
    readonly sessions: Pick<SessionStorage, 'get' | 'read'>
    readonly search: Pick<SearchIndex, 'search'>
    readonly usage: Pick<Engine['store']['usage'], 'report'>
  }
}

/** What the page of a session needs. */
export interface SessionPanelDeps {
  readonly sessionId: string
  /** Undefined while there is no store. Rejects where it can't be opened. */
  readonly source: () => Promise<SessionSource | undefined>
  readonly post: (message: HostMessage) => void
  readonly foldsTools: () => boolean
}

/** Messages that are answered from the store. */
export type SessionQuestion = Extract<
  PageMessage,
  { type: 'ready' | 'entries' | 'outline' | 'text' | 'image' | 'find' }
>

/** Answers the page of one session. */
export interface SessionPanel {
  /** Never rejects: what fails is told to the page. */
  answer(question: SessionQuestion): Promise<void>
  /** Tells the page what has changed, where it is there. Never rejects. */
  follow(): Promise<void>
  /** Has the page go to an entry: now, or once it is there. */
  show(seq: number): void
  /** The page is gone; another one will say that it is ready. */
  pageGone(): void
}

/** More than these nobody goes through one by one. */
const MOST_FOUND = 500
/** Characters of a text that was asked for as a whole. A page with more in one text no longer scrolls. */
const LONGEST_WHOLE = 1_000_000

/** Returns a block's text, cut only if it is longer than {@link LONGEST_WHOLE}; undefined for a block without text. */
const wholeText = (block: BlockView | undefined): Extract<HostMessage, { type: 'text' }>['text'] | undefined => {
  if (block === undefined || !('text' in block)) return undefined
  if (block.text.length > LONGEST_WHOLE)
    return { text: block.text.slice(0, LONGEST_WHOLE).toWellFormed(), length: block.length }
  return 'parts' in block ? { text: block.text, length: block.length, parts: block.parts } : block
}

/** Returns the sentence for a session that is not in the store. */
const goneSentence = (sessionId: string): string =>
  `This session is not in the store (any more): ${neutraliseLine(sessionId)}`

/**
 * Returns the answer to a question of the page; undefined if there is none. Rejects as the store does. Entries that
 * were found are in the log's order, each once.
 */
const answerTo = async (
  question: Exclude<SessionQuestion, { type: 'ready' }>,
  sessionId: string,
  { insights, store: { sessions, search } }: SessionSource,
): Promise<HostMessage | undefined> => {
  switch (question.type) {
    case 'entries': {
      const { page } = question
      return {
        type: 'entries',
        page,
        entries: await readEntryViews(sessions, sessionId, page * ENTRY_PAGE, ENTRY_PAGE, { showsEdits: true }),
      }
    }
    case 'outline':
      return { type: 'outline', outline: outlineView(await insights.outline(sessionId)) }
    case 'text': {
      const { seq, block } = question
      const entry = await readWholeEntry(sessions, sessionId, seq)
      const text = entry?.kind === 'message' ? wholeText(entry.blocks[block]) : undefined
      return text === undefined ? undefined : { type: 'text', seq, block, text }
    }
    case 'image': {
      const { seq, position } = question
      const url = await readImageUrl(sessions, sessionId, seq, position)
      return { type: 'image', key: imageKey(seq, position), url: url ?? null }
    }
    case 'find': {
      const { text } = question
      const hits = text.trim() === '' ? [] : await search.search({ text, sessionId, limit: MOST_FOUND })
      return {
        type: 'found',
        text,
        entries: [...new Set(hits.map(({ seq }) => seq))].sort((left, right) => left - right),
      }
    }
  }
}

/** Returns what stands above the conversation. Rejects as the store does. `isFolding`: tool calls are folded. */
const headOf = async (session: SessionSummary, { usage }: SessionSource['store'], isFolding: boolean) => ({
  ...(await sessionFacts(session, { usage })),
  title: sessionTitle(session),
  entries: session.entries,
  foldsTools: isFolding,
})

/**
 * Returns what answers the page of one session. Nothing is read before the page asks. `show` before the page is ready
 * waits for it; `follow` tells the session if it has changed. Nothing rejects: what fails is told to the page.
 */
export const createSessionPanel = ({ sessionId, source, post, foldsTools }: SessionPanelDeps): SessionPanel => {
  let isThere = false
  let wanted: number | undefined
  let fingerprint: string | undefined

  const tellSession = async (opened: SessionSource, session: SessionSummary): Promise<void> => {
    fingerprint = fingerprintOf(session)
    post({ type: 'session', head: await headOf(session, opened.store, foldsTools()) })
    if (wanted !== undefined) post({ type: 'show', seq: wanted })
    wanted = undefined
  }
  const tellProblem = (sentence: string): void => {
    fingerprint = undefined
    post({ type: 'problem', sentence })
  }
  /** Whatever fails is told to the page. */
  const withSource = async (use: (opened: SessionSource) => Promise<void>): Promise<void> => {
    try {
      const opened = await source()
      if (opened === undefined) tellProblem('The store is gone; the session shows again when the store is back.')
      else await use(opened)
    } catch (error) {
      tellProblem(`The session can't be shown: ${messageOf(error)}`)
    }
  }
  const tellIfChanged = (): Promise<void> =>
    withSource(async (opened) => {
      const session = await opened.store.sessions.get(sessionId)
      if (session === undefined) tellProblem(goneSentence(sessionId))
      else if (fingerprintOf(session) !== fingerprint) await tellSession(opened, session)
    })

  /** One after another: each tells what is newer than the one before. */
  let turn: Promise<void> = Promise.resolve()
  const tellInTurn = (): Promise<void> => {
    turn = turn.then(tellIfChanged)
    return turn
  }

  return {
    answer: (question) => {
      if (question.type !== 'ready')
        return withSource(async (opened) => {
          const told = await answerTo(question, sessionId, opened)
          if (told !== undefined) post(told)
        })
      isThere = true
      // A new page knows nothing.
      fingerprint = undefined
      return tellInTurn()
    },
    follow: async () => {
      if (isThere) await tellInTurn()
    },
    show: (seq) => {
      if (isThere && fingerprint !== undefined) post({ type: 'show', seq })
      else wanted = seq
    },
    pageGone: () => {
      isThere = false
      fingerprint = undefined
    },
  }
}
