// Imports of TypeScript and JavaScript against oxc: its parser for what is imported, its resolver for what that means.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { loadImportParser } from '../../../packages/core/src/node/sources/parse-imports.ts'
import { ROOT, assertGood, compared, edgesOf, folderTree, gitTree, graphOf, slashed } from './trees.mjs'

/** Packages that come with their sources. */
const PACKAGES = [
  'openai/src',
  '@anthropic-ai/sdk/src',
  'zod/src',
  '@azure/msal-browser/src',
  '@azure/msal-common/src',
  'effect/src',
  '@trpc/server/src',
  '@modelcontextprotocol/sdk',
]
const JAVASCRIPT = /\.[cm]?[jt]sx?$/

/**
 * Compares the trees at hand; returns how many edges there were in all, and logs a row for each tree. Throws if there
 * is a difference.
 */
export async function checkJavaScript(log) {
  const parse = await loadImportParser()
  if (parse === undefined) throw new Error('oxc-parser has no binary for this system: nothing to compare with')
  const trees = [
    ['this repository', gitTree(ROOT)],
    ...PACKAGES.map((name) => [name, join(ROOT, 'node_modules', name)])
      .filter(([, folder]) => existsSync(folder))
      .map(([name, folder]) => [name, folderTree(realpathSync(folder))]),
  ]
  const total = { found: new Set(), truth: new Set() }
  for (const [name, tree] of trees) {
    const { found, truth } = await edgesByBoth(tree, parse)
    if (truth.size === 0) continue
    assertGood(compared(`${name}, against oxc`, found, truth), log)
    for (const edge of found) total.found.add(`${name}: ${edge}`)
    for (const edge of truth) total.truth.add(`${name}: ${edge}`)
  }
  return assertGood(compared('TypeScript and JavaScript in all', total.found, total.truth), log)
}

/**
 * The imports of JavaScript files as ours and another resolver find them, as "from -> to"; files that the parser can't
 * read are left out of both.
 */
async function edgesByBoth(tree, parse) {
  const { graph, sources } = await graphOf(tree)
  const isOurs = (path) => JAVASCRIPT.test(path)
  const truth = new Set()
  const known = new Set(tree.paths)
  const resolve = oxcResolver(tree.root)
  const unread = new Set()
  for (const path of sources.filter(isOurs)) {
    const imports = parse(path, tree.text(path))
    if (imports === undefined) unread.add(path)
    for (const { specifier } of imports ?? []) {
      const to = resolve(path, specifier)
      if (to !== undefined && known.has(to) && to !== path) truth.add(`${path} -> ${to}`)
    }
  }
  return { found: edgesOf(graph, (path) => isOurs(path) && !unread.has(path)), truth }
}

/** The file below `root` that a name means to oxc's resolver, set up as TypeScript and Node have it. */
function oxcResolver(root) {
  const common = {
    tsconfig: 'auto',
    conditionNames: ['@cairn/source', 'import', 'require', 'node', 'default'],
    extensionAlias: { '.js': ['.ts', '.tsx', '.d.ts', '.js'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'] },
  }
  const forTypeScript = new ResolverFactory({
    ...common,
    extensions: ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  })
  const forJavaScript = new ResolverFactory({
    ...common,
    extensionAlias: { '.js': ['.js', '.ts', '.tsx'] },
    extensions: ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.json', '.d.ts'],
  })
  return (path, specifier) => {
    const resolver = /\.[cm]?tsx?$/.test(path) ? forTypeScript : forJavaScript
    const { path: found } = resolver.resolveFileSync(join(root, path), specifier)
    return found === undefined || found === null ? undefined : slashed(root, found.replace(/[?#].*$/, ''))
  }
}
