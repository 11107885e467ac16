// Imports of Go and Rust against a sample that was resolved by hand, where the recorded repositories are at hand.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertGood, compared, graphOf, recordedTree } from './trees.mjs'

/** The files of a package of Go as its compiler takes them: no tests. */
const packageFiles = (root, folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => `${folder}/${name}`)

/** The recording, the list of labels, and the files that a label means. */
const SAMPLES = [
  { language: 'Go', repository: 'cli', list: 'labelled-go.tsv', files: (label, root) => packageFiles(root, label) },
  { language: 'Rust', repository: 'axum', list: 'labelled-rust.tsv', files: (label) => label.split(' ') },
]

/**
 * Compares labelled imports; a row of figures a language, and a line for the log where its recording is not at hand.
 */
export async function checkLabelled(scratch, log) {
  const figures = []
  for (const { language, repository, list, files } of SAMPLES) {
    const tree = recordedTree(repository, scratch)
    if (tree === undefined) {
      log(`  ${language}: skipped, as ../shared/data/repositories/${repository}.git.tar is not there`)
      continue
    }
    const { found, resolve } = await graphOf(tree)
    const [edges, truth] = [new Set(), new Set()]
    const rows = rowsOf(list)
    for (const { file, line, label } of rows) {
      const own = found.get(file)?.filter((each) => each.line === line) ?? []
      for (const to of own.flatMap((each) => resolve(file, each))) edges.add(`${file}:${line} -> ${to}`)
      for (const to of label === '-' ? [] : files(label, tree.root))
        if (to !== file) truth.add(`${file}:${line} -> ${to}`)
    }
    const name = `${rows.length} imports of ${language}, resolved by hand`
    figures.push(`${language}: ${assertGood(compared(name, edges, truth), log)}`)
  }
  return figures
}

function rowsOf(list) {
  const text = readFileSync(fileURLToPath(new URL(list, import.meta.url)), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [file, number, label] = line.split('\t')
      return { file, line: Number(number), label }
    })
}
