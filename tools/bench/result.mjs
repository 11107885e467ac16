// The results of a benchmark, and their display.

/**
 * @typedef {object} Result
 * @property {string} name says what was measured; also the key in the baseline
 * @property {number} value
 * @property {'MB/s' | 's' | 'ms' | 'µs' | 'MiB' | '%' | 'ratio' | 'count'} unit
 * @property {{ most: number } | { least: number }} [target]
 * @property {number} [spread] p95 where `value` is a median, in the same unit
 */

/** @param {Result} result */
const isMet = ({ target, value }) =>
  target === undefined || ('most' in target ? value <= target.most : value >= target.least)

const digits = { 'MB/s': 1, s: 2, ms: 0, µs: 0, MiB: 0, '%': 1, ratio: 3, count: 0 }
const shown = (value, unit) => `${value.toFixed(digits[unit])}${unit === 'ratio' || unit === 'count' ? '' : ` ${unit}`}`

/**
 * The results as a table of at most 80 columns. A spread has a line of its own; the last line says how many targets
 * were missed.
 * @param {readonly Result[]} results
 * @param {Readonly<Record<string, number>>} baseline values of an earlier run, by name
 */
export function table(results, baseline) {
  const lines = [row('measured', 'result', 'target', 'met', 'baseline'), '-'.repeat(80)]
  for (const { name, value, unit, target, spread } of results) {
    const goal =
      target === undefined
        ? ''
        : 'most' in target
          ? `<= ${shown(target.most, unit)}`
          : `>= ${shown(target.least, unit)}`
    const verdict = target === undefined ? '' : isMet({ value, target }) ? 'yes' : 'NO'
    const before = baseline[name.trim()]
    const change = before === undefined || before === 0 ? '' : `x ${(value / before).toFixed(2)}`
    lines.push(row(name, shown(value, unit), goal, verdict, change))
    if (spread !== undefined) lines.push(row('  95th percentile', shown(spread, unit), '', '', ''))
  }
  const missed = results.filter((result) => !isMet(result)).length
  const judged = results.filter((result) => result.target !== undefined).length
  lines.push('-'.repeat(80), `Total: ${results.length} results, ${judged - missed} of ${judged} targets met`)
  return lines.join('\n')
}

const row = (name, result, target, met, change) =>
  `${name.slice(0, 38).padEnd(38)} ${result.padStart(11)} ${target.padStart(13)} ${met.padStart(4)} ${change.padStart(9)}`.trimEnd()
