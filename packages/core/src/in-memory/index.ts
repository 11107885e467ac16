/**
 * A whole store in memory: the reference that shows what every storage port means, and a fast double for
 * tests of what is built on a store. Nothing outlives the process.
 */
import type { PriceBook } from '../ports/price-book.ts'
import type { Store, StoreStatistics } from '../ports/store.ts'
import { outputRateOf } from '../usage/output-rate.ts'
import { isInputUnknown } from '../usage/totals.ts'
import { createInMemoryCheckpoints } from './checkpoints.ts'
import { createInMemoryCleanUp } from './clean-up.ts'
import { StoreData } from './data.ts'
import { createInMemoryHealth } from './health.ts'
import { createInMemoryImports } from './imports.ts'
import { createInMemoryMemories } from './memories.ts'
import { createInMemoryNotes } from './notes.ts'
import { createInMemoryProjects } from './projects.ts'
import { createInMemorySearch } from './search.ts'
import { createInMemorySessions } from './sessions.ts'
import { createInMemoryState } from './state.ts'
import { createInMemoryUsage } from './usage.ts'

/** Counts over the data; blocks and packed bytes are 0, and the total is that of the source lines. */
const statisticsOf = (data: StoreData): StoreStatistics => {
  const sessions = [...data.sessions.values()]
  const sourceBytes = sessions.flatMap((session) => session.source).reduce((sum, line) => sum + line.bytes.length, 0)
  return {
    location: 'memory',
    sessions: sessions.length,
    entries: sessions.reduce((sum, session) => sum + session.entries.length, 0),
    requests: data.requests.size,
    importedFiles: data.files.size,
    redactions: sessions.flatMap(({ entries }) => entries).reduce((sum, stored) => sum + stored.redactions, 0),
    sourceBytes,
    blocks: 0,
    packedBytes: 0,
    totalBytes: sourceBytes,
  }
}

/** Prices the `unpriced` requests with known tokens that the list has a price for now; returns how many. */
const repriced = (data: StoreData, prices: PriceBook): number => {
  let priced = 0
  for (const [key, report] of data.requests) {
    const { fact } = report
    if (fact.costState !== 'unpriced' || isInputUnknown(fact)) continue
    const query = { model: fact.model, provider: fact.provider, at: fact.at ?? 0 }
    const costNano = prices.cost(query, fact)
    if (costNano === undefined) continue
    const split = prices.split(query, fact)
    const outputRate = outputRateOf(prices, query, fact)
    data.requests.set(key, {
      ...report,
      fact: {
        ...fact,
        costNano,
        costState: 'computed',
        ...(split === undefined ? {} : { costSplit: split }),
        ...(outputRate === undefined ? {} : { outputRate }),
      },
    })
    priced += 1
  }
  return priced
}

/**
 * A new, empty store that is gone with the process. Nothing is derived ahead, so `verify` finds no faults and `rebuild`
 * does nothing. After `close` whatever reads or writes rejects.
 */
export const createInMemoryStore = (): Store => {
  const data = new StoreData()
  const { listeners } = data
  return {
    sessions: createInMemorySessions(data),
    usage: createInMemoryUsage(data),
    projects: createInMemoryProjects(data),
    imports: createInMemoryImports(data),
    search: createInMemorySearch(data),
    state: createInMemoryState(data),
    notes: createInMemoryNotes(data),
    memory: createInMemoryMemories(data),
    checkpoints: createInMemoryCheckpoints(data),
    cleanUp: createInMemoryCleanUp(data),
    health: createInMemoryHealth(data),
    statistics: async () => statisticsOf(data),
    // Nothing is derived ahead of a question, so nothing can disagree with the log.
    verify: async () => {
      data.assertOpen()
      return []
    },
    rebuild: async () => data.assertOpen(),
    reprice: async (prices) => repriced(data, prices),
    purge: async () => data.clear(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      listeners.clear()
      data.close()
    },
  }
}
