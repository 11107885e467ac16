/** Rows as CSV or JSON text, made as they come: a table may have a hundred thousand. */
import { replaceUnsafe } from '@cairn/core/unsafe-characters'

type Cell = string | number | boolean | null
export type ExportRow = Readonly<Record<string, Cell>>
/** Rows in the order of the table, some at a time. */
export type ExportRows = AsyncIterable<readonly ExportRow[]>

export const FORMATS = ['csv', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** A spreadsheet takes a text that begins like this for a formula; some skip what can't be seen, and read full-width signs as the usual ones. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

/**
 * A cell of CSV, quoted where it must be; what a spreadsheet would take for a formula gets a `'` before it. Empty for
 * null.
 */
const csvCell = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) || FORMULA.test(replaceUnsafe(cell, () => '')) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV with a head, a line each, ended by CR and LF. */
async function* csv(columns: readonly string[], rows: ExportRows): AsyncGenerator<string> {
  yield `${columns.map(csvCell).join(',')}\r\n`
  for await (const some of rows)
    yield some.map((row) => `${columns.map((column) => csvCell(row[column])).join(',')}\r\n`).join('')
}

/** Rows as a JSON array, a row on each line; `[]` for none. */
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
 * The rows as a text of the format, in pieces; it is made while it is read, and rejects as `rows` do.
 * @param columns of a CSV, also where there is no row
 */
export const exportText = (format: Format, columns: readonly string[], rows: ExportRows): AsyncIterable<string> =>
  format === 'csv' ? csv(columns, rows) : json(rows)
