// Trees of sources that the import graph is measured on: their paths, texts, and the edges that the graph has.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const core = (path) => import(new URL(`../../../packages/core/src/sources/imports/${path}`, import.meta.url).href)

/** A tree on disk: the paths relative to its root, and a reader of texts. */
function treeAt(root, paths) {
  const texts = new Map()
  const text = (path) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
    return texts.get(path)
  }
  return { root, paths: paths.filter((path) => isFile(join(root, path))).sort(), text }
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** What git lists in a folder. */
export function gitTree(root) {
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return treeAt(root, listed.split('\0').filter(Boolean))
}

/** All files below a folder, but those of packages within it. */
export function folderTree(root) {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))
  return treeAt(
    root,
    paths.filter((path) => !/(?:^|\/)node_modules\//.test(path)),
  )
}

/** The working tree of a recorded repository, unpacked into `scratch`; undefined where the recording is not at hand. */
export function recordedTree(name, scratch) {
  const archive = join(ROOT, '..', 'shared', 'data', 'repositories', `${name}.git.tar`)
  if (!existsSync(archive)) return undefined
  const work = join(scratch, name)
  if (!existsSync(work)) {
    const bare = join(scratch, `${name}.bare`)
    mkdirSync(bare, { recursive: true })
    execFileSync('tar', ['xf', archive, '-C', bare])
    const [only] = readdirSync(bare)
    execFileSync('git', ['clone', '--quiet', join(bare, only), work], { stdio: 'pipe' })
  }
  return gitTree(work)
}

/** What the graph finds: the resolver of the tree, and its imports by file. `find` replaces the search for imports. */
export async function graphOf({ paths, text }, find) {
  const { createPathIndex } = await core('path-index.ts')
  const { readSettings } = await core('project-settings.ts')
  const { createImportResolver } = await core('resolver.ts')
  const { createImportGraph } = await core('import-graph.ts')
  const { findImports, sourceLanguageOf } = await core('source-language.ts')
  const settings = await readSettings(new Set(paths), async (path) => text(path))
  const resolve = createImportResolver(createPathIndex(paths), settings)
  const sources = paths.filter((path) => sourceLanguageOf(path) !== undefined)
  const found = new Map(sources.map((path) => [path, (find ?? findImports)(path, text(path))]))
  return { graph: createImportGraph(found, resolve), found, resolve, sources }
}

/** The edges of a graph as texts `from -> to`, of the files that `wants` takes. */
export function edgesOf(graph, wants = () => true) {
  return new Set(
    graph.sources.filter(wants).flatMap((path) => graph.importsOf(path).map(({ to }) => `${path} -> ${to}`)),
  )
}

/** How many edges are right, and the first few that are not. */
export function compared(name, found, truth) {
  const right = [...found].filter((edge) => truth.has(edge)).length
  return {
    name,
    right,
    found: found.size,
    truth: truth.size,
    wrong: [...found].filter((edge) => !truth.has(edge)),
    missed: [...truth].filter((edge) => !found.has(edge)),
  }
}

/** Logs a row of the check and returns its figures; throws below 97 %, or if there is nothing to compare with. */
export function assertGood({ name, right, found, truth, wrong, missed }, log) {
  const percent = (of) => (of === 0 ? 100 : (100 * right) / of)
  const figures = `precision ${percent(found).toFixed(2)} %, recall ${percent(truth).toFixed(2)} % of ${truth} edges`
  log(`  ${name.padEnd(44)} ${figures}`)
  if (truth === 0) throw new Error(`${name}: there is nothing to compare with`)
  if (percent(found) < LEAST || percent(truth) < LEAST)
    throw new Error(
      `${name}: ${figures}; wrong: ${wrong.slice(0, 5).join(', ')}; missed: ${missed.slice(0, 5).join(', ')}`,
    )
  return figures
}

const LEAST = 97

/** A path relative to a folder, with `/`. */
export const slashed = (root, path) => relative(root, path).split(sep).join('/')
