import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import { startModelServer, type ModelServer } from '../../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway } from '../gateway.fixture.ts'
import { codeOf } from './agent.fixture.ts'

const MODEL = 'gpt-5.6'
const STEPS = 40

let server: ModelServer
let gateway: TestGateway
let now: number

beforeEach(async () => {
  now = 1_790_000_000_000
  server = await startModelServer({ clock: () => now })
  gateway = await startTestGateway({ upstream: server.url, policy: 'cache-aware', now: () => now })
})
afterEach(async () => {
  await gateway.close()
  await server.close()
})

const output = (step: number): string => `Test run ${step}\n${codeOf(`run${step}`, 60 + 17 * (step % 4))}`
const send = async (path: string, body: JsonObject): Promise<JsonObject> => {
  const response = await fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body: JSON.stringify(body),
  })
  expect([response.status, server.requests.at(-1)?.problem]).toEqual([200, undefined])
  return objectOf(await response.json())
}
const steps = (count: number): readonly number[] => Array.from({ length: count }, (_, step) => step)

const chat = (count: number): JsonObject => ({
  model: MODEL,
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Mend the tests.' }] },
    ...steps(count).flatMap((step): readonly JsonObject[] => [
      {
        role: 'assistant',
        content: step % 3 === 0 ? `Now for run ${step}.` : null,
        tool_calls: [
          {
            id: `call_${step}`,
            type: 'function',
            function: { name: 'Bash', arguments: `{"command":"npm test -- ${step}"}` },
          },
        ],
      },
      { role: 'tool', tool_call_id: `call_${step}`, content: output(step) },
    ]),
  ],
})

const responses = (count: number): JsonObject => ({
  model: MODEL,
  instructions: 'Be brief.',
  store: false,
  input: [
    { role: 'user', content: 'Mend the tests.' },
    ...steps(count).flatMap((step): readonly JsonObject[] => [
      ...(step % 3 === 0
        ? [
            {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: `Now for run ${step}.`, annotations: [] }],
            },
          ]
        : []),
      { type: 'function_call', call_id: `call_${step}`, name: 'Bash', arguments: `{"command":"npm test -- ${step}"}` },
      { type: 'function_call_output', call_id: `call_${step}`, output: output(step) },
    ]),
  ],
})

describe.each([
  { name: 'Chat Completions', path: 'chat/completions', list: 'messages', body: chat },
  { name: 'Responses', path: 'responses', list: 'input', body: responses },
])('a policy in the gateway, with $name', ({ path, list, body }) => {
  const sent = (): readonly JsonObject[] => arrayOf(objectOf(server.requests.at(-1)?.body)[list]).map(objectOf)

  it('leaves out what is dead, keeps calls and results together, and goes on with the same beginning', async () => {
    await send(path, body(STEPS))
    const first = sent()
    const came = arrayOf(body(STEPS)[list])
    expect(JSON.stringify(first).length).toBeLessThan(JSON.stringify(came).length * 0.8)
    expect(JSON.stringify(first).includes('[cleared]')).toBe(true)
    expect(JSON.stringify(first).includes("Cairn's recall tool finds it")).toBe(true)
    expect(first[0]).toEqual(came[0])
    expect(first.at(-1)).toEqual(came.at(-1))
    await gateway.untilRecorded(1)
    now += 10_000
    await send(path, body(STEPS + 1))
    const second = sent()
    expect(second.slice(0, first.length)).toEqual(first)
    expect(second.length).toBeGreaterThan(first.length)
    expect(gateway.told).toEqual([])
  })

  it('keeps what left in the log', async () => {
    await send(path, body(STEPS))
    const [recorded] = await gateway.untilRecorded(1)
    const log = await gateway.store.sessions.read(recorded?.sessionId ?? '')
    expect(JSON.stringify(log).includes('run3Value5')).toBe(true)
    const changed = log.flatMap((entry) => (entry.kind === 'rewrite' ? entry.changes : []))
    expect(changed.length).toBeGreaterThan(0)
    for (const { seq, block } of changed) {
      const entry = log[seq]
      expect(entry?.kind === 'message' ? entry.content[block]?.type : entry?.kind).toMatch(/^tool_|^text$/)
    }
    expect(recorded?.leftOutTokens).toBeGreaterThan(1000)
  })
})

describe('a policy in the gateway', () => {
  it('passes a request whose conversation the provider keeps, and says so', async () => {
    await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
      body: JSON.stringify({ ...responses(2), previous_response_id: 'resp_1' }),
    })
    expect(gateway.told).toEqual([
      'A request was passed on whole: the provider keeps its conversation, and a policy needs all of it.',
    ])
    expect(objectOf(server.requests.at(-1)?.body).input).toEqual(
      objectOf(JSON.parse(JSON.stringify(responses(2)))).input,
    )
  })
})
