/**
 * For tests and checks: a recorded session as a client that talks to the tests' model server, request by request. The model
 * says what it said then; the client sends the whole conversation each time, with marks for the cache at its end.
 */
import type { Policy } from '../../../context/policy.ts'
import { policyOf } from '../../../context/policies/registry.ts'
import { createContext } from '../../../context/create-context.ts'
import { needsOf } from '../../../replay/needs.ts'
import { replayRequests, type PolicyReplay, type ReplaySettings } from '../../../replay/run.ts'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import type { ContentBlock, Message } from '../../../messages.ts'
import type { Trajectory } from '../../../replay/trajectory.ts'
import type { ModelServer, Reply } from '../../../testing/model-server/index.ts'

export interface RecordedAgentInput {
  readonly trajectory: Trajectory
  readonly server: ModelServer
  /** Where requests go: the gateway, or the server itself. */
  readonly url: string
  readonly model: string
  /** All that is said before the conversation. */
  readonly system: string
  readonly maxTokens: number
  /** Told the time of each request before it is sent, ms. */
  readonly setNow: (at: number) => void
  /** Resolves when so many exchanges are over for all that is to be compared. */
  readonly untilOver: (requests: number) => Promise<unknown>
}

/** Sends all requests of a session. Rejects when one is refused. */
export const runRecordedAgent = async (input: RecordedAgentInput): Promise<void> => {
  const { trajectory, setNow, untilOver } = input
  const context = createContext(policyOf('none'), 4)
  const signed: Signed = new Map()
  for (const [request, turn] of trajectory.turns.entries()) {
    const now = turn.at ?? 0
    setNow(now)
    context.step(turn.before)
    const { messages } = context.prepare({ ...ANY_SITUATION, now })
    await send(input, request, bodyOf(input, withEndsMarked(turnsOf(messages, signed))), signed)
    await untilOver(request + 1)
  }
}

/**
 * Sends all requests of a session as an agent does that applies a policy itself: with the replay's messages, and the cache
 * breakpoints that come with them. Resolves to the replay. Rejects when a request is refused.
 */
export const runOwnAgent = async (
  input: Omit<RecordedAgentInput, 'untilOver'>,
  policy: Policy,
  settings: ReplaySettings,
): Promise<PolicyReplay> => {
  const { trajectory, setNow } = input
  const signed: Signed = new Map()
  const requests = replayRequests(policy, trajectory, needsOf(trajectory), settings)
  for (let step = requests.next(); ; step = requests.next()) {
    if (step.done === true) return step.value
    const { request, at, prepared } = step.value
    setNow(at ?? 0)
    const marks = new Set(prepared.cacheBreakpoints)
    await send(input, request, bodyOf(input, turnsOf(prepared.messages, signed, marks)), signed)
  }
}

/** Sends one request, which the model answers as it did then; keeps the reasoning of the reply as it was signed. */
const send = async (
  { trajectory, server, url }: Pick<RecordedAgentInput, 'trajectory' | 'server' | 'url'>,
  request: number,
  body: JsonObject,
  signed: Signed,
): Promise<void> => {
  const reply = trajectory.turns[request]?.reply ?? []
  server.script({ reply: replyOf(reply.flatMap(({ content }) => content)) })
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  const answer = objectOf(await response.json())
  if (!response.ok) throw new Error(`request ${request}: ${JSON.stringify(answer)}`)
  for (const block of arrayOf(answer.content).map(objectOf))
    if (block.type === 'thinking' && typeof block.thinking === 'string')
      signed.set(block.thinking, [...(signed.get(block.thinking) ?? []), block])
}

/** Reasoning as the server signed it, by its text, in the order in which it came. */
type Signed = Map<string, readonly JsonObject[]>

const ANY_SITUATION = {
  window: 1e9,
  availableTokens: 1e9,
  prefix: 0,
  lastUsed: 0,
  prices: { input: 1, output: 1, write: 1, read: 1 },
  cacheLifetime: 300,
  refusals: 0,
}

/** What the model said, at least a word. Reasoning that does not come again is none. */
const replyOf = (content: readonly ContentBlock[]): Reply => {
  const blocks = content.flatMap((block): Reply['blocks'] => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
    if (block.type === 'thinking') return block.text === '' ? [] : [{ type: 'thinking', text: block.text }]
    if (block.type === 'tool_call')
      return [{ type: 'tool-call', id: block.id, name: block.name, input: objectOf(block.input) }]
    return []
  })
  return { blocks: blocks.length === 0 ? [{ type: 'text', text: '.' }] : blocks }
}

interface WireTurn {
  readonly role: string
  readonly content: readonly JsonObject[]
}

/** Messages as the provider takes them, the user's in a row as one; `marks`: indexes of messages at whose end a mark is. */
const turnsOf = (
  messages: readonly Message[],
  signed: Signed,
  marks: ReadonlySet<number> = new Set(),
): readonly WireTurn[] => {
  const left: Signed = new Map(signed)
  const turns: { role: string; content: JsonObject[] }[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const own = role === 'assistant' ? role : 'user'
    const blocks = content.flatMap((block) => jsonOf(block, left))
    const last = turns.at(-1)
    const marked = marks.has(index) ? withMark(blocks) : blocks
    if (last?.role === own) last.content.push(...marked)
    else if (marked.length > 0) turns.push({ role: own, content: [...marked] })
  }
  return turns
}

/** Marks at the end, and where the request before ended: there may be more blocks behind it than the provider looks back. */
const withEndsMarked = (turns: readonly WireTurn[]): readonly WireTurn[] => {
  const ends = new Set(turns.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2))
  return turns.map(({ role, content }, index) => ({ role, content: ends.has(index) ? withMark(content) : content }))
}

const withMark = (blocks: readonly JsonObject[]): readonly JsonObject[] =>
  blocks.length === 0 ? blocks : blocks.with(-1, { ...blocks.at(-1), ...MARK })

const bodyOf = (
  { model, system, maxTokens }: Pick<RecordedAgentInput, 'model' | 'system' | 'maxTokens'>,
  messages: readonly WireTurn[],
): JsonObject => ({
  model,
  max_tokens: maxTokens,
  system: [{ type: 'text', text: system, ...MARK }],
  thinking: { type: 'adaptive' },
  messages: messages.map(({ role, content }) => ({ role, content })),
})

const MARK = { cache_control: { type: 'ephemeral' } }

const jsonOf = (block: ContentBlock, left: Signed): readonly JsonObject[] => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
    case 'thinking':
      return nextSigned(left, block.text)
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: objectOf(block.input) }]
    case 'tool_result': {
      const content = block.content.flatMap((part) => jsonOf(part, left))
      return [
        {
          type: 'tool_result',
          tool_use_id: block.callId,
          content,
          ...(block.isError === true ? { is_error: true } : {}),
        },
      ]
    }
    case 'image':
      return [{ type: 'text', text: '(An image.)' }]
    default:
      return []
  }
}

const nextSigned = (left: Signed, text: string): readonly JsonObject[] => {
  const [next, ...others] = left.get(text) ?? []
  left.set(text, others)
  return next === undefined ? [] : [next]
}
