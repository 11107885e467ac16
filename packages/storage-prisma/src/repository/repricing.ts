/** Gives requests that had no price the one that is known now. Costs that were recorded or computed stay. */
import { outputRateOf } from '@cairn/core'
import type { PriceBook } from '@cairn/core'
import { quoted } from '../sql/schema.ts'
import type { StoreContext } from './context.ts'
import { factColumns, rollupRowOf } from './request-merge.ts'
import type { UsageFactRow } from './request-merge.ts'
import { addToRollups } from './rollups.ts'

const UNPRICED = 2
const COMPUTED = 1
const FACTS_PER_STEP = 5_000

interface NamedFact extends UsageFactRow {
  readonly model: string | null
  readonly provider: string | null
}

/** Prices what can be priced; returns how many requests were. */
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
        const next = pricedFact(fact, prices)
        return next === undefined ? [] : [{ fact, next }]
      })
      for (const { next } of changes) {
        await transaction.run(
          'UPDATE usage_fact SET cost_nano = ?, cost_state = ?, cost_cache_read = ?, cost_cache_write = ?, cost_output = ?, saved_nano = ?, output_rate = ? WHERE id = ?',
          [
            next.cost_nano,
            next.cost_state,
            next.cost_cache_read,
            next.cost_cache_write,
            next.cost_output,
            next.saved_nano,
            next.output_rate,
            next.id,
          ],
        )
      }
      await addToRollups(
        transaction,
        database.dialect,
        changes.map(({ next }) => rollupRowOf(next)),
        changes.map(({ fact }) => rollupRowOf(fact)),
      )
      return { last: facts.at(-1)?.id, priced: changes.length }
    })
    priced += step.priced
    if (step.last === undefined) return priced
    after = step.last
  }
}

const pricedFact = (fact: NamedFact, prices: PriceBook): UsageFactRow | undefined => {
  if (fact.model === null) return undefined
  const query = { model: fact.model, provider: fact.provider ?? undefined, at: fact.at ?? Date.now() }
  const usage = {
    inputTokens: fact.input_tokens,
    cacheReadTokens: fact.cache_read,
    cacheWrite5mTokens: fact.cache_write_5m,
    cacheWrite1hTokens: fact.cache_write_1h,
    outputTokens: fact.output_tokens,
    reasoningTokens: fact.reasoning_tokens,
  }
  const cost = prices.cost(query, usage)
  if (cost === undefined) return undefined
  const split = prices.split(query, usage)
  return {
    ...fact,
    cost_nano: cost,
    cost_state: COMPUTED,
    cost_cache_read: split?.cacheReadNano ?? 0n,
    cost_cache_write: split?.cacheWriteNano ?? 0n,
    cost_output: split?.outputNano ?? 0n,
    saved_nano: split?.savedNano ?? 0n,
    output_rate: outputRateOf(prices, query, usage) ?? 0n,
  }
}
