// Where a run's totals and the names of its failed tests go: a line of JSON in the file named by CAIRN_TEST_TOTALS, which
// .ci/run adds up over all projects.
import { appendFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * Appends them to the file that CAIRN_TEST_TOTALS names; does nothing where it names none.
 * @param {number} passed how many tests passed
 * @param {readonly {name: string, error: string}[]} failures what failed; of an error, what it says before its stack is kept,
 *   on one line
 */
export function recordTotals(passed, failures) {
  const file = process.env.CAIRN_TEST_TOTALS
  if (!file) return
  const failed = failures.map(({ name, error }) => `${lines(name)[0] ?? 'no name'}: ${messageOf(error)}`)
  appendFileSync(file, JSON.stringify({ passed, failed }) + '\n')
}

/** A matcher's message says in its later lines what was there instead. */
const LONGEST_MESSAGE = 600

/** An error's message on one line; its stack is above, in the log. */
const messageOf = (error) => {
  const all = lines(error)
  const stack = all.findIndex((line) => /^at .*:\d+/.test(line))
  const message = (stack === -1 ? all : all.slice(0, stack)).join(' ')
  if (message === '') return 'no message'
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message
}

/** The lines of a text that are not empty, without colours. */
const lines = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
