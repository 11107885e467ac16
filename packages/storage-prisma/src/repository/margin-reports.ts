/**
 * Reports by the dimensions that have sums of their own, without a filter, on PostgreSQL. A page asks for many at once: all
 * that are about the same time come from one statement, which reads the sums of each dimension once.
 */
import { setImmediate } from 'node:timers/promises'
import { emptyTotals } from '@cairn/core'
import type { UsageDimension, UsageQuery, UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import { projectsOf } from '@cairn/core/projects'
import type { SqlDatabase } from '../sql/database.ts'
import { unequalSums } from '../sql/damaged.ts'
import { required } from '../sql/required.ts'
import { marginNumber } from './rollups.ts'
import { UNKNOWN } from './dimension-ids.ts'
import { storedWorkspaces } from './projects.ts'
import { dimensionColumn, foldedRows } from './usage-groups.ts'
import { dearestFirst, sumExpressions, sumOfAll, textColumns, textSumExpressions, totalsOf } from './usage-rows.ts'
import type { SumRow } from './usage-rows.ts'
import { marginsSource } from './usage-source.ts'
import type { Range } from './usage-source.ts'

/** The dimension with the fewest rows; the others are compared with it. */
const FEWEST = 'mode_id'
/** The key of the row with the sums of a whole dimension; ids are never negative. */
const TOTAL_KEY = -1
const ALL_ROWS = 2 ** 31 - 1
const NAME = `COALESCE("path", value, '${UNKNOWN}')`

interface DimensionRow extends SumRow {
  readonly dimension: number
  /** `unknown` where there is none, which may also be a name. */
  readonly name: string
}

/** What is asked about a range of time. */
interface Asked {
  readonly range: Range
  /** By column, the most rows that anybody wants of it. */
  readonly limits: Map<string, number>
}

/** What is asked in one turn of the event loop, by range, and the answers by the same keys. */
interface Turn {
  readonly asked: Map<string, Asked>
  readonly answers: Promise<ReadonlyMap<string, Answer>>
}

interface Answer {
  readonly total: UsageTotals
  /** By column: the most expensive first, and all that cost the same as the last of those wanted. */
  readonly rows: ReadonlyMap<string, readonly UsageRow[]>
}

/** Answers reports together that are asked for in one turn of the event loop. */
export class MarginReports {
  readonly #database: SqlDatabase
  /** The turn that takes questions; undefined: nobody asked yet. */
  #turn: Turn | undefined

  constructor(database: SqlDatabase) {
    this.#database = database
  }

  /** Whether the dimension has sums of its own. */
  static has(by: UsageDimension): boolean {
    return marginNumber[dimensionColumn[by]] !== undefined
  }

  /**
   * The report by a dimension that {@link has} sums of its own, over all requests of the query's time; the query's filter is
   * not looked at. The most expensive first; `total` is of all. Rejects if the sums of two dimensions do not agree.
   */
  async report(query: UsageQuery, by: UsageDimension): Promise<UsageReport> {
    const column = dimensionColumn[by]
    const range = { since: query.since, until: query.until }
    // Several folders may be one project: which are the dearest is known afterwards.
    const limit = by === 'project' ? ALL_ROWS : (query.limit ?? ALL_ROWS)
    const { total, rows } = await this.#answer(range, column, limit)
    const found = required(rows.get(column), 'the rows of a dimension')
    if (by !== 'project') return { rows: found.slice(0, query.limit), total }
    const projects = projectsOf(await storedWorkspaces(this.#database))
    const named = foldedRows(found.map((row) => ({ ...row, key: projects.get(row.key) ?? row.key })))
    return { rows: named.toSorted(dearestFirst).slice(0, query.limit), total }
  }

  /** The answer for a range that has at least `limit` rows of a column, if there are so many. */
  async #answer(range: Range, column: string, limit: number): Promise<Answer> {
    const turn = (this.#turn ??= this.#nextTurn())
    const key = `${range.since} ${range.until}`
    const { limits } = turn.asked.get(key) ?? { limits: new Map([[FEWEST, 0]]) }
    turn.asked.set(key, { range, limits: limits.set(column, Math.max(limits.get(column) ?? 0, limit)) })
    return required((await turn.answers).get(key), 'the answer about a range of time')
  }

  /** Begins to take questions; they are asked when everything that is due in this turn of the event loop was done. */
  #nextTurn(): Turn {
    const asked = new Map<string, Asked>()
    const answers = setImmediate().then(() => {
      this.#turn = undefined
      return this.#read(asked)
    })
    return { asked, answers }
  }

  /** The answers to what is asked, by the same keys. */
  async #read(asked: ReadonlyMap<string, Asked>): Promise<ReadonlyMap<string, Answer>> {
    return new Map(await Promise.all([...asked].map(async ([key, of]) => [key, await this.#answerTo(of)] as const)))
  }

  /**
   * The total of a range, and by column its most expensive rows; 0 and no rows where it has no request. A value without
   * a name is `unknown`.
   * @throws CairnError `storage-corrupt` where the dimensions have different sums
   */
  async #answerTo({ range, limits }: Asked): Promise<Answer> {
    const rows = await this.#rowsOf(range, limits)
    const totals = rows.filter(({ group_key: id }) => id === TOTAL_KEY)
    const [first] = totals
    // Without a request no dimension has a row.
    if (first === undefined)
      return { total: emptyTotals, rows: new Map([...limits.keys()].map((column) => [column, []])) }
    const sum = sumOfAll(first)
    if (totals.length < limits.size || totals.some((total) => sumOfAll(total) !== sum))
      throw unequalSums(this.#database.location)
    const byColumn = [...limits.keys()].map((column) => {
      const own = rows.filter(({ dimension, group_key: id }) => id !== TOTAL_KEY && dimension === numberOf(column))
      const named = own.map((row): UsageRow => ({ key: row.name, ...totalsOf(row) }))
      return [column, foldedRows(named).toSorted(dearestFirst)] as const
    })
    return { total: totalsOf(first), rows: new Map(byColumn) }
  }

  /**
   * For each column of `limits`, in no order: its most expensive rows, with all that tie with the last of them in cost
   * and requests, and one of its total. Values without a request have no row.
   */
  #rowsOf(range: Range, limits: Asked['limits']): Promise<readonly DimensionRow[]> {
    const source = marginsSource([...limits.keys()], range)
    const most = [...limits].map(([column, limit]) => `WHEN ${numberOf(column)} THEN ${limit}`).join(' ')
    // Ties with the last one stay: their names decide which of them are in a report. So do those that may be one row.
    return this.#database.all<DimensionRow>(
      `WITH sums AS (SELECT dimension, value_id, ${sumExpressions} FROM ${source.sql} GROUP BY dimension, value_id),
       ranked AS (SELECT sums.*, rank() OVER (PARTITION BY dimension ORDER BY cost_nano DESC, requests DESC) AS nth
         FROM sums WHERE requests <> 0)
       SELECT dimension, value_id AS group_key, ${NAME} AS name, ${textColumns} FROM ranked
       LEFT JOIN workspace ON dimension = ${FOLDERS} AND workspace.id = value_id
       LEFT JOIN label ON dimension <> ${FOLDERS} AND label.id = value_id
       WHERE nth <= CASE dimension ${most} END OR ${NAME} = '${UNKNOWN}'
       UNION ALL SELECT dimension, ${TOTAL_KEY}, '', ${textSumExpressions} FROM sums GROUP BY dimension`,
      source.parameters,
    )
  }
}

const numberOf = (column: string): number => required(marginNumber[column], 'the number of a margin')
const FOLDERS = numberOf(dimensionColumn.workspace)
