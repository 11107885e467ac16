/**
 * Tables that fit a terminal: columns that may shrink do so, the widest first; if that is not enough, whole columns are
 * left out.
 */
import { pad, shortenEnd, shortenMiddle, shortenPath, textWidth } from './text-width.ts'

/** A column of a table. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** How its cells are shortened; without it the column keeps its width. */
  readonly shorten?: 'end' | 'middle' | 'path'
  /** Not narrower than this. Default 8. */
  readonly minimum?: number
  /** Columns with a rank are left out if shrinking is not enough, the highest rank first. */
  readonly dropRank?: number
}

/** What a table is made from. */
export interface TableOptions {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** The last line; its first cell should be `Total`. Its last text may run on over empty cells to its right. */
  readonly total?: readonly string[]
  /** Columns of the terminal. */
  readonly width: number
}

const GAP = '  '
const DEFAULT_MINIMUM = 8

const shorteners = { end: shortenEnd, middle: shortenMiddle, path: shortenPath }

/** The sum of widths. */
const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0)

/**
 * Returns the widths to use: natural ones if they fit, otherwise narrower where a column allows it; they may still be
 * too wide.
 */
const fit = (natural: readonly number[], columns: readonly Column[], available: number): readonly number[] => {
  const widths = [...natural]
  let excess = sumOf(widths) - available
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

/** A table as lines. */
export interface TableLines {
  readonly head: string
  readonly rows: readonly string[]
  readonly total?: string
  /** Titles of the columns that were left out. */
  readonly dropped: readonly string[]
}

/** Returns the index of the column to leave out next, that of the highest rank; undefined if all must stay. */
const nextToDrop = (columns: readonly Column[]): number | undefined => {
  let next: number | undefined
  for (const [index, { dropRank }] of columns.entries()) {
    if (dropRank !== undefined && (next === undefined || dropRank > (columns[next]?.dropRank ?? 0))) next = index
  }
  return next
}

/**
 * Returns the columns' widths, which may still be too wide together. The total's last text widens no column where it
 * can run on over the empty cells to its right.
 */
const widthsOf = ({ columns, rows, total, width }: TableOptions): readonly number[] => {
  const titles = columns.map(({ title }) => title)
  const available = width - GAP.length * (columns.length - 1)
  /** The widths of columns for these lines, as `fit` narrows them. */
  const widthsFor = (lines: readonly (readonly string[])[]): readonly number[] =>
    fit(
      columns.map((_, index) => lines.reduce((widest, row) => Math.max(widest, textWidth(row[index] ?? '')), 0)),
      columns,
      available,
    )
  if (total === undefined) return widthsFor([titles, ...rows])
  const last = total.findLastIndex((cell) => cell !== '')
  const short = widthsFor([titles, ...rows, total.with(last, '')])
  const end = sumOf(short.slice(0, last)) + GAP.length * last + textWidth(total[last] ?? '')
  return last < columns.length - 1 && end <= width ? short : widthsFor([titles, ...rows, total])
}

/**
 * Returns the table's lines, without line ends, in at most the given width: columns are dropped by rank and cells cut
 * if it does not suffice, and the titles of dropped columns are returned. Columns that may be neither dropped nor cut
 * can exceed it. Cells must be single lines without escape sequences.
 */
export const tableLines = (options: TableOptions): TableLines => {
  const { columns, rows, total, width } = options
  const widths = widthsOf(options)
  const drop = sumOf(widths) + GAP.length * (columns.length - 1) > width ? nextToDrop(columns) : undefined
  if (drop !== undefined) {
    const without = <T>(cells: readonly T[]): readonly T[] => cells.filter((_, index) => index !== drop)
    const narrower = tableLines({
      columns: without(columns),
      rows: rows.map(without),
      ...(total === undefined ? {} : { total: without(total) }),
      width,
    })
    return { ...narrower, dropped: [columns[drop]?.title ?? '', ...narrower.dropped] }
  }
  /** A row as a line: its cells cut and padded to the widths. */
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
  return {
    head: line(columns.map(({ title }) => title)),
    rows: rows.map(line),
    ...(total === undefined ? {} : { total: line(total) }),
    dropped: [],
  }
}
