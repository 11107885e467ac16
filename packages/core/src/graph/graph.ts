/**
 * The graph of sessions, messages, files, symbols, memory entries and commits. Answers are computed from the log, the
 * index and the memory.
 */

/** The kinds of things that can be queried and linked. */
export const GRAPH_NODE_KINDS = ['file', 'symbol', 'session', 'message', 'entry', 'commit'] as const
/** One of {@link GRAPH_NODE_KINDS}. */
export type GraphNodeKind = (typeof GRAPH_NODE_KINDS)[number]

/** A thing in the graph. */
export interface GraphNode {
  readonly kind: GraphNodeKind
  /** A path, a symbol, a session's or entry's id, `sessionId#seq`, a commit's hash. */
  readonly id: string
  /** On one line. Untrusted text of users and tools: escape it for display. */
  readonly label: string
  /** Time of the last mention, touch or confirmation, ms. */
  readonly at: number | null
}

/**
 * `part-of`: a message of its session. `edited-with`: files of the same sessions. `names`: symbols in what was edited
 * or learned.
 */
export const GRAPH_RELATIONS = [
  'edited',
  'committed',
  'read',
  'cites',
  'learnt-in',
  'superseded-by',
  'forked-from',
  'part-of',
  'edited-with',
  'names',
  'mentions',
] as const
/** One of {@link GRAPH_RELATIONS}. */
export type GraphRelation = (typeof GRAPH_RELATIONS)[number]

/** A neighbour and how it is linked; times in ms. */
export interface GraphLink {
  readonly relation: GraphRelation
  readonly node: GraphNode
  /** Number of messages that show it; for `edited-with` and for what is learned, number of sessions or entries. */
  readonly count: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** A node with its links. */
export interface GraphAnswer {
  readonly node: GraphNode
  /** Newest first, then most frequent. */
  readonly links: readonly GraphLink[]
  /** Number of links dropped by the limit. */
  readonly left: number
}

/** Restricts an answer to a workspace, a time, kinds of neighbours or a number of links. */
export interface GraphQuery {
  /** A path, or a project's name. */
  readonly workspace?: string
  /** Time range, ms: at or after `since`, and before `until`. */
  readonly since?: number
  readonly until?: number
  /** Only neighbours of these kinds. */
  readonly kinds?: readonly GraphNodeKind[]
  /** Default 20. */
  readonly limit?: number
}

/** Answers what a thing is linked to. */
export interface Graph {
  /**
   * Detects what the text is (or takes it from the prefix `file:`, `symbol:`, `session:`, `message:`, `entry:` or
   * `commit:`) and returns its links. Only the newest sessions and messages are read, so the cost does not grow with
   * the store. Rejects with `not-found`, `ambiguous` (several sessions or entries start with the text), or
   * `invalid-input` for an empty text or an invalid limit.
   */
  about(what: string, query?: GraphQuery): Promise<GraphAnswer>
}
