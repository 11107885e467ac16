// The command as benchmarks and checks call it: a store of their own, nothing of the user's settings.
import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cairnScript, repository, scratchFolder } from './paths.mjs'
import { run, runWell } from './processes.mjs'
import { filesBelow } from './transcripts.mjs'

/** Settings come from a folder that is empty. */
const home = scratchFolder('home')
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

export const cairnEnvironment = { CAIRN_HOME: home, CAIRN_DATABASE_URL: '' }

/**
 * The program and the arguments of the built `cairn`, for `run`. Nothing is started.
 * @param {readonly string[]} args
 */
export const cairnCommand = (args) => [process.execPath, cairnScript, ...args]

/**
 * Runs `cairn … --json`, which must succeed. Rejects when it fails or prints no JSON.
 * @param {readonly string[]} args
 * @returns {Promise<import('./processes.mjs').Run & { json: any }>}
 */
export async function cairnJson(args) {
  const result = await runWell(cairnCommand([...args, '--json']), { env: cairnEnvironment })
  return { ...result, json: JSON.parse(result.stdout) }
}

/** The command's message for an unexpected error. */
const UNEXPECTED = /That was not expected/

/**
 * Runs `cairn` with its own settings folder and resolves with what it printed, whatever its exit code. Throws for an
 * unexpected error, which is always a fault.
 */
export async function cairn(args) {
  const result = await run(cairnCommand(args), { env: cairnEnvironment })
  if (UNEXPECTED.test(result.stderr)) throw new Error(`cairn ${args.join(' ')}: ${result.stderr.slice(0, 2000)}`)
  return result
}

/**
 * Builds the command again if a source is newer than it, so that the current sources are measured. Rejects when the
 * build fails, or the built command does not start.
 */
export async function ensureBuilt() {
  const folder = dirname(dirname(cairnScript))
  const built = statSync(join(folder, 'dist', 'main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['core', 'storage-prisma', 'adapter-cli'].flatMap((name) =>
    filesBelow(join(repository, 'packages', name, 'src')),
  )
  if (sources.some((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && statSync(file).mtimeMs > built))
    await runWell([process.execPath, join(folder, 'build.mjs')])
  await runWell(cairnCommand(['--version']), { env: cairnEnvironment })
}
