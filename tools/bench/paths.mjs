// Where benchmarks and checks find things: the command, the data beside the repository, a cache for what is made.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../', import.meta.url))

/** The command as its users start it. */
export const cairnScript = join(repository, 'packages', 'adapter-cli', 'bin', 'cairn.js')

/** Real transcripts lie beside the repository where they are available at all. */
const sharedData = join(repository, '..', 'shared', 'data')

/**
 * The real data beside the repository; it is asked each time.
 * @returns {string | undefined} the folder of real data; undefined where it is absent
 */
export const dataFolder = () => (existsSync(sharedData) ? sharedData : undefined)

/** Sessions that come with the repository: the stand-in where the real data is absent. */
export const samplesFolder = join(repository, 'samples')

/**
 * A folder under the system's temporary one whose content survives between runs. It is made where it is not there.
 * @param {string} name
 */
export function cacheFolder(name) {
  const folder = join(tmpdir(), 'cairn-bench', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * A new, empty folder; the caller removes it.
 * @param {string} name
 */
export const scratchFolder = (name) => mkdtempSync(join(tmpdir(), `cairn-${name}-`))

/** The script that npm links as `ccusage`. Throws where the package is not installed. */
export function ccusageScript() {
  const manifest = createRequire(import.meta.url).resolve('ccusage/package.json')
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.ccusage)
}

/**
 * Changes when the SQLite tables do: what was generated for other tables is not used. A hash of 12 hex digits over the
 * migrations, in order.
 */
export function schemaHash() {
  const folder = join(repository, 'packages', 'storage-prisma', 'prisma', 'sqlite', 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name, 'migration.sql')
    if (existsSync(file)) hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}
