/** A unified diff as lines that can be shown. */

export interface DiffLine {
  /** `file`: a name; `hunk`: where the next lines stand. */
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'file'
  /** Without the sign before it. */
  readonly text: string
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/**
 * All lines of a unified diff with their kinds, in order; none for an empty one. A hunk says how many lines it has:
 * `--- a` in it is a removed line, behind it a file's name.
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

/** How many lines a diff adds and removes. */
export const diffCounts = (lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
})
