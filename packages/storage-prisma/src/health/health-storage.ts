/** Health of a store on SQLite or PostgreSQL: what this program measures, and what all of them stored. */
import { KEPT_QUARTERS, addSamples, parseSample, sampleText } from '@cairn/core'
import type { HealthRecorder, HealthSample, HealthStorage, ReplicaLag, TableSize } from '@cairn/core'
import { replicaLagOf } from '../postgres/replica-lag.ts'
import type { DialectName, SqlDatabase } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'

/** How often a program that runs long stores what it measured. */
const STORED_MS = 60_000

const SIZES: Readonly<Record<DialectName, string>> = {
  sqlite: `SELECT sqlite_schema.tbl_name AS name, sum(dbstat.pgsize) AS bytes
    FROM dbstat JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
    WHERE dbstat.aggregate = TRUE GROUP BY sqlite_schema.tbl_name ORDER BY bytes DESC, name`,
  postgresql: `SELECT relname AS name, pg_total_relation_size(pg_class.oid) AS bytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname = current_schema() ORDER BY bytes DESC, name`,
}

interface SampleRow {
  readonly bucket: number
  readonly data: string
}

/** Stores samples, and those of the recorder every minute and at the end. */
export class SqlHealthStorage implements HealthStorage {
  readonly #database: SqlDatabase
  readonly #recorder: HealthRecorder
  readonly #timer: NodeJS.Timeout

  constructor(database: SqlDatabase, recorder: HealthRecorder) {
    this.#database = database
    this.#recorder = recorder
    this.#timer = setInterval(() => void this.#store(), STORED_MS)
    this.#timer.unref()
  }

  /**
   * Adds a sample to its quarter of an hour, to what other programs measured then; quarters older than `KEPT_QUARTERS`
   * are deleted.
   */
  async add(sample: HealthSample): Promise<void> {
    const { dialect } = this.#database
    await this.#database.transaction({ durability: 'lazy', unmeasured: true }, async (transaction) => {
      const [row] = await transaction.all<SampleRow>(
        `SELECT bucket, data FROM health_sample WHERE bucket = ?${lockClause(dialect)}`,
        [sample.bucket],
      )
      if (row === undefined)
        // Where another program inserts it at the same time, the transaction is run again, and finds it.
        await transaction.insert(tables.healthSample, ['bucket', 'data'], [[sample.bucket, sampleText(sample)]])
      else
        await transaction.run('UPDATE health_sample SET data = ? WHERE bucket = ?', [
          sampleText(addSamples(parseSample(row.bucket, row.data), sample)),
          sample.bucket,
        ])
      await transaction.run('DELETE FROM health_sample WHERE bucket <= ?', [sample.bucket - KEPT_QUARTERS])
    })
  }

  /** The samples from a quarter of an hour on, in order, with what this program has measured and not stored yet. */
  async since(bucket: number): Promise<readonly HealthSample[]> {
    const rows = await this.#database.all<SampleRow>(
      'SELECT bucket, data FROM health_sample WHERE bucket >= ? ORDER BY bucket',
      [bucket],
    )
    const samples = rows.map((row) => parseSample(row.bucket, row.data))
    const own = this.#recorder.peek(Date.now())
    const last = samples.at(-1)
    if (own.bucket < bucket) return samples
    return last?.bucket === own.bucket ? [...samples.slice(0, -1), addSamples(last, own)] : [...samples, own]
  }

  tableSizes(): Promise<readonly TableSize[]> {
    return this.#database.all<TableSize>(SIZES[this.#database.dialect])
  }

  replicaLag(): Promise<ReplicaLag | null> {
    return this.#database.dialect === 'postgresql' ? replicaLagOf(this.#database) : Promise.resolve(null)
  }

  /** Stores what was measured, if this program has written anything: a reader writes nothing. Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#store()
  }

  /** Stores what was measured, if there is anything. Never rejects: nothing depends on it. */
  async #store(): Promise<void> {
    if (!this.#recorder.hasWritten) return
    try {
      await this.add(this.#recorder.take(Date.now()))
    } catch {
      // Nothing depends on it.
    }
  }
}

/** The end of a query that locks its rows; '' where the database needs none. */
const lockClause = (dialect: DialectName): string => (dialect === 'postgresql' ? ' FOR UPDATE' : '')
