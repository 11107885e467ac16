// PostgreSQL as the schema engine needs it: see ../schema-engine.mjs.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { runsScripts } from './scripts.mjs'

// Type ids of PostgreSQL's catalogue: the one-byte "char", which the adapter refuses, and the ordinary character type.
const SINGLE_BYTE_CHAR = 18
const BLANK_PADDED_CHAR = 1042
const DATABASE_MISSING = '3D000'

/**
 * A database for the schema engine; without a URL the one of this machine. Nothing is connected yet.
 * @param {string} url a connection string; `?schema=` chooses the schema, `?host=` a socket's folder
 */
export function postgresql(url) {
  const parts = url === '' ? new URL('postgresql://localhost/postgres') : new URL(url)
  const schema = parts.searchParams.get('schema') ?? 'public'
  const name = decodeURIComponent(parts.pathname.slice(1))

  // Separate fields instead of the connection string: with that, a shadow database would be the main database again.
  const connection = (database) => ({
    host: parts.searchParams.get('host') ?? decodeURIComponent(parts.hostname),
    port: Number(parts.port || 5432),
    user: decodeURIComponent(parts.username) || undefined,
    password: decodeURIComponent(parts.password) || undefined,
    database,
    ...(schema === 'public' ? {} : { options: `-c search_path=${schema}` }),
  })

  /** A statement about a database, sent while connected to another one. */
  const administer = async (sql, database = 'postgres') => {
    const client = new pg.Client(connection(database))
    try {
      await client.connect()
      await client.query(sql)
    } catch (error) {
      if (error.code === DATABASE_MISSING) error.prismaCode = 'P1003'
      throw error
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  const connect = async (database, afterClosing = async () => undefined) => {
    const pool = new pg.Pool({ ...connection(database), max: 1 })
    const query = pool.query.bind(pool)
    // The adapter refuses the catalogue's "char" columns: it is told that they are ordinary characters, and the engine,
    // which wants a single character from them, is told so afterwards.
    let singleCharacters = new Set()
    pool.query = async (...args) => {
      const result = await query(...args)
      singleCharacters = renameSingleByteChars(result)
      return result
    }
    const adapter = await new PrismaPg(pool, { schema }).connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (request) => {
      const result = await queryRaw(request)
      result.columnTypes = result.columnTypes.map((type, column) =>
        singleCharacters.has(column) ? ColumnTypeEnum.Character : type,
      )
      return result
    }
    // The adapter cuts scripts at every semicolon, also inside of function bodies; the server takes them whole.
    adapter.executeScript = async (sql) => {
      try {
        await query(sql)
      } catch (error) {
        adapter.onError(error)
      }
    }
    adapter.dispose = async () => {
      await pool.end()
      await afterClosing()
    }
    return runsScripts(adapter)
  }

  return {
    probe: () => administer('SELECT 1', name),
    create: () => administer(`CREATE DATABASE ${pg.escapeIdentifier(name)}`),
    drop: () => administer(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    adapterFactory: () => ({
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect: () => connect(name),
      /** Creates an empty database and connects to it; it is dropped when the connection is disposed. */
      connectToShadowDb: async () => {
        const shadow = `prisma_migrate_shadow_db_${randomUUID()}`
        await administer(`CREATE DATABASE ${pg.escapeIdentifier(shadow)}`, name)
        return connect(shadow, () =>
          administer(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(shadow)} WITH (FORCE)`, name),
        )
      },
    }),
    migrationsTable: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
      "id" VARCHAR(36) PRIMARY KEY NOT NULL,
      "checksum" VARCHAR(64) NOT NULL,
      "finished_at" TIMESTAMPTZ,
      "migration_name" VARCHAR(255) NOT NULL,
      "logs" TEXT,
      "rolled_back_at" TIMESTAMPTZ,
      "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
      "applied_steps_count" INTEGER NOT NULL DEFAULT 0
    )`,
  }
}

/** Gives "char" columns a type that the adapter knows, and returns the columns' numbers. */
function renameSingleByteChars(result) {
  const found = new Set()
  for (const part of [result].flat()) {
    for (const [column, field] of (part.fields ?? []).entries()) {
      if (field.dataTypeID !== SINGLE_BYTE_CHAR) continue
      field.dataTypeID = BLANK_PADDED_CHAR
      found.add(column)
    }
  }
  return found
}
