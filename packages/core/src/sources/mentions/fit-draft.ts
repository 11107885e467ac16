/** Cuts what a mention stands for to a number of tokens, with everything that is written around it. */
import { estimateTokens } from '../../tokens/estimate.ts'
import type { Contribution, Draft } from './contribution.ts'

/** Fewer characters of a content tell nobody what is in it. */
const LEAST_CHARACTERS = 20

/** A contribution with its estimated tokens, or how many the shortest one takes. */
export type FittedDraft = { readonly contribution: Contribution; readonly tokens: number } | { readonly least: number }

/**
 * Returns as much of a draft as takes at most `maxTokens`, heading and fences included. `least`: not even the shortest
 * form fits, and so many tokens would do.
 */
export const fitDraft = ({ cut }: Pick<Draft, 'cut'>, maxTokens: number, charsPerToken: number): FittedDraft => {
  const tokensOf = ({ block }: Contribution): number => estimateTokens(block, { charsPerToken })
  let most = Math.floor(maxTokens * charsPerToken)
  let before: Contribution | undefined
  while (most > LEAST_CHARACTERS) {
    const contribution = cut(most)
    // What can't be cut gets no smaller.
    if (contribution.block === before?.block) break
    before = contribution
    const tokens = tokensOf(contribution)
    if (tokens <= maxTokens) return { contribution, tokens }
    most = Math.min(most, contribution.characters) - Math.ceil((tokens - maxTokens) * charsPerToken)
  }
  const shortest = cut(LEAST_CHARACTERS)
  const tokens = tokensOf(shortest)
  if (tokens <= maxTokens) return { contribution: shortest, tokens }
  return { least: Math.min(tokens, tokensOf(cut(Infinity))) }
}
