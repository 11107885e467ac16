/** Files that import each other in a circle. No recursion, so that a long chain of imports costs no stack. */
import type { ImportEdge, ImportGraph } from './import-graph.ts'

/** Returns the nodes that a node leads to; empty for an unknown node. */
export type Neighbours = (node: string) => readonly string[]

/** Returns the files that a file imports at run time: all imports but those of types alone. */
export const runtimeNeighbours =
  (graph: ImportGraph): Neighbours =>
  (path) =>
    graph.importsOf(path).flatMap(({ kind, to }) => (kind === 'type' ? [] : [to]))

/** Returns all files that a file imports, including those imported for their types. */
export const allNeighbours =
  (graph: ImportGraph): Neighbours =>
  (path) =>
    graph.importsOf(path).map(({ to }) => to)

/**
 * Returns the strongly connected components with at least two nodes (Tarjan 1972): in each, every node can be reached
 * from every other. Searches from `nodes`; nodes reached from them are included. Each component is sorted, and they are
 * sorted by their first node. Empty if there is no cycle; a node that leads to itself is none.
 */
export const connectedComponents = (nodes: readonly string[], next: Neighbours): readonly (readonly string[])[] => {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const low = (node: string): number => lowest.get(node) ?? Infinity
  /**
   * Visits all nodes that can be reached from one, and adds each component of two or more to `found`, sorted. Without
   * recursion: a chain may be long.
   */
  const visit = (root: string): void => {
    const path: { readonly node: string; readonly neighbours: readonly string[]; position: number }[] = []
    /** Numbers a node in the order of the visits, and opens it. */
    const enter = (node: string): void => {
      order.set(node, order.size)
      lowest.set(node, order.size - 1)
      open.push(node)
      isOpen.add(node)
      path.push({ node, neighbours: next(node), position: 0 })
    }
    enter(root)
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const neighbour = frame.neighbours[frame.position++]
      if (neighbour !== undefined) {
        if (!order.has(neighbour)) enter(neighbour)
        else if (isOpen.has(neighbour))
          lowest.set(frame.node, Math.min(low(frame.node), order.get(neighbour) ?? Infinity))
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) lowest.set(parent.node, Math.min(low(parent.node), low(frame.node)))
      if (low(frame.node) === order.get(frame.node)) {
        const component = open.splice(open.lastIndexOf(frame.node))
        for (const node of component) isOpen.delete(node)
        if (component.length > 1) found.push(component.sort())
      }
    }
  }
  for (const node of nodes) if (!order.has(node)) visit(node)
  return found.sort(([left = ''], [right = '']) => (left < right ? -1 : 1))
}

/** An import cycle: each file imports the next one, and the last one imports the first. */
export interface ImportCycle {
  readonly files: readonly string[]
  /** True where it is one only as long as imports of types are counted. */
  readonly isTypeOnly: boolean
}

/**
 * Returns the shortest cycle through each import of the file that is part of one; empty if there is none. Cycles that
 * exist at run time come first, then those that need imports of types; otherwise in the order of the imports.
 */
export const cyclesThrough = (graph: ImportGraph, path: string): readonly ImportCycle[] => {
  const runtime = runtimeNeighbours(graph)
  const all = allNeighbours(graph)
  const cycle = ({ to, kind }: ImportEdge): ImportCycle | undefined => {
    const back = kind === 'type' ? undefined : shortestPath(to, path, runtime)
    if (back !== undefined) return { files: [path, ...back], isTypeOnly: false }
    const withTypes = shortestPath(to, path, all)
    return withTypes === undefined ? undefined : { files: [path, ...withTypes], isTypeOnly: true }
  }
  return graph
    .importsOf(path)
    .flatMap((edge) => cycle(edge) ?? [])
    .toSorted((left, right) => Number(left.isTypeOnly) - Number(right.isTypeOnly))
}

/**
 * Returns the nodes of a shortest path from `from` to the one before `to` (breadth first); undefined if `to` can't be
 * reached.
 */
const shortestPath = (from: string, to: string, next: Neighbours): readonly string[] | undefined => {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (const node of cameFrom.keys())
    for (const neighbour of next(node)) {
      if (neighbour === to) {
        const path: string[] = []
        for (let each: string | undefined = node; each !== undefined; each = cameFrom.get(each)) path.unshift(each)
        return path
      }
      if (!cameFrom.has(neighbour)) cameFrom.set(neighbour, node)
    }
  return undefined
}
