/**
 * SQLite statements that take long, in a thread of their own, so that this one can go on. The thread uses the same native
 * module: another copy of SQLite in this process would release this one's locks when it closes the file.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** One statement on one file. */
export interface ThreadTask {
  readonly path: string
  readonly sql: string
  readonly parameters: readonly string[]
}

interface Answer {
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly code?: string
  readonly message?: string
}

/** How long a statement waits for a lock, ms. Only a rollback journal makes readers wait. */
const LOCK_TIMEOUT_MS = 10_000

const run = ({ path, sql, parameters }: ThreadTask): readonly unknown[] => {
  const database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: LOCK_TIMEOUT_MS })
  try {
    const statement = database.prepare(sql)
    if (statement.reader) return statement.all(...parameters)
    statement.run(...parameters)
    return []
  } finally {
    database.close()
  }
}

/** As `run`; a text, as bundles have no file of it that a thread could be started with. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { module, timeout, path, sql, parameters } = workerData
let answer
try {
  const Sqlite = require(module)
  const database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout })
  try {
    const statement = database.prepare(sql)
    if (statement.reader) answer = { rows: statement.all(...parameters) }
    else {
      statement.run(...parameters)
      answer = { rows: [] }
    }
  } finally {
    database.close()
  }
} catch (error) {
  answer = { code: error.code, message: error.message }
}
parentPort.postMessage(answer)
`

/** Where the native module's package is; undefined in a bundle that contains it. */
const modulePath = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('better-sqlite3')
  } catch {
    return undefined
  }
}

/**
 * Runs a statement on a connection of its own that does not write the file. Rejects with SQLite's error and code. In a
 * bundle that contains SQLite it runs in this thread.
 */
export const runInThread = async (task: ThreadTask): Promise<readonly unknown[]> => {
  const module = modulePath()
  if (module === undefined) return run(task)
  const answer = await new Promise<Answer>((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      // Those of this process are not for it.
      execArgv: [],
      workerData: { ...task, module, timeout: LOCK_TIMEOUT_MS },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without an answer')))
  })
  if (answer.rows !== undefined) return answer.rows
  throw Object.assign(new Error(answer.message), { code: answer.code })
}
