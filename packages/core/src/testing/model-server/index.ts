/**
 * A server on loopback that stands for the providers' APIs. It shares no code with the rest of this package, so a
 * mistake in one is not also in the other: it knows the rules by its own reading of them, counts with a tokenizer of its
 * own, and bills by its own prices.
 *
 *     const server = await startModelServer({ clock: () => now })
 *     // Anthropic: baseURL server.url; OpenAI: `${server.url}/v1`; Gemini: server.url. The key is `test-key`.
 *     server.script(
 *       { reply: { blocks: [{ type: 'thinking', text: 'hm' }, { type: 'tool-call', name: 'read', input: { path: 'a' } }] } },
 *       { fault: { kind: 'cut', at: 'in-text' } },                  // a reply of the server's own that breaks off
 *       { fault: { kind: 'refuse', as: 'rate-limit', retryAfter: '3' } },
 *       { recording: { file: 'recorded.sse' } },                     // a recorded body, as it is
 *     )
 *     …                                                            // four requests
 *     server.requests[0].body                                      // what came; `.problem` is the rule that it broke
 *     server.ledger[0].tokens, .costNano, .reported                // what was billed, and what the stream had told of it
 *     await server.untilNoSockets(); await server.close()
 *
 * - A request that breaks a rule gets the provider's error and takes no step. Without a step the server answers by itself
 *   (`makeReply`). `count_tokens` and the list of models take none either.
 * - A reply longer than the request's limit is cut there and ends with the wire's word for it; a tool input may so be half.
 * - Caches live by `clock`. Two requests of one key share them, two keys don't. `openSockets()` counts connections: each
 *   answer closes its own, unless `keepsConnections` is set.
 * - `DEFAULT_MODELS` has the models' names, limits and prices; `models` takes others.
 */
export type { ReceivedRequest, Recording, Step } from './exchange.ts'
export type { Fault, Moment } from './faults.ts'
export type { BilledTokens, LedgerEntry, Prices } from './ledger.ts'
export { DEFAULT_MODELS, type ServedModel, type WireName } from './models.ts'
export type { Reply, ReplyBlock, ReplyStop } from './reply.ts'
export { startModelServer, type ModelServer, type ModelServerOptions } from './server.ts'
export type { Call, Condition, Problem } from './wire.ts'
