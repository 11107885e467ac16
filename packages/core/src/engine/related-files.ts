/**
 * The engine's part that finds related files: the ranking of `sources`, plus what recorded sessions did for similar
 * requests.
 */
import { focusOf } from '../context/workspace-focus.ts'
import { CairnError } from '../errors.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { assertLimit } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { FileTouch, SearchIndex } from '../ports/search-index.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { StateStorage } from '../ports/state-storage.ts'
import type { SourceAccess } from '../ports/source-access.ts'
import { createRelatedFiles } from '../sources/related/create-related.ts'
import type { IndexReport, RelatedAnswer, RelatedQuery, SessionSignals } from '../sources/related/related.ts'

export interface EngineRelatedQuery extends Omit<RelatedQuery, 'sessions'> {
  /**
   * The project whose sessions are searched for similar requests, and whose focus applies if none is given. Default:
   * none.
   */
  readonly workspace?: string
  /** Only what was recorded before this time, ms. */
  readonly until?: number
}

export interface EngineRelatedFiles {
  /**
   * The source files related to a text. Rejects with `invalid-input` for a text without words, and for a known file
   * that the workspace does not have.
   */
  find(query: EngineRelatedQuery, signal?: AbortSignal): Promise<RelatedAnswer>
  /** Updates and stores the index of a workspace for later queries. */
  index(roots: readonly string[], signal?: AbortSignal): Promise<IndexReport>
}

export interface RelatedFilesDeps {
  readonly access: SourceAccess
  readonly search: SearchIndex
  readonly sessions: SessionStorage
  readonly state: Pick<StateStorage, 'get'>
  readonly hasher: Hasher
  readonly clock: Clock
}

const MOST_MESSAGES = 40
const MOST_SESSIONS = 8
const MOST_TOUCHES = 1_000
/** How much an operation of a session says about its request. */
const OPERATION_WEIGHTS: Readonly<Record<FileTouch['operation'], number>> = { edit: 1, read: 0.3, mention: 0 }

/**
 * Creates the engine's part for related files, which combines the sources with what the store's sessions did with
 * files. See {@link EngineRelatedFiles}. `find` rejects with `invalid-input` for a wrong text or limit.
 */
export const createEngineRelatedFiles = (deps: RelatedFilesDeps): EngineRelatedFiles => {
  const related = createRelatedFiles(deps)
  return {
    find: async ({ workspace, until, ...query }, signal) => {
      if (typeof query.text !== 'string') throw new CairnError('invalid-input', 'What is to be done has to be a text.')
      assertLimit(query.limit, 'limit', 1)
      const sessions = workspace === undefined ? undefined : await sessionSignals(deps, query, workspace, until)
      const focus = query.focus ?? (await focusOf(deps.state, workspace))
      return related.find(
        { ...query, ...(sessions === undefined ? {} : { sessions }), ...(focus === undefined ? {} : { focus }) },
        signal,
      )
    },
    index: (roots, signal) => related.index(roots, signal),
  }
}

/**
 * How strongly sessions suggest each file, by path: sessions with messages like the text, and sessions that edited the
 * known file. Larger is stronger. A session weighs as its best message does against the best of all, one that edited
 * the known file 1, and spreads that over its files. Only the best messages and sessions count.
 */
const sessionSignals = async (
  deps: RelatedFilesDeps,
  { text, file }: Pick<RelatedQuery, 'text' | 'file'>,
  workspace: string,
  until: number | undefined,
): Promise<SessionSignals> => {
  const period = { workspace, ...(until === undefined ? {} : { until }) }
  const weights = new Map<string, number>()
  const hits = text.trim() === '' ? [] : await deps.search.search({ text, ...period, limit: MOST_MESSAGES })
  const best = hits[0]?.score ?? 0
  for (const { sessionId, score } of hits)
    if (best > 0) weights.set(sessionId, Math.max(weights.get(sessionId) ?? 0, score / best))
  const together = file === undefined ? [] : await deps.search.touches({ file, ...period, limit: MOST_TOUCHES })
  for (const { sessionId, operation } of together) if (operation === 'edit') weights.set(sessionId, 1)
  const sessions = [...weights].sort(([, left], [, right]) => right - left).slice(0, MOST_SESSIONS)
  const signals = new Map<string, number>()
  for (const [sessionId, weight] of sessions) {
    const files = await filesOf(deps, sessionId, until)
    const total = [...files.values()].reduce((sum, value) => sum + value, 0)
    for (const [path, value] of files)
      signals.set(path, (signals.get(path) ?? 0) + (weight * value) / Math.sqrt(Math.max(1, total)))
  }
  return signals
}

/**
 * What a session did with its files: by path the weight of the strongest operation on it (1 for an edit, 0.3 for a
 * read; files that were only mentioned are left out). A path below the session's workspace is relative to it.
 */
const filesOf = async (
  { search, sessions }: RelatedFilesDeps,
  sessionId: string,
  until: number | undefined,
): Promise<ReadonlyMap<string, number>> => {
  const [touches, session] = await Promise.all([
    search.touches({ sessionId, limit: MOST_TOUCHES, ...(until === undefined ? {} : { until }) }),
    sessions.get(sessionId),
  ])
  const files = new Map<string, number>()
  for (const { path, operation } of touches) {
    const weight = OPERATION_WEIGHTS[operation]
    const name = relativePath(path, session?.workspace ?? undefined)
    if (weight > (files.get(name) ?? 0)) files.set(name, weight)
  }
  return files
}
