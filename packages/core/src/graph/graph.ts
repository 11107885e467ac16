/** What is connected with what: sessions, messages, files, symbols, memory entries, commits. Answers are made from the log, the index and the memory. */

export type GraphNodeKind = 'file' | 'symbol' | 'session' | 'message' | 'entry' | 'commit'

export interface GraphNode {
  readonly kind: GraphNodeKind
  /** A path, a symbol, a session's or entry's id, `sessionId#seq`, a commit's hash. */
  readonly id: string
  readonly label: string
  readonly at: number | null
}

export type GraphRelation = 'read' | 'edited' | 'mentions' | 'names' | 'cites' | 'learnt-in' | 'committed' | 'forked-from' | 'edited-with' | 'superseded-by'

export interface GraphLink {
  readonly relation: GraphRelation
  readonly node: GraphNode
  /** How many messages say so. */
  readonly count: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

export interface GraphAnswer {
  readonly node: GraphNode
  /** The newest, and within them the most frequent, first. */
  readonly links: readonly GraphLink[]
  /** Links that were left out by the limit. */
  readonly left: number
}

export interface GraphQuery {
  readonly workspace?: string
  readonly since?: number
  readonly until?: number
  /** Only such neighbours. */
  readonly kinds?: readonly GraphNodeKind[]
  /** Default 20. */
  readonly limit?: number
}

export interface Graph {
  /** Finds out what the text is (`file:`, `symbol:`, `session:`, `entry:`, `commit:` say it) and what it is linked with. Rejects with `not-found`. */
  about(what: string, query?: GraphQuery): Promise<GraphAnswer>
}
