// SQLite as the schema engine needs it: see ../schema-engine.mjs.
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { runsScripts } from './scripts.mjs'

/**
 * A database for the schema engine. Nothing is opened yet.
 * @param {string} url `file:<path>`, relative to the working folder
 */
export function sqlite(url) {
  const file = resolve(url.slice('file:'.length).split('?', 1)[0])

  const create = () => {
    mkdirSync(dirname(file), { recursive: true })
    closeSync(openSync(file, 'a'))
  }
  const drop = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
  }

  return {
    probe() {
      if (!existsSync(file)) {
        throw Object.assign(new Error(`Database \`${basename(file)}\` does not exist`), { prismaCode: 'P1003' })
      }
    },
    create,
    drop,
    /** Emptying a SQLite database is making its file again. */
    reset() {
      drop()
      create()
    },
    adapterFactory() {
      const inner = new PrismaBetterSqlite3({ url: `file:${file}` })
      return {
        provider: inner.provider,
        adapterName: inner.adapterName,
        connect: async () => runsScripts(await inner.connect()),
        connectToShadowDb: async () => runsScripts(await inner.connectToShadowDb()),
      }
    },
    migrationsTable: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
      "id" TEXT PRIMARY KEY NOT NULL,
      "checksum" TEXT NOT NULL,
      "finished_at" DATETIME,
      "migration_name" TEXT NOT NULL,
      "logs" TEXT,
      "rolled_back_at" DATETIME,
      "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
      "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
    )`,
  }
}
