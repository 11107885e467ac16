/** Search over a store's index: which messages, sessions and files a question is about, ranked. */
import { CairnError, StorageError } from '../errors.ts'
import { assertBound, assertLimit, assertObject, assertText, assertTextOrAbsent } from '../input.ts'
import { authorHash } from '../text-analysis/author.ts'
import type { SearchIndex, SearchQuery, SessionSearchQuery } from '../ports/search-index.ts'
import { baselineMessages, baselineSessions } from './baseline-search.ts'
import { fileTouches } from './file-touches.ts'
import { Scratch } from './index/scratch.ts'
import { SegmentGone } from './index/term-matches.ts'
import { searchMessages } from './message-search.ts'
import type { RecallSource } from './recall-source.ts'
import { searchSessions } from './session-search.ts'

/** Messages that are ranked exactly. */
const CANDIDATES = 1_000
/** Times that a changing index is looked at again. */
const ATTEMPTS = 5

export interface SearchOptions {
  /** For measurements: how many messages the second stage sees. */
  readonly candidates?: number
}

export const createSearch = (source: RecallSource, { candidates = CANDIDATES }: SearchOptions = {}): SearchIndex => {
  const scratch = new Scratch()
  let turn: Promise<unknown> = Promise.resolve()
  /** One after the other: they share the scratch. A question that met a changing index is asked again. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof SegmentGone)) throw error
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
    touches: (query) => inTurn(() => fileTouches(source, query)),
  }
}

/** @throws CairnError `invalid-input` */
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
