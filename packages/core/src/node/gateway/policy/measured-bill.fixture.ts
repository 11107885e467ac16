/**
 * For tests and checks: what the tests' model server billed, in the measure of a replay. The server says how much of each
 * request it read from its cache; how many tokens a block has is counted as a replay counts them.
 */
import type { ContextPrices } from '../../../context/policy.ts'
import { tokensOf } from '../../../context/view-block.ts'
import { contentBlocks } from '../../../importers/anthropic-content.ts'
import { arrayOf, objectOf } from '../../../json.ts'
import { segmentsOf } from '../../../testing/model-server/anthropic/request.ts'
import type { ModelServer } from '../../../testing/model-server/index.ts'
import { countTokens } from '../../../testing/model-server/tokens.ts'

export interface Measure {
  /** Tokens of all that stands before the messages. */
  readonly prefix: number
  readonly charactersPerToken: number
  readonly prices: Pick<ContextPrices, 'read' | 'write'>
}

/** USD for the input of all requests that were billed. */
export const measuredInput = ({ ledger, requests }: ModelServer, measure: Measure): number =>
  ledger.reduce((sum, { request, tokens }) => {
    const body = requests[request]?.body ?? {}
    const blocks = arrayOf(body.messages).flatMap((message) => contentBlocks(objectOf(message).content))
    const segments = segmentsOf(body)
    const before = segments.length - blocks.length
    const counts = segments.map(({ text }) => countTokens(text))
    // Of what stands before the messages, nearly all is one segment; the others are settings of a few tokens.
    const countBefore = counts.slice(0, before).reduce((sumBefore, count) => sumBefore + count, 0)
    let passed = 0
    let [read, written] = [0, 0]
    for (const [index, count] of counts.entries()) {
      passed += count
      const block = blocks[index - before]
      const own =
        block === undefined ? (measure.prefix * count) / countBefore : tokensOf(block, measure.charactersPerToken)
      if (passed <= tokens.cacheReadTokens) read += own
      else written += own
    }
    return sum + (read * measure.prices.read + written * measure.prices.write) / 1e6
  }, 0)
