import type { EntryWrite } from '../ports/session-storage.ts'

/**
 * A reply with the request that it cost: one token of input and one of output, at a cost that the agent recorded.
 * @param id of the entry and of the request
 * @param at ms
 */
export const recordedReply = (id: string, at: number, costNano: bigint, text = `reply ${id}`): EntryWrite => ({
  entry: { kind: 'message', id, at, role: 'assistant', content: [{ type: 'text', text }] },
  externalId: id,
  request: {
    callId: id,
    at,
    model: 'm',
    inputTokens: 1,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 1,
    costNano,
    costState: 'recorded',
  },
})
