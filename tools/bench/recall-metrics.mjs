// The tables of the recall benchmark: measures of one ranking, means over queries, rows of text.

/** Recall: the share of relevant results that are among the first `k`. */
const recallAt = (keys, gold, k) => keys.slice(0, k).filter((key) => gold.has(key)).length / gold.size

/** Recall against at most `k` relevant results: requests of the coding sessions have up to 45 relevant sessions. */
const fittingRecallAt = (keys, gold, k) =>
  keys.slice(0, k).filter((key) => gold.has(key)).length / Math.min(k, gold.size)

/** 1 if any relevant result is among the first `k`. */
const hitAt = (keys, gold, k) => (keys.slice(0, k).some((key) => gold.has(key)) ? 1 : 0)

/** One divided by the rank of the first right key; 0 where none is right. */
const reciprocalRank = (keys, gold) => {
  const rank = keys.findIndex((key) => gold.has(key))
  return rank < 0 ? 0 : 1 / (rank + 1)
}

/** Normalised discounted cumulative gain with graded relevance. */
const ndcgAt = (keys, gold, k) => {
  const sum = (grades) => grades.slice(0, k).reduce((total, grade, rank) => total + grade / Math.log2(rank + 2), 0)
  const best = sum([...gold.values()].sort((left, right) => right - left))
  return best === 0 ? 0 : sum(keys.map((key) => gold.get(key) ?? 0)) / best
}

const R = (k) => [`R@${k}`, (keys, gold) => recallAt(keys, gold, k)]
const F = (k) => [`F@${k}`, (keys, gold) => fittingRecallAt(keys, gold, k)]
const hit = (k) => [`hit@${k}`, (keys, gold) => hitAt(keys, gold, k)]

/**
 * By data set: names and measures, in the order of the table. R@k is the share of all relevant results, as in the
 * literature; F@k the share of at most k of them, which the published table of the coding sessions calls R@k.
 */
const MEASURES = {
  LoCoMo: [R(5), R(10), R(25), R(50)],
  'coding turns': [hit(1), hit(5), hit(10), ['MRR', reciprocalRank]],
  'known items': [hit(1), hit(3), hit(10), ['MRR', reciprocalRank]],
  'coding sessions': [['nDCG@5', (keys, gold) => ndcgAt(keys, gold, 5)], F(5), F(10)],
  DevMemBench: [R(1), R(3), R(5), R(10), F(1), F(3), F(5), F(10)],
}

/** What the names of the measures mean, for the head of a table. */
export const LEGEND =
  'R@k: share of all that is right among the first k; F@k: of what fits into k (found / min(k, right)); hit@k: any of it.'

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The queries in two halves: whole workspaces in turn where there are several, else the queries in turn. */
const halvesOfQueries = (queries) => {
  const groups = [...Map.groupBy(queries, ({ workspace }) => workspace).values()]
  const parts = groups.length > 1 ? groups : queries.map((query) => [query])
  return [0, 1].map((remainder) => parts.filter((_, index) => index % 2 === remainder).flat())
}

/** The place of a measure in a set's rows; -1 for one that it has not. */
export const measureIndex = (set, name) => MEASURES[set].findIndex(([known]) => known === name)

/**
 * `results`: by query id the keys found, best first, each once. Rows: all, each half (a change is worth keeping where both
 * gain), then by type; values in percent. A query without results counts as one that found nothing.
 */
export const tableOf = (set, results) => {
  const measures = MEASURES[set.name]
  const row = (label, queries) => ({
    label,
    count: queries.length,
    values: measures.map(
      ([, measure]) => 100 * mean(queries.map(({ id, gold }) => measure(results.get(id) ?? [], gold))),
    ),
  })
  const types = [...new Set(set.queries.map(({ type }) => type))]
  return [
    row('all', set.queries),
    ...halvesOfQueries(set.queries).map((half, index) => row(index === 0 ? 'first half' : 'second half', half)),
    ...(types.length > 1
      ? types.map((type) =>
          row(
            type,
            set.queries.filter((query) => query.type === type),
          ),
        )
      : []),
  ]
}

/** Prints the rows of a ranking's table to standard output, in percent, with a heading. */
export const printTable = (title, set, rows) => {
  const header = MEASURES[set.name].map(([name]) => name.padStart(7)).join(' ')
  console.log(`${title.padEnd(34)} ${'n'.padStart(5)} ${header}`)
  for (const { label, count, values } of rows)
    console.log(
      `  ${label.padEnd(32)} ${String(count).padStart(5)} ${values.map((value) => value.toFixed(1).padStart(7)).join(' ')}`,
    )
}
