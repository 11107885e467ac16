/** Why requests have no cost: their model has no price, or their agent recorded nothing of their input. */
import { knownModels } from '@cairn/core'
import type { Engine, UsageQuery, UsageRow } from '@cairn/core'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenMiddle } from '../terminal/text-width.ts'

/** Models that a sentence names. */
const NAMED = 5
/** Characters of a name in a sentence. */
const NAME_SHOWN = 60

/** A name as sentences have it: neutralised and shortened. */
const shownName = (name: string): string => shortenMiddle(neutraliseLine(name), NAME_SHOWN)

/** A model's name for a command; a placeholder where the name is long or needs quotes. */
const namedInCommand = (model: string): string => (/^[\w.:/@-]{1,60}$/.test(model) ? model : "'<model>'")

/**
 * Sentences about the query's requests without a cost: which models have a price all the same, and which have none,
 * with how to give them one. Empty when all requests have a cost.
 */
export const unpricedLines = async (query: UsageQuery, engine: Engine, now: number): Promise<readonly string[]> => {
  const { rows } = await engine.usage.report({ ...query, by: 'model' })
  const unpriced = rows.filter((row) => row.unpricedRequests > 0)
  const models = await knownModels({ at: now })
  // Of the user's own prices, requests with a cost tell.
  const hasPrice = ({ key, requests, unpricedRequests }: UsageRow): boolean =>
    unpricedRequests < requests || models.describe(models.named(key)).prices !== null
  const priced = unpriced.filter(hasPrice)
  const withoutPrice = unpriced.filter((row) => !hasPrice(row))
  return [
    ...(priced.length === 0
      ? []
      : [
          `Without a cost, though the model has a price: ${listed(priced)}.`,
          'The agent has not recorded their input (yet), or they came in before the price was known;',
          '  then: cairn doctor --rebuild',
        ]),
    ...(withoutPrice.length === 0
      ? []
      : [
          `Without a known price: ${listed(withoutPrice)}.`,
          'Set one, in USD per million tokens (input,output):',
          `  cairn config set prices.${namedInCommand(withoutPrice[0]?.key ?? '')} 3,15`,
          '  then: cairn doctor --rebuild',
        ]),
  ]
}

/** Some rows with their unpriced requests, and how many more there are. */
const listed = (rows: readonly UsageRow[]): string => {
  const named = rows
    .slice(0, NAMED)
    .map((row) => `${shownName(row.key)} (${counted(row.unpricedRequests, 'request')})`)
    .join(', ')
  return rows.length > NAMED ? `${named} and ${rows.length - NAMED} more` : named
}
