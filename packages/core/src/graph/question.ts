/** One question to the graph while it is answered: where to look, what was found, and what the parts have in common. */
import { CairnError } from '../errors.ts'
import type { MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import type { SearchIndex } from '../ports/search-index.ts'
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

/** The parts of a store that the graph is made of. */
export interface GraphSources {
  readonly sessions: Pick<SessionStorage, 'get' | 'read' | 'resolve'>
  readonly search: Pick<SearchIndex, 'search' | 'touches'>
  readonly memory: Pick<MemoryStorage, 'get' | 'list' | 'history' | 'resolve' | 'workspaces'>
}

export interface Question extends GraphSources {
  readonly query: GraphQuery
  readonly links: Links
  /** Each is read once. */
  readonly session: (id: string) => Promise<SessionSummary | undefined>
  /** Current entries of the workspaces that are asked about, or that the given sessions are of; of all when neither says. */
  entriesOf(sessions: readonly SessionSummary[]): Promise<readonly MemoryEntry[]>
  /** Current entries of all workspaces, or of the one that is asked about. */
  entriesOfAll(): Promise<readonly MemoryEntry[]>
  /** Conditions of the question as the index takes them. */
  readonly period: { readonly workspace?: string; readonly since?: number; readonly until?: number }
  readonly isInPeriod: (at: number | null) => boolean
}

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
        workspace === undefined ? own.size === 0 || own.has(each) : isNamed(each, workspace),
      )
      return listed(wanted.slice(0, GRAPH_LIMITS.workspaces))
    },
    entriesOfAll: async () =>
      listed(
        (await memory.workspaces())
          .flatMap((each) => (workspace === undefined || isNamed(each.workspace, workspace) ? [each.workspace] : []))
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

const isNamed = (workspace: string, wanted: string): boolean =>
  workspace === wanted || workspace.split(/[\\/]/).filter(Boolean).at(-1) === wanted

/** The answer, with the names of the sessions in it: only those that are shown are asked for. */
export const answerOf = async (question: Question, node: GraphNode): Promise<GraphAnswer> => {
  const { links, left } = question.links.result()
  const named = await Promise.all(
    links.map(async (link) => {
      const session = link.node.kind === 'session' ? await question.session(link.node.id) : undefined
      return session === undefined ? link : { ...link, node: sessionNode(session) }
    }),
  )
  return { node, links: named, left }
}

export const fileNode = (path: string, at: number | null): GraphNode => ({
  kind: 'file',
  id: path,
  label: labelOf(path),
  at,
})
export const symbolNode = (name: string, at: number | null): GraphNode => ({
  kind: 'symbol',
  id: name,
  label: labelOf(name),
  at,
})
/** A session that is only known by its id; {@link answerOf} names it. */
export const sessionNamed = (id: string, at: number | null): GraphNode => ({
  kind: 'session',
  id,
  label: labelOf(id),
  at,
})
export const sessionNode = ({ id, title, updatedAt }: SessionSummary): GraphNode => ({
  kind: 'session',
  id,
  label: labelOf(title ?? id),
  at: updatedAt,
})
export const entryNode = ({ id, kind, text, lastConfirmedAt }: MemoryEntry): GraphNode => ({
  kind: 'entry',
  id,
  label: labelOf(`${kind}: ${text}`),
  at: lastConfirmedAt,
})
export const messageNode = (sessionId: string, seq: number, text: string, at: number | null): GraphNode => ({
  kind: 'message',
  id: `${sessionId}#${seq}`,
  label: labelOf(text),
  at,
})

export const textOfMessage = ({ content }: Pick<MessageEntry, 'content'>): string =>
  content
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join('\n')

const labelOf = (text: string): string => cutText(oneLine(cleanText(text)), GRAPH_LIMITS.labelCharacters)

/** The different ids, in their order. */
export const firstOf = <T>(items: Iterable<T>, limit: number): readonly T[] => [...new Set(items)].slice(0, limit)

/** What a message's calls put into files: into the one asked about, or into any. */
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
        : textOfMessage({ content: entry.content.filter((other) => other !== block) })
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

export interface Edit {
  readonly text: string
  readonly at: number | null
}

/** Links the symbols that edits name: those that most edits name, and of equal ones the newest. */
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

/** @throws CairnError `ambiguous`, naming candidates. */
export const ambiguous = (text: string, what: string, ids: readonly string[]): CairnError =>
  new CairnError(
    'ambiguous',
    `"${text}" could be several ${what}; give more of the id: ${ids.slice(0, GRAPH_LIMITS.named).join(', ')}${ids.length > GRAPH_LIMITS.named ? ', …' : ''}.`,
  )
