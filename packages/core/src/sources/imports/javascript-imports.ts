/**
 * Imports of JavaScript and TypeScript, found by one regular expression that goes over comments, strings, templates and
 * literals of regular expressions as wholes, so that what looks like an import inside of them is none. It is not a parser:
 * it may be wrong where an operator looks like the beginning of a regular expression, or in the text of JSX.
 *
 * Each part of the expression can match a text in one way only, so that no text makes it slow.
 */
import { createLineCounter, type FoundImport, type ImportKind } from './found-import.ts'

const BLOCK_COMMENT = String.raw`\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\/`
const COMMENT = String.raw`\/\/[^\n]*(?=\n|$)|${BLOCK_COMMENT}`
const GAP = String.raw`(?:\s|${COMMENT})*`
const STRING = String.raw`"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'`
const TEMPLATE = '`(?:[^`\\\\]|\\\\[^])*`'
/** A regular expression literal, which stands after an operator or bracket and ends on its line. */
const REGULAR_EXPRESSION = String.raw`(?<=(?:[(,=:[!&|?{};]|=>|\breturn|\btypeof|\bcase|^)[ \t]*)\/(?![*\/])(?:[^\/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`

const NAME = String.raw`[\w$\u0080-\uffff]+`
const NAMESPACE = String.raw`\*${GAP}as${GAP}${NAME}`
const NAMES = String.raw`\{(?:[^{}'"\`;=()\/]|${COMMENT}|${STRING})*\}`
/**
 * The pattern of a keyword that is neither a property nor part of a longer name; spread dots (`...import`) may precede
 * it.
 */
const keyword = (word: string): string => String.raw`${word}(?<!(?:[\w$#]|(?<!\.\.)\.)${word})(?![\w$])`
const FROM = String.raw`${GAP}from${GAP}(?<from>${STRING})`
const IMPORTED = String.raw`(?<imported>${NAME}(?:${GAP},${GAP}(?:${NAMESPACE}|${NAMES}))?|${NAMESPACE}|${NAMES})`
const EXPORTED = String.raw`(?<exported>\*(?:${GAP}as${GAP}(?:${NAME}|${STRING}))?|${NAMES})`
const MODIFIER = (group: string): string => String.raw`(?:(?<${group}>type|typeof|defer|source)(?![\w$])${GAP})?`

const TOKENS = new RegExp(
  [
    COMMENT,
    String.raw`${keyword('import')}${GAP}(?:${MODIFIER('importType')}${IMPORTED}${FROM}|(?<bare>${STRING})|\(${GAP}(?<dynamic>${STRING}|${TEMPLATE}))`,
    String.raw`${keyword('export')}${GAP}${MODIFIER('exportType')}${EXPORTED}${FROM.replace('<from>', '<exportFrom>')}`,
    String.raw`${keyword('require')}${GAP}\(${GAP}(?<required>${STRING}|${TEMPLATE})${GAP}\)`,
    STRING,
    TEMPLATE,
    REGULAR_EXPRESSION,
  ].join('|'),
  'g',
)

/**
 * Returns all imports, re-exports, `import()` and `require()` calls with a constant name, in the order of the text,
 * with repeats. Comments, strings and computed names are ignored. Empty for a text without imports. Uses patterns, not
 * a parser.
 */
export const findJavaScriptImports = (text: string): readonly FoundImport[] => {
  const found: FoundImport[] = []
  const lineAt = createLineCounter(text)
  for (const match of text.matchAll(TOKENS)) {
    const groups = match.groups ?? {}
    const literal = groups.from ?? groups.exportFrom ?? groups.bare ?? groups.dynamic ?? groups.required
    if (literal === undefined) continue
    const specifier = constantText(literal)
    if (specifier === undefined || specifier === '') continue
    found.push({ specifier, kind: kindOf(match, text), line: lineAt(match.index) })
  }
  return found
}

/** The kind of a matched import: `type` if only types are imported, `dynamic` for calls, otherwise `static`. */
const kindOf = ({ 0: whole, index, groups = {} }: RegExpExecArray, text: string): ImportKind => {
  if (groups.dynamic !== undefined) return isTypeQuery(text, index, index + whole.length) ? 'type' : 'dynamic'
  const isMarked = groups.importType?.startsWith('type') === true || groups.exportType?.startsWith('type') === true
  return isMarked || hasOnlyTypes(groups.imported ?? groups.exported ?? '') ? 'type' : 'static'
}

const MEMBER = new RegExp(String.raw`${GAP}\)${GAP}\.${GAP}(${NAME})`, 'y')
const METHODS_OF_PROMISES = new Set(['then', 'catch', 'finally'])

/**
 * Whether `import('x')` is a type, as in `import('x').Name` or `typeof import('x')`: a promise has no such property.
 */
const isTypeQuery = (text: string, start: number, end: number): boolean => {
  if (/\btypeof\s+$/.test(text.slice(Math.max(0, start - 20), start))) return true
  MEMBER.lastIndex = end
  const name = MEMBER.exec(text)?.[1]
  return name !== undefined && !METHODS_OF_PROMISES.has(name)
}

const ALL_COMMENTS = new RegExp(COMMENT, 'g')

/**
 * Whether every name in the braces is marked `type` and nothing is imported outside of them; false for empty braces.
 */
const hasOnlyTypes = (clause: string): boolean => {
  if (!clause.startsWith('{') || !clause.includes('type')) return false
  const names = clause
    .slice(1, -1)
    .replace(ALL_COMMENTS, ' ')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length > 0 && names.every((name) => /^type\s+(?!as\s+\S+$)\S/.test(name))
}

/**
 * The text of a string literal, with escapes reduced to the escaped character; undefined for a template with
 * substitutions.
 */
const constantText = (literal: string): string | undefined => {
  if (literal.startsWith('`') && literal.includes('${')) return undefined
  return literal.slice(1, -1).replace(/\\([^])/g, '$1')
}
