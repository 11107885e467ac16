// Jest's reporter of totals: every test counts as one, and so does a suite that could not run at all.
import { relative } from 'node:path'
import { recordTotals } from './totals.mjs'

export default class TotalsReporter {
  onRunComplete(contexts, { numPassedTests, testResults }) {
    // A run is that of one project here; one without tests has no context.
    const [{ rootDir, displayName }] = [...[...contexts].map(({ config }) => config), { rootDir: process.cwd() }]
    const project = displayName === undefined ? '' : `${displayName.name} `
    recordTotals(
      numPassedTests,
      testResults.flatMap((suite) => failuresOf(`${project}${relative(rootDir, suite.testFilePath)}`, suite)),
    )
  }
}

/** What failed in a file of tests, a suite that could not run included. */
const failuresOf = (file, { testExecError, failureMessage, testResults }) => [
  // Such a suite has no failed tests, yet it failed.
  ...(testExecError === undefined ? [] : [{ name: file, error: testExecError.message || failureMessage }]),
  ...testResults
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title, failureMessages }) => ({
      name: [file, ...ancestorTitles, title].join(' › '),
      error: failureMessages[0] ?? '',
    })),
]
