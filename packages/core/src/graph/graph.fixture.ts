/** Sessions to ask the graph about, in the in-memory store; counts what is read. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { JsonValue } from '../json.ts'
import type { NewLogEntry } from '../session-log.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { createGraph } from './create-graph.ts'
import type { Graph, GraphAnswer, GraphLink } from './graph.ts'

const WORKSPACE = '/work/app'
/** Monday, 5 January 2026, nine o'clock; `at(60)` is an hour later. */
export const at = (minutes: number): number => Date.UTC(2026, 0, 5, 9) + minutes * 60_000

export const messageEntry = (text: string, minutes: number, id = `m${minutes}`): NewLogEntry => ({
  kind: 'message',
  at: at(minutes),
  id,
  role: 'user',
  content: [{ type: 'text', text }],
})

let calls = 0

/** A call and its result. */
export const ran = (name: string, input: JsonValue, output: string, minutes: number): readonly NewLogEntry[] => {
  const id = `call-${(calls += 1)}`
  return [
    {
      kind: 'message',
      at: at(minutes),
      id: `a-${id}`,
      role: 'assistant',
      content: [{ type: 'tool_call', id, name, input }],
    },
    {
      kind: 'message',
      at: at(minutes),
      id: `r-${id}`,
      role: 'tool',
      content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: output }] }],
    },
  ]
}
export const edited = (path: string, minutes: number, text = 'x'): readonly NewLogEntry[] =>
  ran('Edit', { file_path: path, old_string: '', new_string: text }, 'ok', minutes)
export const read = (path: string, minutes: number, output = 'content'): readonly NewLogEntry[] =>
  ran('Read', { file_path: path }, output, minutes)
export const committed = (hash: string, subject: string, minutes: number): readonly NewLogEntry[] =>
  ran('Bash', { command: 'git commit -am x' }, `[main ${hash}] ${subject}`, minutes)

export const learnt = (id: string, text: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id,
  workspace: WORKSPACE,
  kind: 'discovery',
  text,
  confidence: 0.8,
  examples: [],
  sessionId: null,
  messageId: null,
  commit: null,
  source: 'agent',
  firstSeenAt: at(0),
  lastConfirmedAt: at(0),
  applications: 0,
  confirmations: 0,
  contradictions: 0,
  ...more,
})

export interface Workbench {
  readonly store: Store
  readonly graph: Graph
  readonly reads: { sessions: number; entries: number; logs: number; searches: number }
  session(externalId: string, entries: readonly NewLogEntry[], facts?: Partial<SessionFacts>): Promise<void>
  learn(...entries: readonly MemoryEntry[]): Promise<void>
}

export const createWorkbench = (): Workbench => {
  const store = createInMemoryStore()
  const reads = { sessions: 0, entries: 0, logs: 0, searches: 0 }
  const { sessions, search } = store
  const graph = createGraph({
    sessions: {
      get: async (id) => {
        reads.sessions += 1
        return sessions.get(id)
      },
      read: async (id, range) => {
        const entries = await sessions.read(id, range)
        reads.logs += 1
        reads.entries += entries.length
        return entries
      },
      resolve: (id, limit) => sessions.resolve(id, limit),
    },
    search: {
      search: async (query) => {
        reads.searches += 1
        return search.search(query)
      },
      touches: async (query) => {
        reads.searches += 1
        return search.touches(query)
      },
    },
    memory: store.memory,
  })
  return {
    store,
    graph,
    reads,
    session: async (externalId, entries, facts = {}) => {
      const appended = await sessions.append(
        {
          id: `cairn:${externalId}`,
          agent: 'cairn',
          externalId,
          workspace: WORKSPACE,
          title: `The session ${externalId}`,
          ...facts,
        },
        0,
        entries.map((entry) => ({ entry })),
      )
      if (!appended.ok) throw new Error('The session is there already.')
    },
    learn: async (...entries) => {
      for (const entry of entries)
        await store.memory.change(entry.workspace, entry.lastConfirmedAt, () => ({
          writes: [{ op: 'put', entry }],
          result: undefined,
        }))
    },
  }
}

/** `relation kind id ×count`, in the answer's order. */
export const told = ({ links }: GraphAnswer): readonly string[] => links.map(findLink)
const findLink = ({ relation, node, count }: GraphLink): string =>
  `${relation} ${node.kind} ${node.id}${count === 1 ? '' : ` ×${count}`}`
