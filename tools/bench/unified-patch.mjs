// Applies recorded patches to recorded texts, strictly: a patch that does not fit gives nothing.

/**
 * @typedef {{ oldStart: number, oldLines: number, lines: readonly string[] }} Hunk lines begin with a blank, `-` or `+`; others
 * are notes
 */

/**
 * The lines that patches make of others.
 * @param {readonly string[]} lines
 * @param {readonly Hunk[]} hunks ascending
 * @returns {string[] | undefined} undefined where a line is not as a hunk has it
 */
export function patched(lines, hunks) {
  const result = []
  let at = 0
  for (const { oldStart, oldLines, lines: changes } of hunks) {
    // A hunk without old lines stands behind the line that it names.
    const start = oldLines === 0 ? oldStart : oldStart - 1
    result.push(...lines.slice(at, start))
    at = start
    for (const change of changes) {
      const [kind, text] = [change[0], change.slice(1)]
      if (kind === '+') result.push(text)
      else if (kind === '-' || kind === ' ') {
        if (lines[at] !== text) return undefined
        if (kind === ' ') result.push(text)
        at += 1
      }
    }
  }
  return [...result, ...lines.slice(at)]
}

/**
 * The hunks of a unified diff.
 * @param {string} diff
 * @returns {Hunk[]}
 */
export function hunksOf(diff) {
  const hunks = []
  for (const line of diff.split('\n')) {
    const [, start, count = '1'] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line) ?? []
    if (start !== undefined) hunks.push({ oldStart: Number(start), oldLines: Number(count), lines: [] })
    else hunks.at(-1)?.lines.push(line)
  }
  // The line end at the end of the text is no line.
  for (const { lines } of hunks) if (lines.at(-1) === '') lines.pop()
  return hunks
}
