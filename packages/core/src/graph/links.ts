/** Collects the links of one answer; a link that is found again is counted, not repeated. */
import { GRAPH_LIMITS } from './limits.ts'
import {
  GRAPH_NODE_KINDS,
  GRAPH_RELATIONS,
  type GraphLink,
  type GraphNode,
  type GraphQuery,
  type GraphRelation,
} from './graph.ts'

/** Collects the links of one answer. */
export interface Links {
  /**
   * Counts a link to a node, unless {@link wants} says that its kind is not asked for; the same relation to the same
   * node is added up. `at`: time of the message, ms; `count`: how many messages have it, 1 unless given.
   */
  add(relation: GraphRelation, node: GraphNode, at: number | null, count?: number): void
  /** Whether such a neighbour is asked for at all. */
  wants(kind: GraphNode['kind']): boolean
  /** The newest first, of equal ones the most frequent, then in a fixed order; and how many the limit left out. */
  result(): { readonly links: readonly GraphLink[]; readonly left: number }
}

/**
 * An empty collection that keeps what the query's kinds and limit allow; the same link again counts up. `result` gives
 * the newest, and how many are left out.
 */
export const createLinks = ({ kinds, limit = GRAPH_LIMITS.links }: GraphQuery): Links => {
  const links = new Map<string, GraphLink>()
  const wants = (kind: GraphNode['kind']): boolean => kinds === undefined || kinds.includes(kind)
  return {
    wants,
    add: (relation, node, at, count = 1) => {
      if (!wants(node.kind)) return
      const key = `${relation} ${node.kind} ${node.id}`
      const known = links.get(key)
      links.set(
        key,
        known === undefined
          ? { relation, node, count, firstAt: at, lastAt: at }
          : {
              relation,
              node: newerOf(known.node, node),
              count: known.count + count,
              firstAt: earliest(known.firstAt, at),
              lastAt: latest(known.lastAt, at),
            },
      )
    },
    result: () => {
      const sorted = [...links.values()].sort(byTime)
      const shown = sorted.slice(0, limit)
      return { links: shown, left: sorted.length - shown.length }
    },
  }
}

const earliest = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.min(left, right)
/** The later of two times (ms); null only when both are unknown. */
export const latest = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.max(left, right)

/** Sort order: newest first, then by session and position; messages without a time last. */
export const newestFirst = (left: MessagePosition, right: MessagePosition): number =>
  compare(right.at ?? -Infinity, left.at ?? -Infinity) ||
  compare(left.sessionId, right.sessionId) ||
  right.seq - left.seq

interface MessagePosition {
  readonly sessionId: string
  readonly seq: number
  readonly at: number | null
}

const newerOf = (left: GraphNode, right: GraphNode): GraphNode =>
  (right.at ?? -Infinity) > (left.at ?? -Infinity) ? right : left

const byTime = (left: GraphLink, right: GraphLink): number =>
  compare(right.lastAt ?? -Infinity, left.lastAt ?? -Infinity) ||
  right.count - left.count ||
  GRAPH_RELATIONS.indexOf(left.relation) - GRAPH_RELATIONS.indexOf(right.relation) ||
  GRAPH_NODE_KINDS.indexOf(left.node.kind) - GRAPH_NODE_KINDS.indexOf(right.node.kind) ||
  compare(left.node.id, right.node.id)

const compare = <T extends number | string>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0)
