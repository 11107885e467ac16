/** The names that a source file gives to others, by its lines: no parser, for an outline in a few tokens. */
import { sourceLanguageOf, type SourceLanguage } from '../imports/source-language.ts'

const NAME = String.raw`([\p{L}_$][\p{L}\p{N}_$]*)`
const DECLARATIONS: Readonly<Record<SourceLanguage, RegExp>> = {
  javascript: new RegExp(
    String.raw`^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum|namespace)\s+${NAME}|^export\s+(?:type\s+)?\{(?<list>[^}]*)\}`,
    'gmu',
  ),
  python: new RegExp(String.raw`^(?:async\s+)?(?:def|class)\s+(?!_)${NAME}`, 'gmu'),
  go: new RegExp(String.raw`^(?:func|type|var|const)\s+(?:\([^)\n]*\)\s*)?(?=\p{Lu})${NAME}`, 'gmu'),
  rust: new RegExp(
    String.raw`^\s*pub\s+(?:(?:async|unsafe|const|extern\s+"[^"\n]*")\s+)*(?:fn|struct|enum|trait|type|const|static|union|macro)\s+${NAME}`,
    'gmu',
  ),
}

/**
 * Returns the names that a file exports, each once, in the order of the text, found by patterns instead of a parser;
 * `default` is not a name. Empty for a language that is not supported.
 */
export const exportedNames = (path: string, text: string): readonly string[] => {
  const language = sourceLanguageOf(path)
  if (language === undefined) return []
  const names = new Set<string>()
  for (const match of text.matchAll(DECLARATIONS[language])) {
    const list = match.groups?.list
    if (list === undefined) names.add(match[1] ?? '')
    else for (const name of namesIn(list)) names.add(name)
  }
  names.delete('')
  return [...names]
}

/** The exported names of a list: `a, b as c, type D` gives `a`, `c`, `D`. `default` is none, nor what is no name. */
const namesIn = (list: string): readonly string[] =>
  list
    .replace(/\/\/[^\n]*/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && name !== 'default')
