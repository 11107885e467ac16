/** Imports of Python. What stands in strings and comments is none; below `if TYPE_CHECKING:` it is for types only. */
import { createLineCounter, type FoundImport } from './found-import.ts'

const STRING = String.raw`"""(?:[^"\\]|\\[^]|"(?!""))*"""|'''(?:[^'\\]|\\[^]|'(?!''))*'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'`
const BLANK = String.raw`(?:[ \t]|\\\r?\n)`
const DOTTED = String.raw`[\p{L}_][\p{L}\p{N}_]*(?:[ \t]*\.[ \t]*[\p{L}_][\p{L}\p{N}_]*)*`
const LIST = String.raw`\((?<inBrackets>[^()]*)\)|(?<names>(?:[^\n;#\\]|\\\r?\n)+)`

const TOKENS = new RegExp(
  [
    STRING,
    '#[^\\n]*',
    // At the beginning of a line, or behind the colon or semicolon of another statement.
    String.raw`(?<=^[ \t]*|[:;][ \t]*)(?:from${BLANK}*(?<dots>(?:\.[ \t]*)*)(?<module>${DOTTED})?${BLANK}*\bimport\b${BLANK}*(?:${LIST})|import${BLANK}+(?<modules>(?:[^\n;#\\]|\\\r?\n)+))`,
    String.raw`(?<=^(?<indent>[ \t]*))if\b[ \t(]*(?:not[ \t]+)?(?:[\w.]+\.)?TYPE_CHECKING[ \t)]*:`,
  ].join('|'),
  'gmu',
)

/**
 * Returns the imports of a Python file, in the order of the text. `import a, b` gives `a` and `b`; `from .a import b, c`
 * gives `.a:b` and `.a:c`; `*` is kept, aliases are dropped. Kind `type` in an `if TYPE_CHECKING` block (not in its
 * `else`), otherwise `static`; calls such as `importlib.import_module` are not found. Strings and comments are ignored.
 * Empty for a text without imports.
 */
export const findPythonImports = (text: string): readonly FoundImport[] => {
  const found: FoundImport[] = []
  const lineAt = createLineCounter(text)
  let endOfTypes = 0
  for (const match of text.matchAll(TOKENS)) {
    const { dots, module, inBrackets, names, modules, indent } = match.groups ?? {}
    if (indent !== undefined) {
      if (!match[0].includes('not ')) endOfTypes = endOfBlock(text, match.index + match[0].length, indent.length)
      continue
    }
    const line = lineAt(match.index)
    const kind = match.index < endOfTypes ? 'type' : 'static'
    const add = (specifier: string): void => void found.push({ specifier, kind, line })
    if (modules !== undefined) {
      for (const name of namesIn(modules)) add(name)
    } else if (dots !== undefined) {
      const from = `${dots}${module ?? ''}`.replace(/[ \t]/g, '')
      if (from !== '') for (const name of namesIn(inBrackets ?? names ?? '')) add(`${from}:${name}`)
    }
  }
  return found
}

/** The names in an import list, without their `as`; other text is skipped. In their order. */
const namesIn = (list: string): readonly string[] =>
  list
    .replace(/#[^\n]*/g, '')
    .replace(/\\\r?\n/g, ' ')
    .split(',')
    .map((part) => (part.trim().split(/\s+as\s+/)[0] ?? '').replace(/\s*\.\s*/g, '.'))
    .filter((name) => name === '*' || /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name))

/**
 * The offset at which a block ends: the first line that is not indented more than `indent` characters; the text's
 * length if there is none.
 */
const endOfBlock = (text: string, from: number, indent: number): number => {
  const end = new RegExp(String.raw`\n[ \t]{0,${indent}}(?=[^\s#])`, 'g')
  end.lastIndex = from
  return end.exec(text)?.index ?? text.length
}
