/** Tables that fit a terminal: columns that may shrink give way, the widest first. */
import { pad, shortenEnd, shortenMiddle, shortenPath, textWidth } from './text-width.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** How its cells are shortened; without it the column keeps its width. */
  readonly shorten?: 'end' | 'middle' | 'path'
  /** Not narrower than this. Default 8. */
  readonly minimum?: number
}

export interface TableOptions {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** The last line; its first cell should be `Total`. */
  readonly total?: readonly string[]
  /** Columns of the terminal. */
  readonly width: number
}

const GAP = '  '
const DEFAULT_MINIMUM = 8

const shorteners = { end: shortenEnd, middle: shortenMiddle, path: shortenPath }

/** The widths to use: natural ones if they fit, else narrower where a column allows it. */
const fit = (natural: readonly number[], columns: readonly Column[], available: number): readonly number[] => {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - available
  while (excess > 0) {
    let widest = -1
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0
      if (column.shorten === undefined || width <= (column.minimum ?? DEFAULT_MINIMUM)) continue
      if (widest < 0 || width > (widths[widest] ?? 0)) widest = index
    }
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess--
  }
  return widths
}

/** The table's lines, without line ends. Cells must be of one line and without escape sequences. */
export const tableLines = ({ columns, rows, total, width }: TableOptions): { readonly head: string; readonly rows: readonly string[]; readonly total?: string } => {
  const all = [columns.map(({ title }) => title), ...rows, ...(total === undefined ? [] : [total])]
  const natural = columns.map((_, index) => all.reduce((widest, row) => Math.max(widest, textWidth(row[index] ?? '')), 0))
  const widths = fit(natural, columns, width - GAP.length * (columns.length - 1))
  const line = (row: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = row[index] ?? ''
        const cellWidth = widths[index] ?? 0
        const shortened = column.shorten === undefined ? cell : shorteners[column.shorten](cell, cellWidth)
        return pad(shortened, cellWidth, column.align ?? 'left')
      })
      .join(GAP)
      .trimEnd()
  return { head: line(columns.map(({ title }) => title)), rows: rows.map(line), ...(total === undefined ? {} : { total: line(total) }) }
}
