// Looks for words in identifiers that docs/glossary.md replaces by the field's own. Exit code 1 when there are any.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { forbiddenWords, storedNames, wordsInNames } from './words.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const glossary = readFileSync(`${root}docs/glossary.md`, 'utf8')
const forbidden = forbiddenWords(glossary)
const stored = storedNames(glossary)
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && !file.includes('/generated/'))

const found = files.flatMap((file) =>
  wordsInNames(file, readFileSync(root + file, 'utf8'), forbidden, stored).map(
    ({ name, line, word }) => `${file}:${line}: "${name}" has the word "${word}"; instead: ${forbidden.get(word)}`,
  ),
)
for (const line of found) console.error(line)
console.log(`${files.length} files, ${forbidden.size} words, ${found.length} names to change`)
process.exitCode = found.length === 0 ? 0 : 1
