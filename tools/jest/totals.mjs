// Where a run's totals and the names of its failed tests go: a line of JSON in the file named by CAIRN_TEST_TOTALS, which
// .ci/run adds up over all projects.
import { appendFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * Appends them to the file that CAIRN_TEST_TOTALS names; does nothing where it names none.
 * @param {number} passed how many tests passed
 * @param {readonly {name: string, error: string}[]} failures what failed; of an error, its first line is kept
 */
export function recordTotals(passed, failures) {
  const file = process.env.CAIRN_TEST_TOTALS
  if (!file) return
  const failed = failures.map(({ name, error }) => `${firstLine(name)}: ${firstLine(error)}`)
  appendFileSync(file, JSON.stringify({ passed, failed }) + '\n')
}

/** The first line of a text that is not empty, without colours. */
const firstLine = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? 'no message'
