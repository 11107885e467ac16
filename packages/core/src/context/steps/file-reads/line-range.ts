/** The lines that a part of a file spans, as far as the part's text (see `file-calls`) tells. */

export interface LineRange {
  /** How the part is told; lines told otherwise may be counted otherwise. */
  readonly style: string
  readonly from: number
  readonly to: number
}

const STYLES: readonly (readonly [style: string, pattern: RegExp, isCount: boolean])[] = [
  ['offset', /^offset="?(\d+)"? limit="?(\d+)"?$/, true],
  ['lines', /^start_line="?(\d+)"? end_line="?(\d+)"?$/, false],
  ['lines', /^line_start="?(\d+)"? line_end="?(\d+)"?$/, false],
  ['view', /^view_range=\[(\d+),(\d+)\]$/, false],
  ['sed', /^sed -n (\d+),(\d+)p$/, false],
]

/**
 * Reads a range of lines, both ends included, out of a call's arguments as text. Undefined where there is none or its
 * end is open: tools cut long files at a length of their own.
 */
export const lineRangeOf = (part: string): LineRange | undefined => {
  for (const [style, pattern, isCount] of STYLES) {
    const [, first, second] = pattern.exec(part) ?? []
    if (first === undefined || second === undefined) continue
    const from = Number(first)
    return { style, from, to: isCount ? from + Number(second) - 1 : Number(second) }
  }
  return undefined
}

/**
 * Whether all lines of `inner` are in `outer`. False for ranges written in different styles, which may count
 * differently.
 */
export const coversLines = (outer: LineRange, inner: LineRange): boolean =>
  outer.style === inner.style && outer.from <= inner.from && outer.to >= inner.to
