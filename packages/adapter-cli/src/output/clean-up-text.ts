/** The report of a clean-up as lines for people. */
import type { CleanUpReport } from '@cairn/core'
import { counted, formatBytes, formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'

/** The sum of a figure over all rows. */
const total = (report: CleanUpReport, name: 'found' | 'removed' | 'bytes'): number =>
  report.rows.reduce((sum, row) => sum + row[name], 0)

/**
 * Returns the sum of a clean-up, in a sentence: that nothing was left over, or how many of the leftovers were removed
 * (of a dry run: would be) and their bytes.
 */
const totalText = (report: CleanUpReport): string => {
  const found = total(report, 'found')
  if (found === 0) return 'Total: nothing was left over.'
  const size = formatBytes(total(report, 'bytes'))
  return report.dryRun
    ? `Total: ${counted(found, 'leftover')} (${size}) would be removed.`
    : `Total: ${formatCount(total(report, 'removed'))} of ${counted(found, 'leftover')} removed (${size}).`
}

/**
 * Returns a clean-up as lines: a row for each kind with its reason, then what could not be done, then the total, which
 * is always there.
 */
export const cleanUpLines = (report: CleanUpReport, width: number): readonly string[] => {
  const names = report.rows.map(({ kind }) => kind.length)
  const column = Math.max(0, ...names) + 2
  const rows = report.rows.flatMap(({ kind, found, removed, bytes, reason }) => {
    const count =
      report.dryRun || removed === found ? formatCount(found) : `${formatCount(removed)} of ${formatCount(found)}`
    return wrapAfter(
      `${neutraliseLine(kind).padEnd(column)}${count.padStart(6)}  ${formatBytes(bytes).padStart(8)}  `,
      neutraliseLine(reason),
      width,
    )
  })
  const problems = report.problems.flatMap(({ source, message }) =>
    wrapAfter(`${neutraliseLine(source)}: `, neutraliseLine(message), width),
  )
  return [...rows, ...problems, totalText(report)]
}
