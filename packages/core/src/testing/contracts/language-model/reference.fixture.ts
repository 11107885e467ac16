/**
 * A provider in as few lines as can be, by bare `fetch`: the contract is tried on it, and each `Mistake` is one that the
 * contract has to find.
 */
import type { ContentBlock, Message } from '../../../messages.ts'
import { arrayOf, countOf, objectOf, parseJsonObject, stringOf, type JsonObject } from '../../../json.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../../../ports/language-model.ts'
import type { TokenUsage } from '../../../ports/price-book.ts'
import type { LanguageModelSubject, SubjectTimes } from './subject.ts'

/** A mistake that is made on purpose. */
export type Mistake =
  | 'takes an early end for one'
  | 'ends twice'
  | 'takes cancelling for an end'
  | 'has no watchdog'
  | 'keeps the connection'
  | 'gives calls that were cut'
  | 'throws what it caught'
  | 'replaces the usage'
  | 'loses the usage of failures'
  | 'tries twice'
  | 'ignores errors in the stream'
  | 'stops at unknown events'
  | 'decodes each piece by itself'
  | 'sends the time'
  | 'drops signatures'
  | 'sends every breakpoint'
  | 'reverses calls'
  | 'shows the key'
  | 'forgets when to ask again'

export const REFERENCE_CAPABILITIES: LanguageModelSubject['capabilities'] = {
  thinking: true,
  'signed-thinking': true,
  tools: true,
  'parallel-tools': true,
  'tool-input-pieces': true,
  'forced-tool': true,
  'cache-breakpoints': true,
  'automatic-cache': 'the request marks what to cache',
  'count-tokens': true,
  images: true,
  'structured-output': true,
  pause: true,
  'early-usage': true,
  'retry-after': true,
  'overflow-counts': true,
}

interface Settings extends SubjectTimes {
  readonly url: string
  readonly key: string
  readonly mistake?: Mistake | undefined
}

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'max-output',
  pause_turn: 'pause',
}
const BY_TYPE: Readonly<Record<string, ModelErrorCode>> = {
  invalid_request_error: 'bad-request',
  request_too_large: 'context-overflow',
  authentication_error: 'auth',
  permission_error: 'auth',
  not_found_error: 'unknown-model',
  overloaded_error: 'overloaded',
  rate_limit_error: 'rate-limit',
  api_error: 'unavailable',
}

const blockJson = (block: ContentBlock, mistake: Mistake | undefined): JsonObject[] => {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'thinking':
      if (block.signature === undefined || mistake === 'drops signatures') return []
      return [{ type: 'thinking', thinking: block.text, signature: block.signature }]
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }]
    case 'tool_result': {
      const content = block.content.flatMap((part) => blockJson(part, mistake))
      return [{ type: 'tool_result', tool_use_id: block.callId, is_error: block.isError ?? false, content }]
    }
    case 'image': {
      const source = { type: 'base64', media_type: block.mediaType, data: block.data ?? '' }
      return [{ type: 'image', source }]
    }
    case 'file':
      return [{ type: 'text', text: `${block.path}\n${block.text ?? ''}` }]
    case 'other':
      return [objectOf(block.value)]
  }
}

const messagesJson = ({ messages, cacheBreakpoints = [] }: ModelRequest, mistake: Mistake | undefined) => {
  const most = mistake === 'sends every breakpoint' ? 99 : 4
  const marks = new Map(cacheBreakpoints.slice(-most).map(({ after, lifetime }) => [after, lifetime]))
  const ttl = (after: number | 'system') => (['1h', '12h'].includes(marks.get(after) ?? '5m') ? '1h' : '5m')
  const marked = (after: number | 'system', blocks: JsonObject[]): JsonObject[] =>
    blocks.map((block, index) =>
      marks.has(after) && index === blocks.length - 1
        ? { ...block, cache_control: { type: 'ephemeral', ttl: ttl(after) } }
        : block,
    )
  const messageJson = ({ role, content }: Message, index: number): JsonObject => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: marked(
      index,
      content.flatMap((block) => blockJson(block, mistake)),
    ),
  })
  return { marked, messages: messages.map(messageJson).filter(({ content }) => arrayOf(content).length > 0) }
}

const CHOICES = { auto: { type: 'auto' }, required: { type: 'any' }, none: { type: 'none' } } as const

const bodyOf = (request: ModelRequest, mistake: Mistake | undefined): JsonObject => {
  const { system, tools = [], toolChoice, effort, outputSchema } = request
  const { marked, messages } = messagesJson(request, mistake)
  const choice =
    typeof toolChoice === 'object' ? { type: 'tool', name: toolChoice.tool } : CHOICES[toolChoice ?? 'auto']
  const config = {
    ...(effort !== undefined && effort !== 'none' && { effort: effort === 'minimal' ? 'low' : effort }),
    ...(outputSchema !== undefined && { format: { type: 'json_schema', schema: outputSchema } }),
  }
  return {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
      tool_choice: choice,
    }),
    ...(system !== undefined && { system: marked('system', [{ type: 'text', text: system }]) }),
    messages,
    output_config: config,
    ...(mistake === 'sends the time' && { metadata: { user_id: String(process.hrtime.bigint()) } }),
  }
}

const failureOf = async (response: Response, { key, mistake }: Settings): Promise<ModelError> => {
  const text = await response.text()
  const error = objectOf(parseJsonObject(text).error)
  const message = stringOf(error.message) ?? `HTTP ${response.status}`
  const [, inputTokens, limitTokens] = /(\d+) tokens > (\d+) maximum/.exec(message) ?? []
  const isQuota = stringOf(objectOf(error.details).error_code)?.endsWith('spend_limit_reached') === true
  const known = isQuota ? 'quota' : BY_TYPE[stringOf(error.type) ?? '']
  const after = response.headers.get('retry-after')
  const waitMs =
    after === null ? undefined : /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  const code =
    inputTokens !== undefined ? 'context-overflow' : (known ?? (response.status >= 500 ? 'unavailable' : 'not-an-api'))
  return new ModelError(code, `The provider refused: ${message}${mistake === 'shows the key' ? ` (${key})` : ''}`, {
    status: response.status,
    ...(waitMs !== undefined && mistake !== 'forgets when to ask again' && { retryAfterMs: waitMs }),
    ...(inputTokens !== undefined && { inputTokens: Number(inputTokens), limitTokens: Number(limitTokens) }),
  })
}

/** What is known of a reply so far. */
class Reply {
  readonly #mistake: Mistake | undefined
  readonly #open = new Map<number, { block: JsonObject; text: string; signature: string }>()
  readonly #calls: ModelEvent[] = []
  #counts: JsonObject = {}
  #reason = ''
  #id = ''
  hasBegun = false
  isOver = false

  constructor(mistake: Mistake | undefined) {
    this.#mistake = mistake
  }

  get usage(): TokenUsage | undefined {
    if (this.#counts.output_tokens === undefined) return undefined
    const split = objectOf(this.#counts.cache_creation)
    return {
      inputTokens: countOf(this.#counts.input_tokens),
      cacheReadTokens: countOf(this.#counts.cache_read_input_tokens),
      cacheWrite5mTokens: countOf(split.ephemeral_5m_input_tokens),
      cacheWrite1hTokens: countOf(split.ephemeral_1h_input_tokens),
      outputTokens: countOf(this.#counts.output_tokens),
      reasoningTokens: countOf(objectOf(this.#counts.output_tokens_details).thinking_tokens),
    }
  }

  #count(usage: unknown): ModelEvent[] {
    this.#counts = this.#mistake === 'replaces the usage' ? objectOf(usage) : { ...this.#counts, ...objectOf(usage) }
    return this.usage === undefined ? [] : [{ type: 'usage', usage: this.usage }]
  }

  take(event: JsonObject): ModelEvent[] {
    this.hasBegun = true
    const index = countOf(event.index)
    switch (event.type) {
      case 'message_start':
        this.#id = stringOf(objectOf(event.message).id) ?? ''
        return this.#count(objectOf(event.message).usage)
      case 'content_block_start':
        this.#open.set(index, { block: objectOf(event.content_block), text: '', signature: '' })
        return []
      case 'content_block_delta':
        return this.#delta(index, objectOf(event.delta))
      case 'content_block_stop':
        return this.#stop(index)
      case 'message_delta':
        this.#reason = stringOf(objectOf(event.delta).stop_reason) ?? ''
        return this.#count(event.usage)
      case 'message_stop':
        this.isOver = true
        return this.#mistake === 'reverses calls' ? this.#calls.toReversed() : []
      case 'error': {
        if (this.#mistake === 'ignores errors in the stream') return []
        const code = BY_TYPE[stringOf(objectOf(event.error).type) ?? ''] ?? 'unavailable'
        const isLong = stringOf(objectOf(event.error).message)?.startsWith('prompt is too long') === true
        throw new ModelError(isLong ? 'context-overflow' : code, 'The provider reports an error in its stream.')
      }
      default:
        if (this.#mistake === 'stops at unknown events' && event.type !== 'ping') throw new Error('what is that?')
        return []
    }
  }

  #delta(index: number, delta: JsonObject): ModelEvent[] {
    const open = this.#open.get(index)
    if (open === undefined) return []
    open.signature += stringOf(delta.signature) ?? ''
    const piece = stringOf(delta.text) ?? stringOf(delta.thinking) ?? stringOf(delta.partial_json) ?? ''
    open.text += piece
    if (piece === '') return []
    if (open.block.type !== 'tool_use') return [{ type: open.block.type === 'text' ? 'text' : 'thinking', text: piece }]
    const { id, name } = open.block
    return [{ type: 'tool-call-progress', id: stringOf(id) ?? '', name: stringOf(name) ?? '', piece }]
  }

  #stop(index: number): ModelEvent[] {
    const open = this.#open.get(index)
    if (open === undefined) return []
    const { block, text, signature } = open
    if (block.type === 'text') return [{ type: 'block', block: { type: 'text', text } }]
    if (block.type === 'thinking') return [{ type: 'block', block: { type: 'thinking', text, signature } }]
    if (block.type !== 'tool_use') return [{ type: 'block', block: { type: 'other', value: block } }]
    const isCut = text !== '' && Object.keys(parseJsonObject(text)).length === 0 && text.trim() !== '{}'
    if (isCut && this.#mistake !== 'gives calls that were cut') {
      this.#cut = true
      return []
    }
    const input = parseJsonObject(text)
    const event: ModelEvent = {
      type: 'block',
      block: { type: 'tool_call', id: stringOf(block.id) ?? '', name: stringOf(block.name) ?? '', input },
    }
    if (this.#mistake !== 'reverses calls') return [event]
    this.#calls.push(event)
    return []
  }

  #cut = false

  done(): ModelEvent {
    if (this.#reason === 'refusal') throw new ModelError('refused', 'The model declined.')
    if (this.#cut) throw new ModelError('cut-off', 'The reply ended within a call.')
    return {
      type: 'done',
      stopReason: STOPS[this.#reason] ?? 'other',
      providerReason: this.#reason,
      usage: this.usage ?? {
        inputTokens: 0,
        cacheReadTokens: 0,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 0,
      },
      responseId: this.#id,
    }
  }
}

const CONNECTION_LOST = 'The connection is lost.'

export const createReferenceModel = (settings: Settings): LanguageModel => {
  const { url, key, mistake, firstByteMs = 60_000, idleMs = 60_000 } = settings
  const post = (path: string, body: JsonObject, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': key },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    })

  /** The loop over a body cancels it when it is left; not so here. */
  const piecesOf = ({ body }: Response): AsyncIterable<Uint8Array> =>
    (body as ReadableStream<Uint8Array>).values({ preventCancel: mistake === 'keeps the connection' })

  const attempt = async function* (request: ModelRequest, reply: Reply, silence: Silence): AsyncGenerator<ModelEvent> {
    const body = { ...bodyOf(request, mistake), max_tokens: request.maxOutputTokens, stream: true }
    silence.watch(firstByteMs)
    let response = await post('/v1/messages', body, silence.signal)
    if (mistake === 'tries twice' && !response.ok) response = await post('/v1/messages', body, silence.signal)
    if (!response.ok) throw await failureOf(response, settings)
    const decoder = new TextDecoder()
    let text = ''
    silence.watch(idleMs)
    for await (const piece of piecesOf(response)) {
      silence.watch(idleMs)
      text +=
        mistake === 'decodes each piece by itself'
          ? new TextDecoder().decode(piece)
          : decoder.decode(piece, { stream: true })
      const parts = text.split(/\r?\n\r?\n/)
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = /^data: ?(.*?)\r?$/m.exec(part)?.[1]
        if (data !== undefined) yield* reply.take(JSON.parse(data) as JsonObject)
      }
      if (reply.isOver) return
    }
    if (mistake === 'takes an early end for one') return
    if (!reply.isOver) throw new ModelError(reply.hasBegun ? 'cut-off' : 'not-an-api', 'The reply ended too early.')
  }

  /** The error as the port has it. */
  const typed = (thrown: unknown, request: ModelRequest, reply: Reply, silence: Silence): unknown => {
    if (mistake === 'throws what it caught') return thrown
    const { usage } = reply
    const details = usage === undefined || mistake === 'loses the usage of failures' ? {} : { usage }
    if (request.signal?.aborted === true) return new ModelError('cancelled', 'It was cancelled.', details)
    if (silence.isOver) return new ModelError('timeout', 'Nothing came in time.', details)
    if (ModelError.is(thrown)) return new ModelError(thrown.code, thrown.message, { ...thrown.details, ...details })
    const code = thrown instanceof SyntaxError ? 'malformed' : 'connection-lost'
    return new ModelError(code, CONNECTION_LOST, { ...details, cause: thrown })
  }

  const stream = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    const reply = new Reply(mistake)
    const silence = new Silence(mistake === 'has no watchdog')
    const cancel = (): void => silence.end()
    request.signal?.addEventListener('abort', cancel)
    try {
      request.signal?.throwIfAborted()
      for await (const event of attempt(request, reply, silence)) {
        yield event
        request.signal?.throwIfAborted()
      }
      yield reply.done()
      if (mistake === 'ends twice') yield reply.done()
    } catch (error) {
      if (mistake === 'takes cancelling for an end' && request.signal?.aborted === true) return
      throw typed(error, request, reply, silence)
    } finally {
      request.signal?.removeEventListener('abort', cancel)
      silence.stop()
      if (mistake !== 'keeps the connection') silence.end()
    }
  }
  return {
    provider: 'reference',
    stream,
    countTokens: async (request) =>
      countOf(objectOf(await (await post('/v1/messages/count_tokens', bodyOf(request, mistake))).json()).input_tokens),
  }
}

/** Ends the request when nothing came for a time. */
class Silence {
  readonly #controller = new AbortController()
  readonly #isOff: boolean
  #timer: NodeJS.Timeout | undefined
  isOver = false

  constructor(isOff: boolean) {
    this.#isOff = isOff
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  watch(ms: number): void {
    this.stop()
    if (this.#isOff) return
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.end()
    }, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.#controller.abort()
  }
}
