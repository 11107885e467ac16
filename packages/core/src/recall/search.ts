/** The search of a store over its index: ranked messages and sessions, and touches of files. */
import { CairnError, StorageError } from '../errors.ts'
import { assertBound, assertLimit, assertObject, assertText, assertTextOrAbsent, isListOfTexts } from '../input.ts'
import { authorHash } from '../text-analysis/author.ts'
import type { SearchIndex, SearchQuery, SessionSearchQuery, TouchQuery } from '../ports/search-index.ts'
import { baselineMessages, baselineSessions } from './baseline-search.ts'
import { correctQuery } from './correct-query.ts'
import { assertFileListQuery, listFiles } from './file-list.ts'
import { fileTouches } from './file-touches.ts'
import { Scratch } from './index/scratch.ts'
import { SegmentRemovedError } from './index/term-matches.ts'
import { searchMessages } from './message-search.ts'
import type { RecallSource } from './recall-source.ts'
import { searchSessions } from './session-search.ts'

/** How many messages are ranked exactly. */
const CANDIDATES = 1_000
/** How often a search is tried while another process merges segments. */
const ATTEMPTS = 5

/** Options for tests and measurements. */
export interface SearchOptions {
  /** How many messages are ranked exactly; default 1,000. */
  readonly candidates?: number
}

/**
 * Creates the search of a store. Searches run one after the other, since they share buffers, and are tried again, up to
 * five times, where segments were merged meanwhile.
 * @throws (its methods, as rejections) CairnError `invalid-input`, StorageError `storage-corrupt` when parts of the index
 * are missing
 */
export const createSearch = (source: RecallSource, { candidates = CANDIDATES }: SearchOptions = {}): SearchIndex => {
  const scratch = new Scratch()
  let turn: Promise<unknown> = Promise.resolve()
  /** Runs a search after those before it; tries again when a segment was removed meanwhile. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof SegmentRemovedError)) throw error
          if (attempt === ATTEMPTS)
            throw new StorageError(
              'storage-corrupt',
              'The search index lacks parts of itself; what was said is safe. cairn doctor --rebuild rebuilds the index.',
              { cause: error },
            )
        } finally {
          scratch.shrink()
        }
      }
    })
    turn = result.catch(() => undefined)
    return result
  }
  const resources = { source, scratch, candidates }
  return {
    search: async (query) => {
      assertQuery(query)
      return inTurn(() =>
        query.ranker === undefined || query.ranker === 'cairn'
          ? searchMessages(resources, query)
          : baselineMessages(source, query, query.ranker),
      )
    },
    sessions: async (query) => {
      assertQuery(query)
      return inTurn(() =>
        query.ranker === undefined || query.ranker === 'cairn'
          ? searchSessions(resources, query)
          : baselineSessions(source, query, query.ranker),
      )
    },
    correct: async (query) => {
      assertQuery(query)
      return inTurn(() => correctQuery(resources, query))
    },
    touches: async (query) => {
      assertTouchQuery(query)
      return inTurn(() => fileTouches(source, query))
    },
    files: async (query = {}) => {
      assertFileListQuery(query)
      return inTurn(() => listFiles(source, query))
    },
  }
}

/**
 * Checks what is searched for; an empty text is right, an author without letters and digits is not. @throws CairnError
 * `invalid-input`
 */
const assertQuery = (query: SearchQuery | SessionSearchQuery): void => {
  assertObject(query, 'What is searched for')
  assertText(query.text, 'The text that is searched for')
  for (const name of ['workspace', 'agent', 'branch', 'file'] as const)
    assertTextOrAbsent(query[name], `The ${name} that is searched`)
  assertTextOrAbsent('onlyBranch' in query ? query.onlyBranch : undefined, 'The branch that is searched alone')
  const author = 'author' in query ? query.author : undefined
  assertTextOrAbsent(author, 'The author who is searched')
  if (author !== undefined && authorHash(author) === 0)
    throw new CairnError(
      'invalid-input',
      'The author who is searched has no name: it holds neither letters nor digits.',
    )
  assertBound(query.since, 'The time from which on is searched')
  assertBound(query.until, 'The time before which is searched')
  assertLimit(query.limit, 'The number of hits', 0)
}

/** Checks what is asked of touched files; every condition may be left out. @throws CairnError `invalid-input` */
const assertTouchQuery = (query: TouchQuery): void => {
  assertObject(query, 'What is asked of touched files')
  const { file, workspace, sessionId, sessionIds, since, until, limit } = query
  assertTextOrAbsent(file, 'The file whose messages are listed')
  assertTextOrAbsent(workspace, 'The workspace whose messages are listed')
  assertTextOrAbsent(sessionId, 'The session whose messages are listed')
  if (sessionIds !== undefined && !isListOfTexts(sessionIds))
    throw new CairnError('invalid-input', 'The sessions whose messages are listed must be a list of their ids.')
  assertBound(since, 'The time from which on messages are listed')
  assertBound(until, 'The time before which messages are listed')
  assertLimit(limit, 'The number of messages that touched a file', 0)
}
