/** The store's recent health in sentences for people. */
import type { CleanUpReport, HealthPart, HealthReport } from '@cairn/core'
import { counted, formatBytes, formatCount, formatShare, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** A duration in ms, with one decimal below 10. */
const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${formatCount(Math.round(ms))} ms`)

/**
 * Returns a part of the health score (the time of writes, failed writes, hits of caches, use of the heap) in words,
 * with its points of 100.
 */
const partText = ({ name, value, score }: HealthPart): string => {
  const points = `${Math.round(score * 100)} of 100`
  switch (name) {
    case 'writes':
      return `95 % of writes within ${milliseconds(value)} (${points})`
    case 'failures':
      return `${value === 0 ? 'no write' : `${formatShare(value)} of writes`} failed (${points})`
    case 'caches':
      return `${formatShare(value)} of what was needed again was in memory (${points})`
    case 'heap':
      return `${formatShare(value)} of the heap in use (${points})`
  }
}

/** A line with failed writes by their codes; empty if there were none. */
const failuresText = (failures: HealthReport['failures']): readonly string[] => {
  const named = Object.entries(failures).map(([code, count]) => `${neutraliseLine(code)} ${formatCount(count)}`)
  return named.length === 0 ? [] : [`failed writes in the last day: ${named.join(', ')}`]
}

/** Returns a line about what the caches held; empty without a budget. */
const memoryText = ({ caches, budgetBytes, trend }: HealthReport): readonly string[] => {
  if (budgetBytes === 0) return []
  const used = Math.max(0, ...trend.map(({ cacheBytes }) => cacheBytes))
  const [promotions, evictions, refusals] = (['promotions', 'evictions', 'refusals'] as const).map((name) =>
    caches.reduce((sum, cache) => sum + cache[name], 0),
  )
  return [
    `caches held up to ${formatBytes(used)} of ${formatBytes(budgetBytes)}; ${formatCount(promotions ?? 0)} entries were used again and kept longer, ${formatCount(evictions ?? 0)} made way for others, ${formatCount(refusals ?? 0)} were too large`,
  ]
}

/**
 * Returns the score with its parts, then failures, then memory: one sentence each. A single sentence if nothing was
 * measured.
 */
export const healthTexts = (health: HealthReport): readonly string[] => {
  if (health.score === null) return ['nothing was measured in the last day']
  return [
    `${health.score} of 100: ${health.parts.map(partText).join(', ')}`,
    ...failuresText(health.failures),
    ...memoryText(health),
  ]
}

/** Returns when the last clean-up was and what it removed; what to do if there was none (null). */
export const cleanedText = (report: CleanUpReport | null): string => {
  if (report === null) return 'not yet (cairn cleanup)'
  const removed = report.rows.reduce((sum, row) => sum + row.removed, 0)
  const problems = report.problems.length === 0 ? '' : `, ${counted(report.problems.length, 'part')} not done`
  return `${formatTime(report.at)}, ${removed === 0 ? 'nothing to remove' : `${counted(removed, 'leftover')} removed`}${problems}`
}
