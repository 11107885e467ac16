// The words that names must not have, and where names have them.
import ts from 'typescript'

/**
 * The words of the glossary's last table. Throws where the glossary has no such table.
 * @param {string} glossary the text of docs/glossary.md
 * @returns {Map<string, string>} the word, and what to use instead
 */
export function forbiddenWords(glossary) {
  const [, table] = glossary.split('## Words that no identifier uses')
  if (table === undefined) throw new Error('docs/glossary.md has no heading "Words that no identifier uses"')
  const rows = table.matchAll(/^\| ([a-z, ]+?) +\| (.+?) +\|$/gm)
  return new Map(
    [...rows]
      .filter(([, words]) => words !== 'word')
      .flatMap(([, words, instead]) => words.split(', ').map((word) => [word, instead])),
  )
}

/**
 * The names that stored data and JSON output have, by the glossary's table of them. Empty where it has no such table.
 * @param {string} glossary the text of docs/glossary.md
 * @returns {Set<string>}
 */
export function storedNames(glossary) {
  const [table = ''] = (glossary.split('## Names that are stored')[1] ?? '').split('\n## ')
  return new Set([...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name))
}

/**
 * The names of a file that have one of the words. A name is taken apart at its capitals, digits and underscores.
 * @param {string} file its name, for the language
 * @param {string} text what it holds
 * @param {ReadonlyMap<string, string>} forbidden
 * @param {ReadonlySet<string>} stored names that properties may have, but nothing else
 * @returns {{ name: string, word: string, line: number }[]} each name once
 */
export function wordsInNames(file, text, forbidden, stored = new Set()) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = new Map()
  const waiting = [source]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (
      ts.isIdentifier(node) &&
      !found.has(node.text) &&
      !(stored.has(node.text) && isPropertyName(node.parent, node))
    ) {
      const word = wordsOf(node.text).find((part) => forbidden.has(part))
      if (word !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
        found.set(node.text, { name: node.text, word, line: line + 1 })
      }
    }
    ts.forEachChild(node, (child) => {
      waiting.push(child)
    })
  }
  return [...found.values()]
}

/** Whether an identifier is the name of a property, and not of a variable as well. */
const isPropertyName = (parent, node) =>
  ((ts.isPropertySignature(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyAccessExpression(parent)) &&
    parent.name === node) ||
  (ts.isBindingElement(parent) && parent.propertyName === node)

/** The words of a name, in small letters. */
const wordsOf = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((part) => part.toLowerCase()) ?? []
