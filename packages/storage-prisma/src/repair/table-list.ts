/**
 * Gives a damaged copy, whose list of tables can't be read, a new one: where each table begins is looked for in the pages
 * of the old list, read as bytes. See https://sqlite.org/fileformat2.html for the form of pages.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

const HEADER_BYTES = 100
/** A page whose first byte is none of these holds no tree of rows or keys. */
const [KEYS_ABOVE, ROWS_ABOVE, KEYS, ROWS] = [0x02, 0x05, 0x0a, 0x0d]
/** How far a cell's values are behind its beginning, at most. */
const CELL_HEAD_BYTES = 40
/** Bytes of the number of a page, at most. */
const ROOT_BYTES = 4

interface ListedTable {
  readonly name: string
  readonly sql: string
}

/**
 * Writes the tables into a copy's list, which holds nothing else afterwards. False, with nothing changed, where none is
 * found. Throws what the file system and SQLite say.
 * @param copy a copy with a whole header, which nothing has open
 * @param template a whole store of this version: its tables are looked for
 */
export const restoreTableList = (copy: string, template: string, pageBytes: number): boolean => {
  const tables = tablesOf(template)
  const file = openSync(copy, 'r+')
  const found: (ListedTable & { readonly root: number })[] = []
  try {
    const pageCount = Math.floor(fstatSync(file).size / pageBytes)
    const page = (number: number): Buffer => {
      const bytes = Buffer.alloc(pageBytes)
      readSync(file, bytes, 0, pageBytes, (number - 1) * pageBytes)
      return bytes
    }
    const isTree = (number: number): boolean =>
      number > 1 && number <= pageCount && [KEYS_ABOVE, ROWS_ABOVE, KEYS, ROWS].includes(page(number)[0] ?? -1)
    const list = pagesOfList(page, pageCount)
    for (const table of tables) {
      const root = list
        .flatMap((bytes) => rootsIn(bytes, table.name, isTree))
        .toSorted(liveLast)
        .at(-1)
      if (root !== undefined) found.push({ ...table, root: root.number })
    }
    if (found.length === 0) return false
    writeSync(file, emptyPage(pageBytes), 0, pageBytes - HEADER_BYTES, HEADER_BYTES)
  } finally {
    closeSync(file)
  }
  addToList(copy, found)
  return true
}

/** The tables of an empty store, without the virtual ones. */
const tablesOf = (template: string): readonly ListedTable[] => {
  const database = new Sqlite(template, { readonly: true })
  try {
    return database
      .prepare<[], ListedTable>("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
      .all()
  } finally {
    database.close()
  }
}

/** The pages that the first one leads to, as far as they can be told; what is not above others is taken for one of rows. */
const pagesOfList = (page: (number: number) => Buffer, pageCount: number): readonly Buffer[] => {
  const seen = new Set([1])
  const found: Buffer[] = []
  for (const number of seen) {
    const bytes = page(number)
    const start = number === 1 ? HEADER_BYTES : 0
    if (bytes[start] !== ROWS_ABOVE) {
      found.push(bytes)
      continue
    }
    const below = [start + 8, ...cellsOf(bytes, start, 12)].filter((offset) => offset + 4 <= bytes.length)
    for (const child of below.map((offset) => bytes.readUInt32BE(offset)))
      if (child > 1 && child <= pageCount) seen.add(child)
  }
  return found
}

/** Where a page's cells begin. @param headBytes of the page's own header, which its list of cells follows */
const cellsOf = (bytes: Buffer, start: number, headBytes: number): readonly number[] => {
  const list = start + headBytes
  const count = Math.min(bytes.readUInt16BE(start + 3), (bytes.length - list) >> 1)
  return Array.from({ length: count }, (_, index) => bytes.readUInt16BE(list + 2 * index))
}

interface Root {
  readonly number: number
  /** A cell of the page begins there: else it is what a former version of the list left behind. */
  readonly isLive: boolean
}

const liveLast = (left: Root, right: Root): number => Number(left.isLive) - Number(right.isLive)

/** Every place in a page of the list that reads as this table's. A row's values are type, name, table, root, definition. */
const rootsIn = (bytes: Buffer, name: string, isTree: (page: number) => boolean): readonly Root[] => {
  const values = Buffer.from(`table${name}${name}`)
  const roots: Root[] = []
  const cells = cellsOf(bytes, bytes.subarray(0, 6).toString('latin1') === 'SQLite' ? HEADER_BYTES : 0, 8)
  for (let at = bytes.indexOf(values); at !== -1; at = bytes.indexOf(values, at + 1)) {
    const start = at + values.length
    const length = bytes.subarray(start, start + ROOT_BYTES + 'CREATE TABLE'.length).indexOf('CREATE TABLE')
    if (length < 1 || length > ROOT_BYTES) continue
    const number = bytes.readUIntBE(start, length)
    const isLive = cells.some((cell) => cell < at && at <= cell + CELL_HEAD_BYTES)
    if (isTree(number)) roots.push({ number, isLive })
  }
  return roots
}

/** What follows the file's header in a first page without rows. */
const emptyPage = (pageBytes: number): Buffer => {
  const bytes = Buffer.alloc(pageBytes - HEADER_BYTES)
  bytes[0] = ROWS
  bytes.writeUInt16BE(pageBytes, 5)
  return bytes
}

/**
 * Adds tables to the copy's list of tables, each at its root page; the copy must not be in use. Names are not checked.
 */
const addToList = (copy: string, tables: readonly (ListedTable & { readonly root: number })[]): void => {
  const database = new Sqlite(copy, { fileMustExist: true })
  try {
    database.unsafeMode(true)
    database.pragma('writable_schema = ON')
    const add = database.prepare("INSERT INTO sqlite_master VALUES ('table', ?, ?, ?, ?)")
    database.transaction(() => {
      for (const { name, root, sql } of tables) add.run(name, name, root, sql)
    })()
  } finally {
    database.close()
  }
}
