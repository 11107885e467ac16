/** A model that can be asked. Adapters live in `providers/`; one contract suite runs on all of them. */
import type { ContentBlock, Message } from '../messages.ts'
import type { JsonObject } from '../json.ts'
import type { TokenUsage } from './price-book.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the tool's input. */
  readonly inputSchema: JsonObject
}

export interface ModelRequest {
  readonly model: string
  readonly system?: string
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolDefinition[]
  readonly maxOutputTokens: number
  readonly signal?: AbortSignal
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'block'; readonly block: ContentBlock }
  | { readonly type: 'done'; readonly stopReason: string; readonly usage: TokenUsage }

export interface LanguageModel {
  readonly provider: string
  /** Streams a reply; rejects with a CairnError when the provider refuses or can't be reached. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}
