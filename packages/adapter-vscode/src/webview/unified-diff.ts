/** A unified diff as lines that can be shown. */

/** A line of a diff. */
export interface DiffLine {
  /** `file`: a name; `hunk`: where the next lines stand. */
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'file'
  /** Without the sign before it. */
  readonly text: string
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/**
 * Returns all lines of a unified diff with their kinds, in order. A hunk says how many lines it has: within it, `--- a`
 * is a removed line, after it a file's name. A text without a hunk is all file names.
 */
export const diffLines = (diff: string): readonly DiffLine[] => {
  let [oldLeft, newLeft] = [0, 0]
  const lines = diff.endsWith('\n') ? diff.slice(0, -1).split('\n') : diff.split('\n')
  return lines.map((line): DiffLine => {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = HUNK.exec(line)
      if (hunk === null) return { kind: 'file', text: line.replace(/^(?:---|\+\+\+) /, '') }
      oldLeft = Number(hunk[1] ?? '1')
      newLeft = Number(hunk[2] ?? '1')
      return { kind: 'hunk', text: line }
    }
    const sign = line.charAt(0)
    // "\ No newline at end of file" is no line of either side.
    if (sign === '\\') return { kind: 'context', text: line }
    if (sign !== '+') oldLeft -= 1
    if (sign !== '-') newLeft -= 1
    if (sign === '+') return { kind: 'added', text: line.slice(1) }
    return { kind: sign === '-' ? 'removed' : 'context', text: sign === '-' || sign === ' ' ? line.slice(1) : line }
  })
}

/** Returns how many lines a diff adds and removes. */
export const diffCounts = (lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
})
