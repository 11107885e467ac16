#!/usr/bin/env node
// Prisma's schema engine without its native binary, so that no download is ever needed.
//
// Prisma's CLI starts the program named by PRISMA_SCHEMA_ENGINE_BINARY and talks to it in one of two ways:
//   schema-engine … cli <can-connect-to-database|create-database|drop-database>   one action, answer by exit code
//   schema-engine …                                                             JSON-RPC, a message a line, on stdio
// Both are answered here with @prisma/schema-engine-wasm and the same driver adapters that the product uses.
import { parseArgs } from 'node:util'
import { postgresql } from './engine/postgresql.mjs'
import { serve } from './engine/rpc.mjs'
import { sqlite } from './engine/sqlite.mjs'

const { values, positionals } = parseArgs({
  // The CLI passes more options than matter here, and they change between releases.
  strict: false,
  allowPositionals: true,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
  },
})

const url = JSON.parse(values.datasource ?? '{}').url ?? ''
const database = url.startsWith('file:') ? sqlite(url) : postgresql(url)

if (positionals[0] === 'cli') {
  process.exitCode = await act(positionals[1])
} else {
  await serve({ database, schemaFiles: values.datamodels ?? [] })
}

/**
 * One action on the database as a whole; returns the exit code. Prisma reads the outcome from that and from log lines
 * on stderr.
 */
async function act(command) {
  const actions = {
    'can-connect-to-database': () => database.probe(),
    'create-database': () => database.create(),
    'drop-database': () => database.drop(),
  }
  const log = (level, fields) =>
    process.stderr.write(
      JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' }) + '\n',
    )
  // Prisma skips the first line, where the native engine names itself, and reads the others as JSON.
  process.stderr.write('schema-engine\n')
  try {
    if (!(command in actions)) throw new Error(`Unknown command: ${command}`)
    await actions[command]()
    if (command === 'drop-database') log('INFO', { message: 'The database was successfully dropped.' })
    return 0
  } catch (error) {
    log('ERROR', { is_panic: false, error_code: error.prismaCode ?? 'P1001', message: error.message })
    return 1
  }
}
