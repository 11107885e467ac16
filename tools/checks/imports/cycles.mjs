// Circles of imports against dependency-cruiser, which is installed from npm into a scratch folder for it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadImportParser } from '../../../packages/core/src/node/sources/parse-imports.ts'
import { allNeighbours, connectedComponents } from '../../../packages/core/src/sources/imports/import-cycles.ts'
import { npm } from '../../package/npm.mjs'
import { ROOT, folderTree, graphOf } from './trees.mjs'

const VERSIONS = ['dependency-cruiser@17.4.3', 'typescript@5.9.3']
/** Packages with sources that import each other in circles; the first one alone for a quick check. */
const PACKAGES = ['@azure/msal-browser', 'effect', 'openai']
const SETTINGS = `module.exports = {
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs'] },
  },
}
`

/** What was compared; undefined, with a line for the log, where dependency-cruiser can't be had. */
export async function checkCycles({ quick, scratch, log }) {
  const cruiser = installed(scratch, log)
  const parse = await loadImportParser()
  if (cruiser === undefined || parse === undefined) return undefined
  const figures = []
  for (const name of quick ? PACKAGES.slice(0, 1) : PACKAGES) {
    const folder = join(ROOT, 'node_modules', name)
    if (!existsSync(join(folder, 'src'))) continue
    const root = realpathSync(folder)
    const truth = circlesOf(cruiser, root)
    const whole = folderTree(root)
    const tree = { ...whole, paths: whole.paths.filter((path) => path.startsWith('src/') || path === 'package.json') }
    for (const [kind, find] of [
      ['by the search', undefined],
      ['by the parser', (path, text) => parse(path, text) ?? []],
    ])
      assertSame(`${name}, ${kind}`, edgesInCircles((await graphOf(tree, find)).graph), truth)
    log(
      `  ${name.padEnd(44)} the same ${truth.onCircles.size} imports on circles as in dependency-cruiser's graph, ${truth.marked.size} of which it marks itself`,
    )
    figures.push(truth.onCircles.size)
  }
  return `${figures.reduce((sum, each) => sum + each, 0)} imports on circles, the same as in dependency-cruiser's graph`
}

/** The imports that are part of a circle, as "from -> to". */
function edgesInCircles(graph) {
  const component = new Map()
  connectedComponents(graph.sources, allNeighbours(graph)).forEach((nodes, index) => {
    for (const node of nodes) component.set(node, index)
  })
  return new Set(
    graph.sources
      .flatMap((path) => graph.importsOf(path))
      .filter(({ from, to }) => component.has(from) && component.get(from) === component.get(to))
      .map(({ from, to }) => `${from} -> ${to}`),
  )
}

/** The program of dependency-cruiser; undefined where npm can't install it. */
function installed(scratch, log) {
  const folder = join(scratch, 'dependency-cruiser')
  const program = join(folder, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  writeFileSync(join(folder, 'settings.cjs'), SETTINGS)
  try {
    npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...VERSIONS], folder)
    return program
  } catch (error) {
    log(`  circles: skipped, as npm could not install dependency-cruiser: ${String(error.message).split('\n')[0]}`)
    return undefined
  }
}

/**
 * Without files that import themselves: the imports that dependency-cruiser marks as circular, and those from whose target their source is reached over the imports
 * that it finds: it leaves out a few of these.
 */
function circlesOf(program, root) {
  const settings = join(program, '..', '..', '..', '..', 'settings.cjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, '--config', settings, '--output-type', 'json', 'src'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (status !== 0) throw new Error(`dependency-cruiser failed on ${root}: ${stderr.slice(-1_000)}`)
  // Libraries that it followed are no files of ours.
  const modules = JSON.parse(stdout).modules.filter(({ source }) => source.startsWith('src/'))
  const targets = new Map(modules.map(({ source, dependencies }) => [source, dependencies]))
  const reached = new Map()
  const reachedFrom = (start) => {
    if (reached.has(start)) return reached.get(start)
    const seen = new Set([start])
    for (const node of seen) for (const { resolved } of targets.get(node) ?? []) seen.add(resolved)
    reached.set(start, seen)
    return seen
  }
  const edges = (isWanted) =>
    new Set(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.filter((each) => isWanted(source, each)).map(({ resolved }) => `${source} -> ${resolved}`),
      ),
    )
  return {
    marked: edges((source, { circular, resolved }) => circular && source !== resolved),
    onCircles: edges((source, { resolved }) => source !== resolved && reachedFrom(resolved).has(source)),
  }
}

/** @throws if our circles and those of dependency-cruiser differ */
function assertSame(name, found, { marked, onCircles }) {
  const [only] = [...onCircles.symmetricDifference(found)]
  if (only !== undefined)
    throw new Error(`${name}: ${only} is on a circle for ${onCircles.has(only) ? 'dependency-cruiser' : 'us'} only`)
  const [missed] = [...marked.difference(found)]
  if (missed !== undefined) throw new Error(`${name}: dependency-cruiser marks ${missed}, and it is on no circle here`)
}
