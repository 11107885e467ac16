/** Rows as CSV or JSON text, made as they come: a table may have a hundred thousand. */
import { replaceUnsafe } from '@cairn/core/unsafe-characters'

/** A cell of an export. */
type Cell = string | number | boolean | null
/** A row of an export, by column. */
export type ExportRow = Readonly<Record<string, Cell>>
/** Rows in the order of the table, some at a time. */
export type ExportRows = AsyncIterable<readonly ExportRow[]>

/** The formats of an export. */
export const FORMATS = ['csv', 'json'] as const
/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number]

/** A spreadsheet takes a text that begins like this for a formula; some skip what can't be seen, and read full-width signs as the usual ones. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

/**
 * Returns a cell of CSV, quoted if it must be; text that a spreadsheet would take for a formula gets a `'` before it.
 * Empty for null.
 */
const csvCell = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) || FORMULA.test(replaceUnsafe(cell, () => '')) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Yields rows as CSV with a head, one per line, ended by CR and LF. */
async function* csv(columns: readonly string[], rows: ExportRows): AsyncGenerator<string> {
  yield `${columns.map(csvCell).join(',')}\r\n`
  for await (const some of rows)
    yield some.map((row) => `${columns.map((column) => csvCell(row[column])).join(',')}\r\n`).join('')
}

/** Yields rows as a JSON array, one per line; `[]` for none. */
async function* json(rows: ExportRows): AsyncGenerator<string> {
  let isFirst = true
  for await (const some of rows) {
    if (some.length === 0) continue
    yield `${isFirst ? '[\n' : ',\n'}${some.map((row) => JSON.stringify(row)).join(',\n')}`
    isFirst = false
  }
  yield isFirst ? '[]\n' : '\n]\n'
}

/**
 * Returns the rows as text of the format, in pieces that are made as they are read; rejects as `rows` does.
 * @param columns of a CSV, also if there is no row
 */
export const exportText = (format: Format, columns: readonly string[], rows: ExportRows): AsyncIterable<string> =>
  format === 'csv' ? csv(columns, rows) : json(rows)
