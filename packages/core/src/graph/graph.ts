/** What is connected with what: sessions, messages, files, symbols, memory entries, commits. Answers are made from the log, the index and the memory. */

/** What can be asked about, and linked to. */
export const GRAPH_NODE_KINDS = ['file', 'symbol', 'session', 'message', 'entry', 'commit'] as const
/** One of {@link GRAPH_NODE_KINDS}. */
export type GraphNodeKind = (typeof GRAPH_NODE_KINDS)[number]

/** A thing in the graph. */
export interface GraphNode {
  readonly kind: GraphNodeKind
  /** A path, a symbol, a session's or entry's id, `sessionId#seq`, a commit's hash. */
  readonly id: string
  /** On one line. Text of users and tools: data, to be escaped where it is shown. */
  readonly label: string
  /** When it was last mentioned, touched or confirmed, ms. */
  readonly at: number | null
}

/** `part-of`: a message of its session. `edited-with`: files of the same sessions. `names`: symbols in what was edited or learnt. */
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
  /** How many messages say so; for `edited-with` and for what is learnt, how many sessions or entries. */
  readonly count: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** A node with its links. */
export interface GraphAnswer {
  readonly node: GraphNode
  /** The newest, and within them the most frequent, first. */
  readonly links: readonly GraphLink[]
  /** Links that were left out by the limit. */
  readonly left: number
}

/** Restricts an answer to a workspace, a time, kinds of neighbours or a number of links. */
export interface GraphQuery {
  /** A path, or a project's name. */
  readonly workspace?: string
  /** Only what was said at or after, and before, ms. */
  readonly since?: number
  readonly until?: number
  /** Only such neighbours. */
  readonly kinds?: readonly GraphNodeKind[]
  /** Default 20. */
  readonly limit?: number
}

/** Answers what a thing is linked with. */
export interface Graph {
  /**
   * Finds out what the text is (`file:`, `symbol:`, `session:`, `message:`, `entry:`, `commit:` say it) and what it is
   * linked with. Looks at the newest sessions and messages, so that the cost does not grow with the store. Rejects with
   * `not-found`, `ambiguous` (several sessions or entries begin so), `invalid-input` for an empty text or a bad limit.
   */
  about(what: string, query?: GraphQuery): Promise<GraphAnswer>
}
