/** A script's text taken apart at semicolons and commas, but not within strings, names, comments or function bodies. */

/** Line comment, block comment, string, name, function body, or a single character. Our scripts have no `E'…'` strings. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$|[\s\S]/g

/** The statements of a script without their semicolons and line comments; block comments stay. */
export const splitStatements = (sql: string): readonly string[] => splitAt(sql, ';')

/** The parts of a list, such as the actions of an `ALTER TABLE`; commas in brackets are no ends of a part. */
export const splitList = (text: string): readonly string[] => splitAt(text, ',')

/** Splits SQL at a separator that stands outside parentheses, texts and comments; empty parts are left out. */
const splitAt = (text: string, separator: string): readonly string[] => {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === separator && depth === 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${token.startsWith('--') ? ' ' : token}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
