// For esbuild: imports from a package's entry become imports of the files that it exports the names from. esbuild splits
// code by files: a command that imports one name from an entry would load every file that the entry exports from.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

const EXPORTS = /^export (?!type )\{([^}]*)\} from '(\.[^']+)'/gm
const IMPORTS = /^import (?!type )\{([^}]*)\} from '([^'.][^']*)'/gm

/** The names between braces: what is imported, and what it is called here; types left out. */
const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [imported, local = imported] = name.split(/\s+as\s+/)
      return { imported, local }
    })

/** Which file an entry exports each name from, and what it is called there. */
const exportsOf = (entry) => {
  const found = new Map()
  for (const [, list, from] of readFileSync(entry, 'utf8').matchAll(EXPORTS))
    for (const { imported, local } of namesIn(list)) found.set(local, { imported, file: join(dirname(entry), from) })
  return found
}

/** A text with the imports of entries rewritten, in the same lines. */
const rewritten = (text, tables) =>
  text.replace(IMPORTS, (statement, list, from) => {
    const table = tables.get(from)
    if (table === undefined) return statement
    const imports = namesIn(list).map(({ imported, local }) => {
      const found = table.get(imported) ?? { imported, file: from }
      return `import { ${found.imported} as ${local} } from '${found.file.replaceAll(sep, '/')}'`
    })
    return imports.join('; ') + '\n'.repeat(statement.split('\n').length - 1)
  })

/**
 * A plugin for esbuild that rewrites imports of an entry into imports of the modules that its exports come from, so
 * that a bundle holds only what is used. Entries are read once, when the build begins.
 * @param {{ folders: RegExp, entries: Readonly<Record<string, string>> }} options which files' imports are rewritten,
 * and the entries by the names that they are imported by
 * @returns {import('esbuild').Plugin}
 */
export const directImports = ({ folders, entries }) => ({
  name: 'direct-imports',
  setup: ({ onLoad }) => {
    const tables = new Map(Object.entries(entries).map(([name, entry]) => [name, exportsOf(entry)]))
    onLoad({ filter: folders }, async ({ path }) => ({
      contents: rewritten(await readFile(path, 'utf8'), tables),
      loader: 'ts',
    }))
  },
})
