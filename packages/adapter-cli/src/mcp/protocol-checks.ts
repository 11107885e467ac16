/**
 * Answers requests with wrong parameters in one sentence, over any transport. The SDK's own answer is a dump of its
 * validator.
 */
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  isJSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { INVALID_PARAMS } from './protocol-error.ts'
import { sentenceAbout } from './tool.ts'
import type { Issue } from './tool.ts'

/** The part of a zod schema that is used here. */
interface RequestSchema {
  safeParse(value: unknown): {
    readonly success: boolean
    readonly error?: { readonly issues: readonly Issue[] } | undefined
  }
}

const SCHEMAS: ReadonlyMap<string, RequestSchema> = new Map<string, RequestSchema>([
  ['initialize', InitializeRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['completion/complete', CompleteRequestSchema],
])

/** A sentence about a message's invalid parameters; undefined if they are valid or the method is unknown. */
const problemOf = (message: JSONRPCMessage): string | undefined => {
  if (!isJSONRPCRequest(message)) return undefined
  const issues = SCHEMAS.get(message.method)?.safeParse(message).error?.issues
  return issues === undefined
    ? undefined
    : sentenceAbout(
        `The parameters of ${message.method}`,
        issues.map(({ path, message: text }) => ({ path: path[0] === 'params' ? path.slice(1) : path, message: text })),
      )
}

/**
 * Returns the same transport, which from its start on answers requests of known methods with an error if their parameters
 * are invalid, and passes on all other messages.
 */
export const withChecks = (transport: Transport): Transport => {
  const start = transport.start.bind(transport)
  transport.start = async () => {
    const deliver = transport.onmessage
    transport.onmessage = (message, extra) => {
      const problem = problemOf(message)
      if (problem === undefined || !isJSONRPCRequest(message)) return deliver?.(message, extra)
      transport
        .send({ jsonrpc: '2.0', id: message.id, error: { code: INVALID_PARAMS, message: problem } })
        .catch((error: unknown) => transport.onerror?.(error as Error))
    }
    await start()
  }
  return transport
}
