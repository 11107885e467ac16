/** Why requests have no cost: their model has no price, or their agent did not record their input. */
import type { UnpricedModel, UnpricedModels } from '@cairn/core'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenMiddle } from '../terminal/text-width.ts'

/** Models that a sentence names. */
const NAMED = 5
/** Characters of a name in a sentence. */
const NAME_SHOWN = 60

/** A name for a sentence: neutralised and shortened. */
const shownName = (name: string): string => shortenMiddle(neutraliseLine(name), NAME_SHOWN)

/** A model's name for a command; a placeholder if the name is long or needs quotes. */
const namedInCommand = (model: string): string => (/^[\w.:/@-]{1,60}$/.test(model) ? model : "'<model>'")

/**
 * Returns sentences about requests without a cost: which models have a price nevertheless, and which have none, with
 * how to set one. Empty if all requests have a cost.
 */
export const unpricedLines = ({ withPrice, withoutPrice }: UnpricedModels): readonly string[] => {
  const withoutInput = withPrice.filter(({ isInputUnknown }) => isInputUnknown)
  const others = withPrice.filter(({ isInputUnknown }) => !isInputUnknown)
  return [
    ...(withoutInput.length === 0
      ? []
      : [`Without a cost, as the agent has not recorded their input: ${listed(withoutInput)}.`]),
    ...(others.length === 0
      ? []
      : [
          `Without a cost, though the model has a price: ${listed(others)}.`,
          'The agent has not recorded their input (yet), or they came in before the price was known;',
          '  then: cairn doctor --rebuild',
        ]),
    ...(withoutPrice.length === 0
      ? []
      : [
          `Without a known price: ${listed(withoutPrice)}.`,
          'Set one, in USD per million tokens (input,output):',
          `  cairn config set prices.${namedInCommand(withoutPrice[0]?.model ?? '')} 3,15`,
          '  then: cairn doctor --rebuild',
        ]),
  ]
}

/**
 * Returns the first `NAMED` models with the number of their unpriced requests, with commas, and the number of other
 * models.
 */
const listed = (models: readonly UnpricedModel[]): string => {
  const named = models
    .slice(0, NAMED)
    .map(({ model, requests }) => `${shownName(model)} (${counted(requests, 'request')})`)
    .join(', ')
  return models.length > NAMED ? `${named} and ${models.length - NAMED} more` : named
}
