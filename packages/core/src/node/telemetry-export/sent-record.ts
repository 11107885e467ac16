/**
 * What one collector was sent: which requests, and what they add up to. Kept in the store, so that the next export sends what
 * is new; numbers of rows, and nothing that was said.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CairnError } from '../../errors.ts'
import type { JsonValue } from '../../json.ts'
import type { StateStorage } from '../../ports/state-storage.ts'
import type { Destination } from './destination.ts'
import { addHistograms, type Histograms } from './histogram.ts'

/** Rows from the first on, before the last. */
type RowRange = readonly [number, number]

const pointSchema = z.object({
  metric: z.enum(['gen_ai.client.token.usage', 'gen_ai.client.operation.duration']),
  attributes: z.record(z.string(), z.string()),
  count: z.number(),
  sum: z.number(),
  min: z.number(),
  max: z.number(),
  buckets: z.array(z.number()),
})

const recordSchema = z.object({
  version: z.literal(1),
  /** When the sums began, ms. */
  startMs: z.number(),
  /** When metrics were last sent, ms. */
  metricsMs: z.number(),
  /** Sent requests of each session, by the row of the session. */
  sessions: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))),
  totals: z.record(z.string(), pointSchema),
  /** The part of the totals that no export of metrics has told yet. */
  untold: z.record(z.string(), pointSchema),
})

type RecordValue = z.infer<typeof recordSchema>

const GLOBAL = { tier: 'global' } as const

export class SentRecord {
  readonly #state: StateStorage
  readonly #key: string
  #stored: JsonValue | undefined
  #value: RecordValue

  private constructor(state: StateStorage, key: string, stored: JsonValue | undefined, value: RecordValue) {
    this.#state = state
    this.#key = key
    this.#stored = stored
    this.#value = value
  }

  /**
   * The record of a collector; undefined: of one that was sent nothing. One that can't be read counts as none: what is sent
   * again has the same ids.
   */
  static async of(destination: Destination | undefined, state: StateStorage, now: number): Promise<SentRecord> {
    const urls = [destination?.traces.url, destination?.metrics.url]
    const target = createHash('sha256').update(JSON.stringify(urls)).digest('hex')
    const key = `otel.sent.${target.slice(0, 16)}`
    const stored = await state.get(GLOBAL, key)
    const read = recordSchema.safeParse(stored)
    const none = { version: 1 as const, startMs: now - 1, metricsMs: now - 1, sessions: {}, totals: {}, untold: {} }
    return new SentRecord(state, key, stored, read.success ? read.data : none)
  }

  get startMs(): number {
    return this.#value.startMs
  }

  get metricsMs(): number {
    return this.#value.metricsMs
  }

  get totals(): Histograms {
    return this.#value.totals
  }

  get untold(): Histograms {
    return this.#value.untold
  }

  /** Whether a request, by its row and that of its session, is noted as sent. */
  isSent(session: number, request: number): boolean {
    return this.#rangesOf(session).some(([from, to]) => request >= from && request < to)
  }

  /** The first row of a session's requests that may not have been sent; 0 where that is not known. */
  firstUnsent(session: number): number {
    const [[from, to] = [1, 0]] = this.#rangesOf(session)
    return from === 0 ? to : 0
  }

  /**
   * Notes that requests of a session were sent, by their rows; in memory, until `save`. `all`: all of its requests,
   * ascending. What was noted as sent before, of rows in `all`, stays so.
   */
  addSent(session: number, all: readonly number[], sent: ReadonlySet<number>): void {
    const ranges: [number, number][] = []
    let isOpen = false
    for (const [index, row] of all.entries()) {
      const isRowSent = sent.has(row) || this.isSent(session, row)
      const last = ranges.at(-1)
      if (isRowSent && isOpen && last !== undefined) last[1] = row + 1
      else if (isRowSent) ranges.push([index === 0 ? 0 : row, row + 1])
      isOpen = isRowSent
    }
    this.#value.sessions[String(session)] = ranges
  }

  /** Adds to both sums, the totals and what no export of metrics has told yet. Points of the same key are added up. */
  count(histograms: Histograms): void {
    const { totals, untold } = this.#value
    this.#value = {
      ...this.#value,
      totals: mutable(addHistograms(totals, histograms)),
      untold: mutable(addHistograms(untold, histograms)),
    }
  }

  /** Notes that an export of metrics at this time (ms) told all sums: nothing is untold then. */
  setTold(at: number): void {
    this.#value = { ...this.#value, untold: {}, metricsMs: at }
  }

  /** Stores the record. Rejects with `storage-busy` where another export to this collector wrote meanwhile. */
  async save(): Promise<void> {
    const value = structuredClone(this.#value)
    if (!(await this.#state.replace(GLOBAL, this.#key, this.#stored, value)))
      throw new CairnError(
        'storage-busy',
        'Another export to this collector is under way; what both sent has the same ids. Run it again when that is over.',
      )
    this.#stored = value
  }

  #rangesOf(session: number): readonly RowRange[] {
    return this.#value.sessions[String(session)] ?? []
  }
}

const mutable = (histograms: Histograms): RecordValue['totals'] =>
  Object.fromEntries(Object.entries(histograms).map(([key, point]) => [key, { ...point, buckets: [...point.buckets] }]))
