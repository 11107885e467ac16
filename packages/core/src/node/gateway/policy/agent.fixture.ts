/** For tests: an agent that reads files, one after the other, and keeps its own conversation in Anthropic's form. */
import type { JsonObject } from '../../../json.ts'
import { arrayOf, objectOf } from '../../../json.ts'
import type { ModelServer, Step } from '../../../testing/model-server/index.ts'

export const MODEL = 'claude-sonnet-5'

export interface TestAgent {
  /** As it would send it next, without marks for the cache. */
  messages: JsonObject[]
  /** Sends the conversation, and takes the reply into it. Rejects for a refusal. */
  ask(step?: Step): Promise<JsonObject>
  /** The model reads a file: a call, and its result. */
  read(path: string, text: string): Promise<void>
  /** The model runs a command. */
  run(command: string, output: string): Promise<void>
}

export interface TestAgentOptions {
  readonly url: string
  readonly server: ModelServer
  readonly model?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Beside what every body has. */
  readonly settings?: JsonObject
  /** What the model thinks before each call; default nothing. */
  readonly thought?: (call: number) => string
  /** How many calls were made before; their ids are not given again. */
  readonly firstCall?: number
}

const TOOLS = [
  { name: 'Read', description: 'Reads a file', input_schema: { type: 'object' } },
  { name: 'Bash', description: 'Runs a command', input_schema: { type: 'object' } },
]

export const createTestAgent = ({
  url,
  server,
  model = MODEL,
  headers = {},
  settings,
  thought,
  firstCall = 0,
}: TestAgentOptions): TestAgent => {
  let calls = firstCall
  const agent: TestAgent = {
    messages: [],
    ask: async (step) => {
      if (step !== undefined) server.script(step)
      const response = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': 'test-key',
          'anthropic-version': '2023-06-01',
          ...headers,
        },
        body: bodyOf(model, agent.messages, settings),
      })
      const reply = objectOf(await response.json())
      if (!response.ok) throw new Error(`refused: ${JSON.stringify(reply)}`)
      agent.messages.push({ role: 'assistant', content: arrayOf(reply.content) })
      return reply
    },
    read: (path, text) => call('Read', { file_path: path }, text),
    run: (command, output) => call('Bash', { command }, output),
  }
  const call = async (name: string, input: JsonObject, result: string): Promise<void> => {
    const id = `toolu_${(calls += 1)}`
    const thinking = thought === undefined ? [] : [{ type: 'thinking', text: thought(calls) } as const]
    await agent.ask({ reply: { blocks: [...thinking, { type: 'tool-call', id, name, input }] } })
    agent.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] })
  }
  return agent
}

/** The body with spaces and a number that no parser keeps, so that a test sees whether it came through as it was. */
export const bodyOf = (model: string, messages: readonly JsonObject[], settings: JsonObject = {}): string => {
  const marked = messages.map((message, index) => (index === messages.length - 1 ? withMark(message) : message))
  const body = {
    model,
    max_tokens: 2000,
    system: [{ type: 'text', text: 'You are careful.', cache_control: { type: 'ephemeral' } }],
    tools: TOOLS,
    ...settings,
    messages: marked,
  }
  return JSON.stringify(body, null, 1).replace('"max_tokens": 2000', '"max_tokens": 2.0e3')
}

const withMark = (message: JsonObject): JsonObject => {
  const { content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content)
  return {
    ...message,
    content: blocks.map((block, index) =>
      index === blocks.length - 1 ? { ...objectOf(block), cache_control: { type: 'ephemeral' } } : block,
    ),
  }
}

/** Code of so many lines, different for each name. */
export const codeOf = (name: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `${line + 1}\texport const ${name}Value${line} = compute_${name}(${line * 7})`,
  ).join('\n')
