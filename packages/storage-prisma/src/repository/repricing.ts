/** Prices requests without a price by the one that is known now. Recorded and computed costs stay. */
import { isInputUnknown, outputRateOf } from '@cairn/core'
import type { PriceBook } from '@cairn/core'
import { nextChecksum } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { updateRow } from '../sql/statements.ts'
import { tokensOfRow } from '../sql/token-columns.ts'
import type { StoreContext } from './store-context.ts'
import { factColumns, toRollupRow } from './request-merge.ts'
import type { UsageFactRow } from './request-merge.ts'
import { addToRollups } from './rollups.ts'

const UNPRICED = 2
const COMPUTED = 1
const FACTS_PER_STEP = 5_000

interface NamedFact extends UsageFactRow {
  readonly model: string | null
  readonly provider: string | null
}

/**
 * Prices the requests without a price for which the book has one now, in steps that are committed one by one; returns
 * the number of requests that it priced. Requests of which the input is not known stay unpriced. Rollups are kept up to
 * date.
 */
export const reprice = async ({ database }: StoreContext, prices: PriceBook): Promise<number> => {
  let priced = 0
  for (let after = 0; ;) {
    const from = after
    const step = await database.transaction({ durability: 'synced' }, async (transaction) => {
      const facts = await transaction.all<NamedFact>(
        `SELECT ${quoted(factColumns).replaceAll('"id"', 'usage_fact."id"')}, model.value AS model, provider.value AS provider
         FROM usage_fact LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS provider ON provider.id = provider_id
         WHERE cost_state = ${UNPRICED} AND usage_fact.id > ? ORDER BY usage_fact.id LIMIT ?`,
        [from, FACTS_PER_STEP],
      )
      const changes = facts.flatMap((fact) => {
        const columns = priceColumns(fact, prices)
        return columns === undefined ? [] : [{ fact, columns }]
      })
      for (const { fact, columns } of changes) {
        await updateRow(transaction, tables.usage, fact.id, {
          ...columns,
          checksum: nextChecksum(tables.usage, fact, columns),
        })
      }
      await addToRollups(
        transaction,
        database.dialect,
        changes.map(({ fact, columns }) => toRollupRow({ ...fact, ...columns })),
        changes.map(({ fact }) => toRollupRow(fact)),
      )
      return { last: facts.at(-1)?.id, priced: changes.length }
    })
    priced += step.priced
    if (step.last === undefined) return priced
    after = step.last
  }
}

/**
 * The columns that a price changes; undefined where there is still no price, its model has no name or its input is not
 * known. A request without a time is priced as of now.
 */
const priceColumns = (fact: NamedFact, prices: PriceBook) => {
  if (fact.model === null) return undefined
  const query = { model: fact.model, provider: fact.provider ?? undefined, at: fact.at ?? Date.now() }
  const usage = tokensOfRow(fact)
  if (isInputUnknown(usage)) return undefined
  const cost = prices.cost(query, usage)
  if (cost === undefined) return undefined
  const split = prices.split(query, usage)
  return {
    cost_nano: cost,
    cost_state: COMPUTED,
    cost_cache_read: split?.cacheReadNano ?? 0n,
    cost_cache_write: split?.cacheWriteNano ?? 0n,
    cost_output: split?.outputNano ?? 0n,
    saved_nano: split?.savedNano ?? 0n,
    output_rate: outputRateOf(prices, query, usage) ?? 0n,
  }
}
