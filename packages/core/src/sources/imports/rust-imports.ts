/** Imports of Rust: `use`, `mod` with its own file, `extern crate`; paths in expressions are none. */
import { createLineCounter, type FoundImport } from './found-import.ts'

const COMMENT = String.raw`\/\/[^\n]*(?=\n|$)|\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\/`
const STRING = String.raw`\bb?r(?<hashes>#*)"[^]*?"\k<hashes>|"(?:[^"\\]|\\[^])*"|'(?:[^'\\\n]|\\[^'\n]+|\\')'`
const TOKENS = new RegExp(
  [
    COMMENT,
    String.raw`#\[\s*path\s*=\s*"(?<path>[^"\n]*)"\s*\]`,
    STRING,
    String.raw`\bmod\s+(?:r#)?(?<module>\w+)\s*(?<end>[;{])`,
    String.raw`\buse\s+(?<tree>(?:::)?[\w{*](?:[^;"'()=\/]|${COMMENT})*);`,
    String.raw`\bextern\s+crate\s+(?:r#)?(?<crate>\w+)`,
    '[{}]',
  ].join('|'),
  'g',
)
/** Nested braces in a `use`; anything deeper is ignored. */
const DEEPEST_TREE = 32

/**
 * Returns all imports of a Rust file, in the order of the text: each leaf of a `use` tree, `extern crate` (`::name`)
 * and `mod` declarations (`mod name`). All are `static`; comments and strings are ignored. Empty for a text without
 * imports.
 */
export const findRustImports = (text: string): readonly FoundImport[] => {
  const found: FoundImport[] = []
  const lineAt = createLineCounter(text)
  const inline: { readonly name: string; readonly depth: number }[] = []
  let depth = 0
  let filePath: string | undefined
  for (const match of text.matchAll(TOKENS)) {
    const { path, module, end, tree, crate } = match.groups ?? {}
    const add = (specifier: string): void => void found.push({ specifier, kind: 'static', line: lineAt(match.index) })
    const scope = inline.map(({ name }) => name)
    if (path !== undefined) filePath = path
    else if (module !== undefined) {
      if (end === ';') add(filePath === undefined ? `mod ${[...scope, module].join('::')}` : `mod "${filePath}"`)
      else inline.push({ name: module, depth: depth++ })
      filePath = undefined
    } else if (tree !== undefined) for (const leaf of leavesOf(tree)) add(fromFile(leaf, scope))
    else if (crate !== undefined) add(`::${crate}`)
    else if (match[0] === '{') depth += 1
    else if (match[0] === '}') {
      depth -= 1
      if (inline.at(-1)?.depth === depth) inline.pop()
    }
  }
  return found
}

/**
 * The paths in a `use` tree: `a::{b, c::{self, D}}` gives `a::b`, `a::c`, `a::c::D`. Trees deeper than `DEEPEST_TREE`
 * are read in part.
 */
const leavesOf = (tree: string): readonly string[] => {
  const leaves: string[] = []
  const prefixes: string[] = ['']
  let path = ''
  const close = (): void => {
    if (path !== '') leaves.push(`${prefixes.at(-1) ?? ''}${path}`.replace(/::self$/, ''))
    path = ''
  }
  const plain = tree.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, ' ').replace(/\s+as\s+\w+/g, '')
  for (const [token] of plain.matchAll(/[{},]|[^\s{},]+/g)) {
    if (token === '{') {
      if (prefixes.length > DEEPEST_TREE) return leaves
      prefixes.push(`${prefixes.at(-1) ?? ''}${path}`)
      path = ''
    } else if (token === '}') {
      close()
      prefixes.pop()
    } else if (token === ',') close()
    else path += token.replaceAll('r#', '')
  }
  close()
  return leaves
}

/** A path as the file's own module would write it: `self` and `super` of inline modules are resolved. */
const fromFile = (path: string, scope: readonly string[]): string => {
  const segments = path.split('::')
  if (scope.length === 0 || (segments[0] !== 'super' && segments[0] !== 'self')) return path
  const around = [...scope]
  let rest = segments
  while (rest[0] === 'self' || (rest[0] === 'super' && around.length > 0)) {
    if (rest[0] === 'super') around.pop()
    rest = rest.slice(1)
  }
  return rest[0] === 'super' ? rest.join('::') : ['self', ...around, ...rest].join('::')
}
