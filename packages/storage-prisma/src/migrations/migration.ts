/** Migrations as data: a name, the statements, and their checksum; one list for each database. */
import { createHash } from 'node:crypto'

export interface Migration {
  /** When it was written and what it is about: `20261120115909_init`. */
  readonly name: string
  /** Statements for one of the databases, run as one script. */
  readonly sql: string
  /** SHA-256 of the statements, hex. */
  readonly checksum: string
}

const NAME = /^\d{14}_[a-z0-9]+(?:_[a-z0-9]+)*$/

/**
 * What is wrong with a list of migrations, as sentences: a name of another form, two in the wrong order or of the same
 * time, statements that are not those of the checksum. None for a good list.
 */
export const migrationProblems = (migrations: readonly Migration[]): readonly string[] => {
  const problems: string[] = []
  for (const [index, { name, sql, checksum }] of migrations.entries()) {
    const before = migrations[index - 1]?.name
    if (!NAME.test(name)) problems.push(`"${name}" is no name of a migration, such as 20261120115909_init.`)
    if (before !== undefined && timeOf(before) >= timeOf(name))
      problems.push(`"${name}" must be later than "${before}", which comes before it.`)
    if (sql.trim() === '') problems.push(`"${name}" has no statements.`)
    if (createHash('sha256').update(sql).digest('hex') !== checksum)
      problems.push(`The statements of "${name}" are not those of its checksum.`)
  }
  return problems
}

const timeOf = (name: string): string => name.slice(0, 14)
