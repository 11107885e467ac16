import type { StoredRequest } from '../ports/usage-storage.ts'

/** An unpriced request of the main conversation, as a store returns it. */
export const storedRequest = (at: number, inputTokens: number, more: Partial<StoredRequest> = {}): StoredRequest => ({
  at,
  model: 'claude-sonnet-4-5',
  provider: null,
  mode: null,
  subagent: null,
  workspace: null,
  inputTokens,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 10,
  costNano: null,
  costState: 'unpriced',
  partial: false,
  missingOutputCostNano: 0n,
  ...more,
})
