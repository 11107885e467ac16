/** A streaming replica for tests: a copy of a running test server that follows it, until it is promoted or stopped. */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './temporary-postgres.ts'

const START_MS = 20_000
/** What belongs to the running server alone. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts']

export interface TemporaryStandby {
  readonly port: number
  /** The address of one of the primary's databases, on the standby. */
  at(address: string): string
  /** Runs a statement on the standby as its superuser, in the primary's database of the address given at the start. */
  run<R extends pg.QueryResultRow>(sql: string): Promise<readonly R[]>
  /** Makes it a server of its own, which takes writes; waits until it does. */
  promote(): Promise<void>
  /** Ends it at once, as a crash does; its data stays until `stop`. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Runs a statement in a connection of its own. Rejects with the driver's errors. */
const query = async <R extends pg.QueryResultRow>(address: string, sql: string): Promise<readonly R[]> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Copies the running server's files to a folder, as `pg_basebackup` does, which npm's server comes without. */
const copyServer = async (address: string, target: string): Promise<{ readonly programs: string }> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const facts = await client.query<{ data: string; programs: string }>(
      "SELECT current_setting('data_directory') AS data, (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS programs",
    )
    const [{ data, programs } = { data: '', programs: '' }] = facts.rows
    await client.query("SELECT pg_backup_start('standby', true)")
    cpSync(data, target, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    writeFileSync(join(target, 'backup_label'), rows[0]?.labelfile ?? '')
    const { username, password, hostname, port } = new URL(address)
    appendFileSync(
      join(target, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password} application_name=standby'\n`,
    )
    writeFileSync(join(target, 'standby.signal'), '')
    own(target, data)
    return { programs }
  } finally {
    await client.end()
  }
}

/** Gives the copy to the user who has the original, where this is not the same. */
const own = (target: string, data: string): void => {
  const { uid, gid } = statSync(data)
  const inside = readdirSync(target, { recursive: true, encoding: 'utf8' }).map((name) => join(target, name))
  if (process.getuid?.() === 0) for (const path of [target, ...inside]) lchownSync(path, uid, gid)
  chmodSync(target, 0o700)
}

/** Calls `ask` until it says yes. Rejects after twenty seconds, with what it rejected with last. */
const until = async (ask: () => Promise<boolean>): Promise<void> => {
  const endAt = performance.now() + START_MS
  for (;;) {
    const result = await ask().catch((error: unknown) => error)
    if (result === true) return
    if (performance.now() > endAt) throw new Error('the standby did not get there in time', { cause: result })
    await setTimeout(20)
  }
}

/**
 * Starts a standby that streams from the server of an address, which must run on this machine. It ends at `stop`, or
 * with the process. Rejects when it takes no connections within twenty seconds.
 */
export const startStandby = async (address: string): Promise<TemporaryStandby> => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-standby-'))
  // As root, the server runs as another user, who must reach the folder.
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const { programs } = await copyServer(address, data)
  const port = await freePort()
  const { uid, gid } = statSync(data)
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-c', 'fsync=off', '-c', 'unix_socket_directories='],
    { stdio: 'ignore', ...(process.getuid?.() === 0 ? { uid, gid } : {}) },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  const endAtOnce = (): void => {
    child.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', endAtOnce)
  const at = (database: string): string => {
    const url = new URL(database)
    url.port = String(port)
    return url.toString()
  }
  await until(async () => (await query(at(address), 'SELECT 1')).length === 1)
  return {
    port,
    at,
    run: (sql) => query(at(address), sql),
    promote: async () => {
      await query(at(address), 'SELECT pg_promote(false)')
      await until(async () => {
        const rows = await query<{ recovering: boolean }>(at(address), 'SELECT pg_is_in_recovery() AS recovering')
        return rows[0]?.recovering === false
      })
    },
    kill: async () => {
      child.kill('SIGQUIT')
      await ended
    },
    stop: async () => {
      child.kill('SIGINT')
      await ended
      process.off('exit', endAtOnce)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
