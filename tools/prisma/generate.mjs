// Generates the Prisma clients of both dialects into packages/storage-prisma/src/generated, and a module that holds the
// checked-in migrations, so that the program can apply them wherever it is bundled to. Needs no network.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prisma } from './cli.mjs'
import { DIALECTS, migrationsFolder, storageFolder } from './dialects.mjs'

/** @param {import('./dialects.mjs').Dialect} dialect */
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

try {
  await Promise.all(DIALECTS.map((dialect) => prisma(dialect, ['generate', '--no-hints'])))
  for (const dialect of DIALECTS) embedMigrations(dialect)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
