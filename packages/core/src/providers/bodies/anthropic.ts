/** A request as the body of Anthropic's Messages API. */
import { anthropicCacheControl, toAnthropicMessages } from '../../context/messages/to-anthropic.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { CacheBreakpoint, ModelRequest, ReasoningEffort } from '../../ports/language-model.ts'
import { anthropicReasoning } from '../rules/anthropic.ts'

const MOST_BREAKPOINTS = 4

/**
 * The request as the API takes it, for a reply and for a count alike: without `max_tokens` and `stream`, which the
 * caller adds for a reply. The same request gives the same bytes. Of reasoning and effort only what the model takes; of
 * cache breakpoints the last four, that after the system prompt on the last tool where the prompt is empty.
 */
export const anthropicBody = (request: ModelRequest): JsonObject => {
  const { model, system = '', tools = [], outputSchema } = request
  const marks = breakpointsOf(request)
  const front = marks.find(({ after }) => after === 'system')
  const mark = front === undefined ? {} : { cache_control: anthropicCacheControl(front.lifetime) }
  const { thinking, effort } = reasoningOf(request)
  const output = {
    ...(effort === undefined ? {} : { effort }),
    ...(outputSchema === undefined ? {} : { format: { type: 'json_schema', schema: outputSchema } }),
  }
  return {
    model,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }, index) => ({
            name,
            description,
            input_schema: { type: 'object', ...inputSchema },
            ...(system === '' && index === tools.length - 1 ? mark : {}),
          })),
        }),
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...mark }] }),
    messages: toAnthropicMessages(request.messages, marks) as unknown as JsonValue,
    ...toolChoiceOf(request),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
  }
}

/**
 * The last breakpoints, as many as there may be, in order. One before another of `1h` or `12h` becomes `1h`, as those
 * two do: the API takes none of a longer lifetime behind one of a shorter.
 */
const breakpointsOf = ({ cacheBreakpoints = [] }: ModelRequest): readonly CacheBreakpoint[] => {
  let isLong = false
  return cacheBreakpoints
    .slice(-MOST_BREAKPOINTS)
    .reverse()
    .map((mark): CacheBreakpoint => {
      isLong ||= mark.lifetime === '1h' || mark.lifetime === '12h'
      return isLong ? { ...mark, lifetime: '1h' } : mark
    })
    .reverse()
}

/** Which tool must be called, or that none may be; nothing where the model may choose, and without tools. */
const toolChoiceOf = ({ toolChoice = 'auto', tools = [] }: ModelRequest): JsonObject => {
  if (toolChoice === 'auto' || tools.length === 0) return {}
  if (typeof toolChoice === 'object') return { tool_choice: { type: 'tool', name: toolChoice.tool } }
  return { tool_choice: { type: toolChoice === 'required' ? 'any' : 'none' } }
}

/** The API's word for an effort. */
const EFFORTS: Readonly<Record<ReasoningEffort, string>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'max',
}
/** Tokens of reasoning for models that take a budget. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 24_000,
  max: 32_000,
}
const LEAST_BUDGET = 1024
/** The part of the longest reply that reasoning may take. */
const REASONING_SHARE = 0.8

/**
 * How the model is told to reason: by the rules of its generation. Nothing where the request names no effort or the
 * model can't reason. A budget is at most a share of `maxOutputTokens`, and left out below the least one or where the
 * running turn began without reasoning. With a forced tool the model does not reason, except one that always does.
 */
const reasoningOf = (request: ModelRequest): { readonly thinking?: JsonObject; readonly effort?: string } => {
  const { model, effort, toolChoice, maxOutputTokens } = request
  if (effort === undefined) return {}
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
  switch (anthropicReasoning(model)) {
    case 'none':
      return {}
    case 'budget': {
      const budget = Math.min(BUDGETS[effort], Math.floor(maxOutputTokens * REASONING_SHARE))
      if (budget < LEAST_BUDGET || isForced || isWithinUnreasonedTurn(request)) return {}
      return { thinking: { type: 'enabled', budget_tokens: budget } }
    }
    case 'adaptive':
      if (effort === 'none') return { thinking: { type: 'disabled' } }
      if (isForced) return { thinking: { type: 'disabled' }, effort: EFFORTS[effort] }
      return { thinking: { type: 'adaptive', display: 'summarized' }, effort: EFFORTS[effort] }
    case 'always':
      return { thinking: { type: 'adaptive', display: 'summarized' }, effort: EFFORTS[effort] }
  }
}

/** Whether the running turn of tools began without reasoning: a model with a budget then takes none until it ends. */
const isWithinUnreasonedTurn = ({ messages }: ModelRequest): boolean => {
  const turns = toAnthropicMessages(messages)
  if (turns.at(-1)?.content[0]?.type !== 'tool_result') return false
  const type = turns.at(-2)?.content[0]?.type
  return type !== 'thinking' && type !== 'redacted_thinking'
}
