// Appends a run's totals to the file named by CAIRN_TEST_TOTALS, so that .ci/run can add up all projects.
import { appendFileSync } from 'node:fs'

export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.CAIRN_TEST_TOTALS
    if (!file) return
    // A suite that could not run at all has no failed tests, yet it failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    appendFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed }) + '\n')
  }
}
