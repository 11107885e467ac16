// What recall is to reach on the data beside the repository, next to what it reaches.
import { measureIndex } from './recall-metrics.mjs'

/** Percent, by data set and row of its table. */
const GOALS = [
  ['LoCoMo', 'all', { 'R@5': 78, 'R@10': 83.5, 'R@25': 89, 'R@50': 92 }],
  ['LoCoMo', 'multi-hop', { 'R@10': 55 }],
  ['coding turns', 'all', { 'hit@1': 54, 'hit@5': 80, 'hit@10': 87 }],
  ['coding turns', 'error', { 'hit@5': 80 }],
  ['coding sessions', 'all', { 'nDCG@5': 63 }],
]

/**
 * The goals of the data sets that were measured.
 * @param {ReadonlyMap<string, readonly { label: string, values: readonly number[] }[]>} tables Cairn's rows by data set
 * @returns {import('./result.mjs').Result[]}
 */
export const recallGoals = (tables) =>
  GOALS.flatMap(([set, label, goals]) => {
    const row = tables.get(set)?.find((each) => each.label === label)
    if (row === undefined) return []
    return Object.entries(goals).map(([measure, least]) => ({
      name: `${set}, ${label === 'all' ? '' : `${label}, `}${measure}`,
      value: row.values[measureIndex(set, measure)],
      unit: '%',
      target: { least },
    }))
  })
