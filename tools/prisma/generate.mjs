// Generates the Prisma clients of both dialects into packages/storage-prisma/src/generated, and a module that holds the
// checked-in migrations, so that the program can apply them wherever it is bundled to. Needs no network.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prisma } from './cli.mjs'
import { DIALECTS, migrationsFolder, storageFolder } from './dialects.mjs'

/**
 * Writes the migrations of a dialect with their checksums into a source file, by name.
 * @param {import('./dialects.mjs').Dialect} dialect
 */
function embedMigrations(dialect) {
  const folder = migrationsFolder(dialect)
  const migrations = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name, 'migration.sql'))
      return { name, checksum: createHash('sha256').update(bytes).digest('hex'), sql: bytes.toString('utf8') }
    })
  const text = `// Made by tools/prisma/generate.mjs from prisma/${dialect}/migrations.\nexport const migrations = ${JSON.stringify(migrations, null, 2)} as const\n`
  writeFileSync(join(storageFolder, 'src', 'generated', dialect, 'migrations.ts'), text)
}

/** @throws Error where a migration is there for one database only, or two have the same time: their order would be chance */
function checkMigrations() {
  const [first, second] = DIALECTS.map((dialect) =>
    readdirSync(migrationsFolder(dialect), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    ),
  )
  const unpaired = [...first, ...second].find((name) => !first.includes(name) || !second.includes(name))
  if (unpaired !== undefined) throw new Error(`the migration ${unpaired} is there for one database only`)
  const misnamed = first.find((name) => !/^\d{14}_[a-z0-9_]+$/.test(name))
  if (misnamed !== undefined) throw new Error(`${misnamed} is no name of a migration, such as 20261120115909_init`)
  const times = first.map((name) => name.slice(0, 14))
  const twice = times.find((time, index) => times.indexOf(time) !== index)
  if (twice !== undefined) throw new Error(`two migrations are of the time ${twice}; rename the later one`)
}

try {
  checkMigrations()
  await Promise.all(DIALECTS.map((dialect) => prisma(dialect, ['generate', '--no-hints'])))
  for (const dialect of DIALECTS) embedMigrations(dialect)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
