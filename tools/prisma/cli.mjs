// Runs Prisma's CLI offline: no update check, no telemetry, and our schema engine in place of the downloaded one.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configFile, storageFolder } from './dialects.mjs'

const prismaPackage = createRequire(import.meta.url).resolve('prisma/package.json')
const prismaBin = join(dirname(prismaPackage), 'build', 'index.js')
const schemaEngine = fileURLToPath(new URL('./schema-engine.mjs', import.meta.url))

/**
 * Resolves with what Prisma printed, or rejects with what it complained about.
 * @param {import('./dialects.mjs').Dialect} dialect
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<string>}
 */
export function prisma(dialect, args, env = {}) {
  const child = spawn(process.execPath, [prismaBin, ...args, '--config', configFile(dialect)], {
    cwd: storageFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The engine is a script: it has to find this very Node.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
      PRISMA_SCHEMA_ENGINE_BINARY: schemaEngine,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
      NO_COLOR: '1',
      // Set for tests by Nx; Prisma's own bundle wants none of it.
      NODE_OPTIONS: '',
      ...env,
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new Error(`prisma ${args.join(' ')} (${dialect}) failed with ${code}:\n${stderr}\n${stdout}`))
    })
  })
}
