// Where the two databases' schemas, migrations and clients are, and how Prisma is told.
//
// The models are written once, in prisma/models. Prisma reads one folder per schema and has no import, so each
// dialect's folder is put together from its own schema.prisma (generator and datasource) and the shared models.
// Copies instead of symbolic links, because a checkout on Windows often cannot make those.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const storageFolder = fileURLToPath(new URL('../../packages/storage-prisma', import.meta.url))
export const DIALECTS = /** @type {const} */ (['sqlite', 'postgresql'])

/** @typedef {typeof DIALECTS[number]} Dialect */

/**
 * Its path.
 * @param {Dialect} dialect
 */
export function migrationsFolder(dialect) {
  return join(storageFolder, 'prisma', dialect, 'migrations')
}

/**
 * The path of Prisma's configuration for it.
 * @param {Dialect} dialect
 */
export function configFile(dialect) {
  return join(storageFolder, 'prisma', `${dialect}.config.mjs`)
}

/**
 * Puts a dialect's schema together and returns its folder. Files that are right already are not touched, so that
 * several processes may do it at once. Files that are no part of the schema any more are removed.
 * @param {Dialect} dialect
 */
export function assembleSchema(dialect) {
  const sources = join(storageFolder, 'prisma')
  const target = join(storageFolder, '.prisma', dialect)
  const wanted = new Map([['schema.prisma', readFileSync(join(sources, dialect, 'schema.prisma'), 'utf8')]])
  for (const name of readdirSync(join(sources, 'models')).filter((name) => name.endsWith('.prisma'))) {
    wanted.set(name, readFileSync(join(sources, 'models', name), 'utf8'))
  }
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(target)) {
    if (!wanted.has(name)) rmSync(join(target, name), { force: true })
  }
  for (const [name, text] of wanted) {
    const file = join(target, name)
    if (readIfThere(file) !== text) writeFileSync(file, text)
  }
  return target
}

/**
 * Prisma's configuration for one dialect. `externalTables` are those that a migration makes by hand and that no
 * model describes (full-text indexes); without the list they would count as drift.
 * @param {Dialect} dialect
 * @param {{ externalTables?: readonly string[] }} [options]
 * @returns {import('prisma/config').PrismaConfig}
 */
export function prismaConfig(dialect, { externalTables = [] } = {}) {
  return {
    schema: assembleSchema(dialect),
    migrations: { path: migrationsFolder(dialect) },
    datasource: {
      // Generating needs no database, but Prisma wants a URL of the right kind.
      url:
        process.env.CAIRN_PRISMA_URL ?? (dialect === 'sqlite' ? 'file:./unused.db' : 'postgresql://localhost/unused'),
      ...(process.env.CAIRN_PRISMA_SHADOW_URL ? { shadowDatabaseUrl: process.env.CAIRN_PRISMA_SHADOW_URL } : {}),
    },
    experimental: { externalTables: true },
    tables: { external: externalTables.map((name) => (dialect === 'postgresql' ? `public.${name}` : name)) },
  }
}

/** A file's text; undefined where it can't be read. */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
