/** The event that ends a reply. */
import type { ModelDone, ModelRequest } from '../../ports/language-model.ts'
import { NO_TOKENS, type TokenUsage } from '../../ports/price-book.ts'

/** What a decoder knows when a reply has ended. */
export interface ReplyEnd extends Pick<ModelDone, 'stopReason' | 'providerReason'> {
  readonly request: ModelRequest
  readonly usage: TokenUsage | undefined
  readonly responseId: string | undefined
  /** The model that answered, as the provider names it. */
  readonly model: string | undefined
}

/**
 * The last event of a reply. Usage that the provider did not tell is unknown, and not nothing: it is 0 and marked as
 * partial. The model is left out where it is the one that was asked for.
 */
export const replyEnd = ({ request, usage, responseId, model, stopReason, providerReason }: ReplyEnd): ModelDone => ({
  type: 'done',
  stopReason,
  providerReason,
  usage: usage ?? NO_TOKENS,
  ...(usage === undefined ? { isUsagePartial: true } : {}),
  ...(responseId === undefined ? {} : { responseId }),
  ...(model === undefined || model === request.model ? {} : { model }),
})
