// The reporter of totals for tests that run with "node --test": what TotalsReporter is for Jest.
import { basename, relative } from 'node:path'
import { recordTotals } from './totals.mjs'

/**
 * Counts the tests and failures of `node --test`, and notes them when all are done. Skipped ones and those to be done
 * don't count.
 * @param {AsyncIterable<import('node:test').TestEvent>} events
 */
export default async function* totals(events) {
  let passed = 0
  const failures = []
  for await (const { type, data } of events) {
    if (data.skip !== undefined || data.todo !== undefined) continue
    if (type === 'test:pass' && data.details.type !== 'suite') passed += 1
    // What failed only because of a test within it is counted by that one.
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { error } = data.details
      const file = `${basename(process.cwd())} ${relative(process.cwd(), data.file ?? '')}`
      failures.push({ name: `${file} › ${data.name}`, error: error.cause?.message ?? error.message })
    }
  }
  recordTotals(passed, failures)
  // A generator is what "node --test" asks for; this one has nothing to print.
  yield ''
}
