/** Collects the links of one answer; a repeated link is counted, not duplicated. */
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
   * Adds a link to a node, unless {@link wants} excludes its kind; the same relation to the same node is counted. `at`
   * is the time of the message, ms; `count` the number of messages that show it, default 1.
   */
  add(relation: GraphRelation, node: GraphNode, at: number | null, count?: number): void
  /** Whether neighbours of this kind are requested. */
  wants(kind: GraphNode['kind']): boolean
  /** Newest first, then most frequent, then in a fixed order; with the number dropped by the limit. */
  result(): { readonly links: readonly GraphLink[]; readonly left: number }
}

/**
 * Creates an empty collection limited to the query's kinds and limit; a repeated link is counted. `result` returns the
 * newest links, and the number of dropped ones. `add` has no effect for kinds that are not wanted; a link keeps its
 * first and last time, and the newer node.
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
/** The later of two times (ms); null only if both are unknown. */
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

/** Orders links: the newest first, those without a time last; then by count, relation, kind and id. */
const byTime = (left: GraphLink, right: GraphLink): number =>
  compare(right.lastAt ?? -Infinity, left.lastAt ?? -Infinity) ||
  right.count - left.count ||
  GRAPH_RELATIONS.indexOf(left.relation) - GRAPH_RELATIONS.indexOf(right.relation) ||
  GRAPH_NODE_KINDS.indexOf(left.node.kind) - GRAPH_NODE_KINDS.indexOf(right.node.kind) ||
  compare(left.node.id, right.node.id)

const compare = <T extends number | string>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0)
