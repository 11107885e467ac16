import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { allNeighbours, connectedComponents, cyclesThrough, runtimeNeighbours } from './import-cycles.ts'
import { createImportGraph, type ImportGraph } from './import-graph.ts'

/** `from to` with `:type` or `:dynamic` behind it, in the order of the lines. */
const graphOf = (edges: readonly string[]): ImportGraph => {
  const found = new Map<string, { specifier: string; kind: 'static' | 'type' | 'dynamic'; line: number }[]>()
  edges.forEach((edge, index) => {
    const [, from = '', to = '', kind = 'static'] = /^(\S+) (\S+?)(?::(\w+))?$/.exec(edge) ?? []
    const imports = found.get(from) ?? []
    imports.push({ specifier: to, kind: kind as 'static', line: index + 1 })
    found.set(from, imports)
  })
  return createImportGraph(found, (_, { specifier }) => (specifier === 'outside' ? [] : [specifier]))
}

describe('the graph', () => {
  it('has each edge once, with its first line and its strongest kind, from both ends', () => {
    const graph = graphOf(['b a:type', 'a outside', 'b c:dynamic', 'b a', 'a a', 'b c:type', 'd a:type'])
    const shown = (edges: ReturnType<ImportGraph['importsOf']>) =>
      edges.map(({ from, to, kind, line }) => `${from} ${to} ${kind} ${line}`)
    expect(graph.sources).toEqual(['a', 'b', 'd'])
    expect(shown(graph.importsOf('b'))).toEqual(['b a static 1', 'b c dynamic 3'])
    expect(shown(graph.importsOf('a'))).toEqual([])
    expect(shown(graph.importersOf('a'))).toEqual(['b a static 1', 'd a type 7'])
    expect(shown(graph.importersOf('nothing'))).toEqual([])
  })
})

describe('cycles', () => {
  it('are the shortest ones through each import of a file, types apart', () => {
    const graph = graphOf([
      'a b',
      'b c',
      'c d',
      'd a',
      'c a',
      'a e:type',
      'e a',
      'a f',
      'x a',
      'a g',
      'g h:type',
      'h a',
    ])
    expect(cyclesThrough(graph, 'a')).toEqual([
      { files: ['a', 'b', 'c'], isTypeOnly: false },
      { files: ['a', 'e'], isTypeOnly: true },
      { files: ['a', 'g', 'h'], isTypeOnly: true },
    ])
    expect(cyclesThrough(graph, 'f')).toEqual([])
    expect(cyclesThrough(graph, 'x')).toEqual([])
    expect(connectedComponents(graph.sources, runtimeNeighbours(graph))).toEqual([['a', 'b', 'c', 'd']])
    expect(connectedComponents(graph.sources, allNeighbours(graph))).toEqual([['a', 'b', 'c', 'd', 'e', 'g', 'h']])
  })

  it('are found in a chain of 200,000 files', () => {
    const next = (node: string): readonly string[] => [String((Number(node) + 1) % 200_000)]
    expect(connectedComponents(['0'], next)[0]).toHaveLength(200_000)
  })

  it('hold the files that reach each other, and only those', () => {
    const edge = fc.tuple(fc.nat(11), fc.nat(11))
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 30 }), (edges) => {
        const nodes = Array.from({ length: 12 }, (_, index) => `n${index}`)
        const next = (node: string) => edges.flatMap(([from, to]) => (`n${from}` === node ? [`n${to}`] : []))
        const reached = (from: string): ReadonlySet<string> => {
          const seen = new Set(next(from))
          for (const node of seen) for (const each of next(node)) seen.add(each)
          return seen
        }
        const together = (left: string, right: string) => reached(left).has(right) && reached(right).has(left)
        const expected = new Set(
          nodes.flatMap((node) => {
            const others = nodes.filter((each) => each !== node && together(node, each))
            return others.length === 0 ? [] : [[node, ...others].sort().join()]
          }),
        )
        expect(new Set(connectedComponents(nodes, next).map((each) => each.join()))).toEqual(expected)
      }),
    )
  })
})
