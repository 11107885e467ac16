// A process that measures the import graph and the project map of the sources at hand, and prints CPU times as JSON. Runs on
// the sources, so that no build can be stale.
//   <rounds>
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { ROOT, folderTree, gitTree, graphOf } from '../checks/imports/trees.mjs'
import { connectedComponents, allNeighbours } from '../../packages/core/src/sources/imports/import-cycles.ts'
import { findImports } from '../../packages/core/src/sources/imports/source-language.ts'
import { projectMap } from '../../packages/core/src/sources/map/project-map.ts'

const PACKAGES = ['openai/src', '@anthropic-ai/sdk/src', 'zod/src', 'effect/src', '@azure/msal-browser/src']
const rounds = Number(process.argv[2])
const trees = [
  gitTree(ROOT),
  ...PACKAGES.map((name) => join(ROOT, 'node_modules', name))
    .filter((folder) => existsSync(folder))
    .map((folder) => folderTree(realpathSync(folder))),
]
const sources = trees.flatMap((tree) =>
  tree.paths.filter((path) => /\.[cm]?[jt]sx?$/.test(path)).map((path) => ({ path, text: tree.text(path) })),
)
/** CPU ms of a function. */
const cpuOf = async (work) => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const rows = { search: [], parser: [], graph: [], cycles: [], map: [] }
for (let round = 0; round < rounds; round += 1) {
  rows.search.push(await cpuOf(() => sources.forEach(({ path, text }) => findImports(path, text))))
  // What the parser knows of imports is made only when it is asked for.
  rows.parser.push(
    await cpuOf(() => sources.forEach(({ path, text }) => parseSync(path, text).module.staticImports.length)),
  )
  const searched = new Map(trees.map((tree) => [tree, new Map()]))
  for (const tree of trees)
    await graphOf(tree, (path, text) => remember(searched.get(tree), path, findImports(path, text)))
  const graphs = []
  rows.graph.push(
    await cpuOf(async () => {
      for (const tree of trees) graphs.push((await graphOf(tree, (path) => searched.get(tree).get(path))).graph)
    }),
  )
  rows.cycles.push(
    await cpuOf(() => graphs.forEach((graph) => connectedComponents(graph.sources, allNeighbours(graph)))),
  )
  rows.map.push(await cpuOf(() => projectMap({ paths: trees[0].paths })))
}
console.log(
  JSON.stringify({
    files: sources.length,
    bytes: sources.reduce((sum, { text }) => sum + text.length, 0),
    mapFiles: trees[0].paths.length,
    ...rows,
  }),
)

function remember(map, path, found) {
  map.set(path, found)
  return found
}
