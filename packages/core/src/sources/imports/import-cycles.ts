/** Files that import each other in a circle. No recursion, so that a long chain of imports costs no stack. */
import type { ImportEdge, ImportGraph } from './import-graph.ts'

/** Gives the neighbours of a node. */
export type Neighbours = (node: string) => readonly string[]

/** Imports that remain when types are stripped. */
export const runtimeNeighbours =
  (graph: ImportGraph): Neighbours =>
  (path) =>
    graph.importsOf(path).flatMap(({ kind, to }) => (kind === 'type' ? [] : [to]))

/** All imports, those of types too. */
export const allNeighbours =
  (graph: ImportGraph): Neighbours =>
  (path) =>
    graph.importsOf(path).map(({ to }) => to)

/**
 * The strongly connected components with at least two nodes (Tarjan 1972): from each of their nodes every other one is
 * reached. Nodes are sorted in them, and they by their first node.
 */
export const connectedComponents = (nodes: readonly string[], next: Neighbours): readonly (readonly string[])[] => {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const low = (node: string): number => lowest.get(node) ?? Infinity
  const visit = (root: string): void => {
    const path: { readonly node: string; readonly neighbours: readonly string[]; position: number }[] = []
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

/** A circle of imports: each file imports the next one, and the last one the first. */
export interface ImportCycle {
  readonly files: readonly string[]
  /** True where it is one only as long as imports of types are counted. */
  readonly isTypeOnly: boolean
}

/**
 * For each import of the file that is part of a circle, the shortest circle through it; first those that are there when the
 * program runs.
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

/** The nodes from `from` to the one before `to`; undefined where `to` is not reached. */
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
