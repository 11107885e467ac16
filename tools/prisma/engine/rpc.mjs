// The JSON-RPC side of the schema engine: requests a line on stdin, answers a line on stdout, in order.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

// What Prisma's CLI expects of a failed request.
const REQUEST_FAILED = 4466

/**
 * Answers requests until stdin ends.
 * @param {{ database: ReturnType<typeof import('./sqlite.mjs').sqlite>, schemaFiles: string[] }} options
 */
export async function serve({ database, schemaFiles }) {
  let engine
  const start = async () => {
    if (engine) return engine
    loadWasm()
    const datamodels = schemaFiles.map((file) => [file, readFileSync(file, 'utf8')])
    const factory = bindMigrationAwareSqlAdapterFactory(database.adapterFactory())
    const silent = () => undefined
    engine = await bindings.SchemaEngine.new(
      { datamodels: datamodels.length > 0 ? datamodels : undefined },
      silent,
      factory,
    )
    return engine
  }

  // A loop, not handlers: the CLI's requests depend on each other.
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const request = JSON.parse(line)
    // Lines without a method are answers to our own `print`.
    if (!request.method) continue
    try {
      send({ id: request.id, result: (await answer(request)) ?? null })
    } catch (error) {
      send({
        id: request.id,
        error: {
          code: REQUEST_FAILED,
          message: error.message ?? String(error),
          data: { is_panic: false, message: error.message ?? String(error), error_code: error.code, meta: error.meta },
        },
      })
    }
  }
  // The wasm engine may hold connections; nothing is left to wait for.
  process.exit(0)

  async function answer({ id, method, params }) {
    if (method === 'reset' && database.reset && !engine) return database.reset()
    const running = await start()
    if (method === 'getDatabaseVersion') return running.version(params)
    const result = await withMigrationsTable(() => running[method](params))
    if (method !== 'diff') return result
    // The native engine prints a diff through the CLI; the wasm engine returns the text.
    if (result.stdout != null)
      send({ id: `print-${id}`, method: 'print', params: { content: result.stdout.replace(/\n$/, '') } })
    return { exitCode: result.exitCode }
  }

  /** A database that never saw a migration has no table of them, which the wasm engine takes for a failure. */
  async function withMigrationsTable(call) {
    try {
      return await call()
    } catch (error) {
      if (!/_prisma_migrations/.test(error?.message ?? '')) throw error
      const adapter = await database.adapterFactory().connect()
      await adapter.executeScript(database.migrationsTable)
      await adapter.dispose()
      return call()
    }
  }
}

function send(message) {
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n')
}

// Where the wasm engine leaves the reason when it panics; without it, the panic itself fails with a riddle.
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (message) => process.stderr.write(`schema engine panicked: ${message}\n`),
}

/** The package leaves instantiating its module to a bundler; Node does it here. */
function loadWasm() {
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm')
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    './schema_engine_bg.js': bindings,
  })
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
}
