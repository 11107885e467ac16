/**
 * How a migration is applied to a store on PostgreSQL that others go on using: as steps that keep nobody waiting for long.
 * Its script is what Prisma writes, so that it can also be run as it stands on a store that is being made; what has to be done
 * another way beside writers is found out here. The rules for authors are in the README of this folder.
 */
import { splitList, splitStatements } from './split-script.ts'

export type Step =
  /** Statements that are done in a moment once they have their locks, in one transaction. */
  | { readonly kind: 'transaction'; readonly sql: string }
  /** An index that is built beside writers. `sql` can't be run in a transaction. */
  | { readonly kind: 'create-index'; readonly name: string; readonly sql: string }
  | { readonly kind: 'drop-index'; readonly name: string }
  /** A statement for some rows at a time, along a column of whole numbers; `before` and `after` go around the condition. */
  | {
      readonly kind: 'batches'
      readonly table: string
      readonly column: string
      readonly before: string
      readonly after: string
    }

export interface OnlinePlan {
  readonly steps: readonly Step[]
  /**
   * Why it can't be done without long locks, as sentences that begin with a statement. With any, the whole script is one
   * step.
   */
  readonly problems: readonly string[]
}

/**
 * The steps of a migration's script, in the order in which they are to be done: as written, but an index is dropped last,
 * unless one of the same name is made. Statements that can't be done without a long lock are in `problems` with the reason;
 * the script is then one step as a whole.
 */
export const planOf = (sql: string): OnlinePlan => {
  const statements = splitStatements(sql)
  const made = new Set(statements.flatMap((statement) => CREATE_TABLE.exec(statement)?.groups?.['table'] ?? []))
  const problems = statements.flatMap((statement, index) => {
    const reason = reasonAgainst(statement, made, statements.slice(0, index))
    return reason === undefined ? [] : [`"${shortened(statement)}" ${reason}`]
  })
  if (problems.length > 0) return { steps: [{ kind: 'transaction', sql }], problems }
  const steps = statements.map((statement) => stepOf(statement, made))
  // Who reads has the old index until the new one is there, unless it has the same name.
  const names = new Set(steps.flatMap((step) => (step.kind === 'create-index' ? [step.name] : [])))
  const isLast = (step: Step): boolean => step.kind === 'drop-index' && !names.has(step.name)
  return { steps: [...steps.filter((step) => !isLast(step)), ...steps.filter(isLast)], problems }
}

const CREATE_TABLE = /^CREATE TABLE "(?<table>\w+)" \(/
const CREATE_INDEX = /^CREATE (?<unique>UNIQUE )?INDEX "(?<name>\w+)" (?<rest>ON "(?<table>\w+)"[\s\S]+)$/
const DROP_INDEX = /^DROP INDEX "(?<name>\w+)"$/
const ALTER_TABLE = /^ALTER TABLE "(?<table>\w+)"\s+(?<actions>[\s\S]+)$/
const CHANGE_ROWS = /^(?:UPDATE|DELETE|INSERT)\b/
const INSERT_VALUES = /^INSERT INTO "\w+" \([^()]*\) VALUES\b/
/** True as it stands, so that the script can also be run without batches. */
const BATCHES =
  /(?<=\bWHERE )\/\* batches of "(?<table>\w+)"\."(?<column>\w+)" \*\/ TRUE(?=$|\s+AND\b|\s+ON CONFLICT\b|\))/

/**
 * The step of a statement that may be done; `made`: the tables that the script makes, whose indexes need not be made
 * concurrently. A statement that is none of these is run as it is, in a transaction.
 */
const stepOf = (statement: string, made: ReadonlySet<string>): Step => {
  const index = CREATE_INDEX.exec(statement)?.groups
  if (index !== undefined && !made.has(index['table'] ?? '')) {
    const { unique = '', name = '', rest = '' } = index
    return { kind: 'create-index', name, sql: `CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS "${name}" ${rest}` }
  }
  const dropped = DROP_INDEX.exec(statement)?.groups?.['name']
  if (dropped !== undefined) return { kind: 'drop-index', name: dropped }
  const batches = BATCHES.exec(statement)
  if (batches?.groups !== undefined) {
    const { table = '', column = '' } = batches.groups
    const [before, after] = [statement.slice(0, batches.index), statement.slice(batches.index + batches[0].length)]
    return { kind: 'batches', table, column, before, after }
  }
  return { kind: 'transaction', sql: statement }
}

/**
 * Why a statement can't be done without a long lock, as the end of a sentence; undefined where it can. `made`: the tables
 * that the script makes, `earlier`: the statements before it.
 */
const reasonAgainst = (
  statement: string,
  made: ReadonlySet<string>,
  earlier: readonly string[],
): string | undefined => {
  if (statement.includes('CONCURRENTLY'))
    return 'is to be written without CONCURRENTLY: the program adds that itself where the store is in use, and new stores are made in one transaction.'
  if (CREATE_TABLE.test(statement) || CREATE_INDEX.test(statement) || DROP_INDEX.test(statement)) return undefined
  const { table = '', actions = '' } = ALTER_TABLE.exec(statement)?.groups ?? {}
  if (made.has(table)) return undefined
  if (actions !== '')
    return splitList(actions).flatMap((action) => reasonAgainstAction(action, table, earlier) ?? [])[0]
  if (CHANGE_ROWS.test(statement)) return reasonAgainstChange(statement)
  if (/^DROP TABLE\b|\bRENAME\b/.test(statement)) return OLDER_PROGRAMS
  return 'is not known to be done in a moment; see the README of the migrations.'
}

/** Why a change of rows can't be made online, as the end of a sentence; undefined if it can. */
const reasonAgainstChange = (statement: string): string | undefined => {
  if (INSERT_VALUES.test(statement) || (BATCHES.test(statement) && !/\bOR\b/.test(statement))) return undefined
  return 'changes a whole table in one transaction: it needs WHERE /* batches of "table"."id" */ TRUE, and no OR.'
}

const OLDER_PROGRAMS = 'takes away what older programs still read and write while the store is migrated.'

const CONSTANT = String.raw`(?:-?\d+(?:\.\d+)?|'(?:[^']|'')*'|TRUE|FALSE|NULL)`
const ADD_COLUMN = new RegExp(
  String.raw`^ADD COLUMN\s+"\w+" (?!\w*SERIAL)[A-Z]+(?: PRECISION)?(?:\(\d+(?:,\d+)?\))?(?:\[\])?(?: NOT NULL DEFAULT ${CONSTANT}| DEFAULT ${CONSTANT})?$`,
)
const QUICK_ACTIONS = [
  ADD_COLUMN,
  /^ADD CONSTRAINT "\w+" (?:CHECK|FOREIGN KEY)\b[\s\S]+ NOT VALID$/,
  // Reads the whole table, beside writers.
  /^VALIDATE CONSTRAINT "\w+"$/,
  /^DROP CONSTRAINT "\w+"$/,
  /^ALTER COLUMN "\w+" (?:DROP NOT NULL|DROP DEFAULT|SET STORAGE \w+)$/,
  new RegExp(`^ALTER COLUMN "\\w+" SET DEFAULT ${CONSTANT}$`),
]
const SET_NOT_NULL = /^ALTER COLUMN "(?<column>\w+)" SET NOT NULL$/

/**
 * Why one action of an `ALTER TABLE` can't be done without a long lock, as the end of a sentence; undefined where it can.
 * `earlier`: the statements before it.
 */
const reasonAgainstAction = (action: string, table: string, earlier: readonly string[]): string | undefined => {
  if (QUICK_ACTIONS.some((pattern) => pattern.test(action))) return undefined
  const notNull = SET_NOT_NULL.exec(action)?.groups?.['column']
  if (notNull !== undefined)
    return isNeverNull(table, notNull, earlier)
      ? undefined
      : `reads the whole table while nobody may: it needs a validated CHECK ("${notNull}" IS NOT NULL) before it.`
  if (/^ALTER COLUMN "\w+" (?:SET DATA )?TYPE\b/.test(action))
    return 'writes the whole table anew while nobody may read it: add a column instead, and fill it in batches.'
  if (action.startsWith('ADD COLUMN'))
    return 'may write or refuse every row: a column is added without a value, or with a constant DEFAULT.'
  if (action.startsWith('ADD CONSTRAINT'))
    return 'reads the whole table while nobody may write: add it NOT VALID, and VALIDATE it in the next statement.'
  if (/^(?:DROP COLUMN|RENAME)\b/.test(action)) return OLDER_PROGRAMS
  return 'is not known to be done in a moment; see the README of the migrations.'
}

/** Whether statements before have validated a constraint by which a column is never null, so that the server need not look. */
const isNeverNull = (table: string, column: string, earlier: readonly string[]): boolean =>
  earlier.some((statement, index) => {
    const added =
      /^ALTER TABLE "(?<table>\w+)" ADD CONSTRAINT "(?<name>\w+)" CHECK \("(?<column>\w+)" IS NOT NULL\) NOT VALID$/
    const { name, ...found } = added.exec(statement)?.groups ?? {}
    if (found['table'] !== table || found['column'] !== column) return false
    const later = earlier.slice(index + 1)
    return (
      later.includes(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${name}"`) &&
      !later.includes(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`)
    )
  })

const LONGEST_SHOWN = 100

/** A statement on one line, cut to `LONGEST_SHOWN` characters. */
const shortened = (statement: string): string => {
  const line = statement.replace(/\s+/g, ' ')
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line
}
