import { describe, expect, it } from '@jest/globals'
import Sqlite from 'better-sqlite3'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations } from '../generated/sqlite/migrations.ts'
import { tables } from './schema.ts'

const types: Readonly<Record<string, string>> = {
  INTEGER: 'int',
  BIGINT: 'bigint',
  REAL: 'real',
  TEXT: 'text',
  BLOB: 'bytes',
}

describe('the tables of the raw statements', () => {
  it('are those of the migrations, column by column', () => {
    const database = new Sqlite(':memory:')
    for (const { sql } of migrations) database.exec(sql)
    for (const table of Object.values(tables)) {
      const columns = database
        .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)')
        .all(table.name)
      expect([table.name, Object.fromEntries(columns.map(({ name, type }) => [name, types[type]]))]).toEqual([
        table.name,
        table.columns,
      ])
    }
    database.close()
  })

  it('have migrations with the same names on both databases', () => {
    expect(migrations.map(({ name }) => name)).toEqual(postgresMigrations.map(({ name }) => name))
  })
})
