/** Which file of a workspace imports which: the edges, from both ends. */
import type { FoundImport, ImportKind } from './found-import.ts'
import type { ResolveImport } from './resolve-javascript.ts'

/**
 * One file imports another. Several imports of the same file become one edge with the first one's line and specifier
 * and the strongest kind (static, dynamic, type).
 */
export interface ImportEdge extends FoundImport {
  readonly from: string
  readonly to: string
}

/** Which files of a workspace import which. */
export interface ImportGraph {
  /** The files that were read for imports, sorted. */
  readonly sources: readonly string[]
  /** What a file imports, in the order of its text; empty for a file that is not known. */
  readonly importsOf: (path: string) => readonly ImportEdge[]
  /** What imports a file, sorted by path. */
  readonly importersOf: (path: string) => readonly ImportEdge[]
}

const STRENGTH: Readonly<Record<ImportKind, number>> = { type: 0, dynamic: 1, static: 2 }

/**
 * Returns the graph of the imports found in each file. Imports that `resolve` gives no file of the workspace for are
 * left out, and so is a file's import of itself. Two files have one edge, with the stronger of their kinds; unknown
 * paths have none. Files are sorted by path.
 */
export const createImportGraph = (
  found: ReadonlyMap<string, readonly FoundImport[]>,
  resolve: ResolveImport,
): ImportGraph => {
  const sources = [...found.keys()].sort()
  const imports = new Map<string, readonly ImportEdge[]>()
  const importers = new Map<string, ImportEdge[]>()
  for (const from of sources) {
    const edges = new Map<string, ImportEdge>()
    for (const each of found.get(from) ?? [])
      for (const to of resolve(from, each)) {
        if (to === from) continue
        const known = edges.get(to)
        if (known === undefined) edges.set(to, { ...each, from, to })
        else if (STRENGTH[each.kind] > STRENGTH[known.kind]) edges.set(to, { ...known, kind: each.kind })
      }
    if (edges.size === 0) continue
    imports.set(from, [...edges.values()])
    for (const edge of edges.values()) {
      const known = importers.get(edge.to)
      if (known === undefined) importers.set(edge.to, [edge])
      else known.push(edge)
    }
  }
  return {
    sources,
    importsOf: (path) => imports.get(path) ?? [],
    importersOf: (path) => importers.get(path) ?? [],
  }
}

/**
 * Returns the files that a file imports, then those that import it, each once; empty for a file that is not in the
 * graph.
 */
export const importNeighbours = (graph: ImportGraph, path: string): readonly string[] => [
  ...new Set([...graph.importsOf(path).map(({ to }) => to), ...graph.importersOf(path).map(({ from }) => from)]),
]
