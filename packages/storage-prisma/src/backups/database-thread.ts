/**
 * SQLite statements that take long, in a thread of their own, so that this one can go on. The thread uses the same native
 * module: another copy of SQLite in this process would release this one's locks when it closes the file.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

interface ThreadTask {
  readonly path: string
  readonly statements: readonly string[]
  /** Of each statement that takes some. */
  readonly parameters: readonly string[]
}

interface Answer {
  /** Of each statement. */
  readonly rows?: readonly (readonly unknown[])[]
  readonly code?: string
  readonly message?: string
}

/** How long a statement waits for a lock, ms. Only a rollback journal makes readers wait. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Runs statements on a file that is only read; the rows of each, none for those that give none. In the order of the
 * statements, each with the same parameters. Throws SQLite's errors.
 */
const run = ({ path, statements, parameters }: ThreadTask): readonly (readonly unknown[])[] => {
  const database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: LOCK_TIMEOUT_MS })
  try {
    return statements.map((sql) => {
      const statement = database.prepare(sql)
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    })
  } finally {
    database.close()
  }
}

/** As `run`; a text, as bundles have no file of it that a thread could be started with. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { module, timeout, path, statements, parameters } = workerData
let answer
try {
  const Sqlite = require(module)
  const database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout })
  try {
    const rows = statements.map((sql) => {
      const statement = database.prepare(sql)
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    })
    answer = { rows }
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
 * Runs statements on a connection of its own that does not write the file; returns the rows of each. Rejects with SQLite's
 * error and code. In a bundle that contains SQLite they run in this thread.
 */
export const runInThread = async (
  path: string,
  statements: readonly string[],
  parameters: readonly string[] = [],
): Promise<readonly (readonly unknown[])[]> => {
  const task = { path, statements, parameters }
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
