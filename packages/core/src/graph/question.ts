/** The state of one graph query: where to look, what was found, and helpers shared by the parts. */
import { CairnError } from '../errors.ts'
import type { MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import type { FileTouch, SearchIndex } from '../ports/search-index.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { textOfBlock, textOfJson } from '../messages.ts'
import { cleanText, cutText, oneLine } from '../summary/bounded-text.ts'
import { fileOperationsOf, toolCallIn } from '../file-activity/file-tools.ts'
import type { GraphAnswer, GraphNode, GraphQuery } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { createLinks, type Links } from './links.ts'
import { endsWithPath, plainPath } from './paths.ts'
import { symbolsIn } from './symbols.ts'

/** The parts of a store that the graph reads. */
export interface GraphSources {
  readonly sessions: Pick<SessionStorage, 'get' | 'read' | 'resolve'>
  readonly search: Pick<SearchIndex, 'search' | 'touches'>
  readonly memory: Pick<MemoryStorage, 'get' | 'list' | 'history' | 'resolve' | 'workspaces'>
}

/** The state of one question: its sources, its conditions, and the links found so far. */
export interface Question extends GraphSources {
  readonly query: GraphQuery
  readonly links: Links
  /** A session by its id; undefined if the store does not have it. Each is read once. */
  readonly session: (id: string) => Promise<SessionSummary | undefined>
  /**
   * Current entries of the workspace in question, or of the given sessions' workspaces; of all workspaces if neither is
   * given.
   */
  entriesOf(sessions: readonly SessionSummary[]): Promise<readonly MemoryEntry[]>
  /** Current entries of all workspaces, or of the one in question. */
  entriesOfAll(): Promise<readonly MemoryEntry[]>
  /** The query's conditions in the form that the index takes. */
  readonly period: { readonly workspace?: string; readonly since?: number; readonly until?: number }
  readonly isInPeriod: (at: number | null) => boolean
}

/**
 * Starts a query without links; each session is read once. `entriesOf` lists those of the sessions' workspaces, of all
 * of them if the sessions have none; with a workspace in the query, only of that one. `isInPeriod`: `since` included,
 * `until` not; what has no time is in it only if neither is set.
 */
export const createQuestion = (sources: GraphSources, query: GraphQuery): Question => {
  const { workspace, since, until } = query
  const sessions = new Map<string, Promise<SessionSummary | undefined>>()
  const { memory } = sources
  const listed = async (wanted: readonly string[]): Promise<readonly MemoryEntry[]> =>
    (await Promise.all(wanted.map((each) => memory.list(each)))).flat()
  return {
    ...sources,
    query,
    links: createLinks(query),
    session: async (id) => {
      const known = sessions.get(id) ?? sources.sessions.get(id)
      sessions.set(id, known)
      return known
    },
    entriesOf: async (itsSessions) => {
      const all = (await memory.workspaces()).map((each) => each.workspace)
      const own = new Set(itsSessions.flatMap((session) => session.workspace ?? []))
      const wanted = all.filter((each) =>
        workspace === undefined ? own.size === 0 || own.has(each) : isWorkspaceNamed(each, workspace),
      )
      return listed(wanted.slice(0, GRAPH_LIMITS.workspaces))
    },
    entriesOfAll: async () =>
      listed(
        (await memory.workspaces())
          .flatMap((each) =>
            workspace === undefined || isWorkspaceNamed(each.workspace, workspace) ? [each.workspace] : [],
          )
          .slice(0, GRAPH_LIMITS.allWorkspaces),
      ),
    period: {
      ...(workspace === undefined ? {} : { workspace }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    },
    isInPeriod: (at) =>
      (since === undefined || (at !== null && at >= since)) && (until === undefined || (at !== null && at < until)),
  }
}

const isWorkspaceNamed = (workspace: string, wanted: string): boolean =>
  workspace === wanted || workspace.split(/[\\/]/).filter(Boolean).at(-1) === wanted

/**
 * Builds the answer: the newest links within the limit, and the number of dropped ones. Linked sessions are looked up
 * and get their title and time of last change; one that is not in the store stays as it is. Rejects if the store can't
 * be read.
 */
export const buildAnswer = async (question: Question, node: GraphNode): Promise<GraphAnswer> => {
  const { links, left } = question.links.result()
  const named = await Promise.all(
    links.map(async (link) => {
      const session = link.node.kind === 'session' ? await question.session(link.node.id) : undefined
      return session === undefined ? link : { ...link, node: sessionNode(session) }
    }),
  )
  return { node, links: named, left }
}

/** The graph node of a file, whose id is its path. `at` is in ms, or null if unknown. */
export const fileNode = (path: string, at: number | null): GraphNode => ({
  kind: 'file',
  id: path,
  label: nodeLabel(path),
  at,
})
/** The graph node of a symbol, whose id is its name. `at` is in ms, or null if unknown. */
export const symbolNode = (name: string, at: number | null): GraphNode => ({
  kind: 'symbol',
  id: name,
  label: nodeLabel(name),
  at,
})
/** The graph node of a session of which only the id is known; {@link buildAnswer} adds its title. */
export const sessionNodeById = (id: string, at: number | null): GraphNode => ({
  kind: 'session',
  id,
  label: nodeLabel(id),
  at,
})
/** The graph node of a session, labelled with its title, or with its id if it has none. */
export const sessionNode = ({ id, title, updatedAt }: SessionSummary): GraphNode => ({
  kind: 'session',
  id,
  label: nodeLabel(title ?? id),
  at: updatedAt,
})
/** The graph node of a memory entry, labelled with its kind and text, at the time of its last confirmation. */
export const entryNode = ({ id, kind, text, lastConfirmedAt }: MemoryEntry): GraphNode => ({
  kind: 'entry',
  id,
  label: nodeLabel(`${kind}: ${text}`),
  at: lastConfirmedAt,
})
/**
 * The graph node of a message; its id is `session#seq`, its label the beginning of the text. Its time may not be known.
 */
export const messageNode = (sessionId: string, seq: number, text: string, at: number | null): GraphNode => ({
  kind: 'message',
  id: `${sessionId}#${seq}`,
  label: nodeLabel(text),
  at,
})

/** The texts of a message's blocks, one per line, without empty ones. */
export const messageText = ({ content }: Pick<MessageEntry, 'content'>): string =>
  content
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join('\n')

const nodeLabel = (text: string): string => cutText(oneLine(cleanText(text)), GRAPH_LIMITS.labelCharacters)

/**
 * What tools did to files in these sessions, by session in the given order, newest first within each; at most
 * `GRAPH_LIMITS.touches` per session on average.
 */
export const touchesIn = async (
  sessionIds: readonly string[],
  { search, period }: Pick<Question, 'search' | 'period'>,
): Promise<ReadonlyMap<string, readonly FileTouch[]>> => {
  if (sessionIds.length === 0) return new Map()
  const limit = GRAPH_LIMITS.touches * sessionIds.length
  const bySession = Map.groupBy(await search.touches({ ...period, sessionIds, limit }), ({ sessionId }) => sessionId)
  return new Map(sessionIds.map((id) => [id, bySession.get(id) ?? []]))
}

/** The first `limit` distinct items, in order. */
export const firstDistinct = <T>(items: Iterable<T>, limit: number): readonly T[] => [...new Set(items)].slice(0, limit)

/**
 * For each call of a message that edits files (or one whose path is, or ends with, `path`), one text: all texts of its
 * input but for lines that are its paths. Empty for any other entry. Of a call in the generic format the message's
 * other text counts.
 */
export const editsIn = (entry: LogEntry | undefined, path?: string): readonly Edit[] => {
  if (entry?.kind !== 'message' || entry.role === 'tool') return []
  return entry.content.flatMap((block): readonly Edit[] => {
    const call = toolCallIn(block)
    const paths =
      call === undefined ? [] : fileOperationsOf(call).flatMap((file) => (file.operation === 'edit' ? [file.path] : []))
    if (call === undefined || !paths.some((each) => path === undefined || endsWithPath(plainPath(each), path)))
      return []
    // The generic format has what a tool was given as the message's text.
    const text =
      call === block
        ? textOfJson(call.input)
        : messageText({ content: entry.content.filter((other) => other !== block) })
    // A path's own words are no symbols.
    return [
      {
        text: text
          .split('\n')
          .filter((line) => !paths.includes(line))
          .join('\n'),
        at: entry.at,
      },
    ]
  })
}

/** Text that a call wrote into files. */
export interface Edit {
  readonly text: string
  readonly at: number | null
}

/**
 * Links the symbols that occur in most edits, at most `GRAPH_LIMITS.symbols`; ties in order of first occurrence. Does
 * nothing if the query does not want symbols.
 */
export const addSymbols = ({ links }: Pick<Question, 'links'>, edits: readonly Edit[]): void => {
  if (!links.wants('symbol')) return
  const named = new Map<string, (number | null)[]>()
  for (const { text, at } of edits) {
    for (const symbol of symbolsIn(text)) {
      const times = named.get(symbol)
      if (times === undefined) named.set(symbol, [at])
      else times.push(at)
    }
  }
  const most = [...named].sort(([, left], [, right]) => right.length - left.length).slice(0, GRAPH_LIMITS.symbols)
  for (const [symbol, times] of most) for (const at of times) links.add('names', symbolNode(symbol, at), at)
}

/**
 * Creates (does not throw) the `ambiguous` error for an id prefix shared by several candidates; it lists some of them.
 */
export const ambiguousError = (text: string, what: string, ids: readonly string[]): CairnError =>
  new CairnError(
    'ambiguous',
    `"${text}" could be several ${what}; give more of the id: ${ids.slice(0, GRAPH_LIMITS.named).join(', ')}${ids.length > GRAPH_LIMITS.named ? ', …' : ''}.`,
  )
