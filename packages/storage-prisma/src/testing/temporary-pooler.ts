/** PgBouncer for tests, in transaction mode, in front of a PostgreSQL server: Debian's package, run in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './temporary-postgres.ts'

const START_MS = 10_000
/** Debian keeps daemons where only root's PATH looks. */
const env = { ...process.env, PATH: [process.env['PATH'], '/usr/sbin'].join(delimiter) }

export interface TemporaryPooler {
  /** The address of one of the server's databases, through the pooler. */
  through(address: string): string
  /** Ends it at once, with all its connections, and starts it again at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Whether `pgbouncer` is installed; what needs it is skipped where it is not. */
export const isPoolerInstalled = (): boolean => spawnSync('pgbouncer', ['--version'], { env }).status === 0

/** Waits until something listens. Rejects after ten seconds. */
const untilListening = async (port: number): Promise<void> => {
  const endAt = performance.now() + START_MS
  for (;;) {
    const isListening = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', () => {
        resolve(false)
      })
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
    })
    if (isListening) return
    if (performance.now() > endAt) throw new Error(`PgBouncer does not listen on port ${port}`)
    await setTimeout(20)
  }
}

/**
 * Starts PgBouncer in front of the server of an address. @param poolSize connections to the server for a database, which
 * all clients share: few, so that a transaction rarely gets the connection of the one before
 */
export const startPooler = async (address: string, poolSize = 4): Promise<TemporaryPooler> => {
  const server = new URL(address)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pooler-'))
  // As root, it runs as the user of Debian's package, who must reach the folder.
  chmodSync(folder, 0o755)
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`)
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
server_idle_timeout = 2
server_login_retry = 1
${process.getuid?.() === 0 ? 'user = postgres\n' : ''}`,
  )
  let child: ChildProcess | undefined
  const end = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('close', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  const endAtOnce = (): void => {
    child?.kill('SIGKILL')
  }
  process.once('exit', endAtOnce)
  const start = async (): Promise<void> => {
    child = spawn('pgbouncer', ['--quiet', settings], { env, stdio: 'ignore' })
    await untilListening(port)
  }
  await start()
  return {
    through: (database) => {
      const url = new URL(database)
      url.host = `127.0.0.1:${port}`
      return url.toString()
    },
    restart: async () => {
      await end()
      await start()
    },
    stop: async () => {
      await end()
      process.off('exit', endAtOnce)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
