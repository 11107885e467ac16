import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import { startModelServer, type ModelServer } from '../../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway } from '../gateway.fixture.ts'
import { bodyOf, codeOf, createTestAgent, MODEL, type TestAgent } from './agent.fixture.ts'

const MINUTE_MS = 60_000

let now: number
let server: ModelServer
let gateway: TestGateway
let agent: TestAgent

beforeEach(async () => {
  now = 1_790_000_000_000
  server = await startModelServer({ clock: () => now })
  gateway = await startTestGateway({ upstream: server.url, policy: 'cache-aware', now: () => now })
  agent = createTestAgent({ url: gateway.url, server })
})
afterEach(async () => {
  await gateway.close()
  await server.close()
})

/** The agent tries things, and reads what it tried; after a pause all but the newest of it is to leave. */
const work = async (): Promise<void> => {
  agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
  for (let step = 0; step < 12; step += 1) {
    await agent.read(`src/module${step % 3}.ts`, codeOf(`module${step}`, 40 + 13 * (step % 5)))
    await agent.run('npm test', `Test run ${step}\n${codeOf(`run${step}`, 60 + 17 * (step % 4))}`)
    now += 5_000
  }
}
const pause = (): void => void (now += 20 * MINUTE_MS)

/** What the server got in its newest request. */
const received = (): JsonObject => objectOf(server.requests.at(-1)?.body)
const textOf = (value: unknown): string => JSON.stringify(value)
const has = (words: string): boolean => textOf(received().messages).includes(words)

describe('a policy in the gateway', () => {
  it('passes bytes as they came while nothing is to be left out', async () => {
    const bodies: string[] = []
    const upstream = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        response.writeHead(529).end()
      })
    })
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    const before = await startTestGateway({
      upstream: `http://127.0.0.1:${port}`,
      policy: 'cache-aware',
      now: () => now,
    })
    agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
    for (const name of ['one', 'two', 'three']) await agent.read(`src/${name}.ts`, codeOf(name, 20))
    const own = createTestAgent({ url: before.url, server })
    own.messages = agent.messages
    await expect(own.ask()).rejects.toThrow()
    await before.close()
    upstream.close()
    expect(bodies).toEqual([bodyOf(MODEL, agent.messages)])
    expect(before.told).toEqual([])
  })

  it('leaves out what is dead after a pause, and nothing else of the body changes', async () => {
    await work()
    pause()
    const came = agent.messages
    await agent.ask()
    const body = received()
    expect(server.requests.map(({ problem }) => problem)).toEqual(server.requests.map(() => undefined))
    expect(textOf(body.messages).length).toBeLessThan(textOf(came).length * 0.75)
    expect(has('[cleared]')).toBe(true)
    expect(has("Cairn's recall tool finds it")).toBe(true)
    const { messages: _messages, ...rest } = body
    const { messages: _came, ...own } = objectOf(JSON.parse(bodyOf(MODEL, came)))
    expect(rest).toEqual(own)
    // The task and what was read last stand there word for word.
    expect(arrayOf(body.messages)[0]).toEqual(came[0])
    expect(has('run11Value5')).toBe(true)
  })

  it('keeps what it left out in the log, and the decision: a gateway that was restarted sends the same', async () => {
    await work()
    pause()
    await agent.ask()
    agent.messages.push({ role: 'user', content: 'And how are they shown?' })
    const conversation = agent.messages
    await agent.ask()
    const before = textOf(received().messages)
    const [recorded] = await gateway.untilRecorded(26)
    const log = await gateway.store.sessions.read(recorded?.sessionId ?? '')
    expect(textOf(log).includes('module3Value5')).toBe(true)
    expect(log.filter(({ kind }) => kind === 'rewrite').length).toBeGreaterThan(0)

    const restarted = await startTestGateway({
      upstream: server.url,
      policy: 'cache-aware',
      now: () => now,
      store: gateway.store,
    })
    const again = createTestAgent({ url: restarted.url, server })
    again.messages = conversation.slice(0, -1)
    await again.ask()
    await restarted.close()
    expect(textOf(received().messages) === before).toBe(true)
  })

  it('goes on with the beginning that the provider has cached', async () => {
    await work()
    pause()
    await agent.read('src/last.ts', codeOf('last', 30))
    now += 5_000
    await agent.ask()
    const [, last] = server.ledger.slice(-2)
    const read = last?.tokens.cacheReadTokens ?? 0
    const written = (last?.tokens.cacheWrite5mTokens ?? 0) + (last?.tokens.inputTokens ?? 0)
    expect(read).toBeGreaterThan(4 * written)
  })

  it('follows a client that takes its conversation back: what it left out is not decided any more', async () => {
    await work()
    const short = agent.messages.slice(0, 9)
    pause()
    await agent.ask()
    expect(has('[cleared]')).toBe(true)
    agent.messages = [...short]
    now += 5_000
    await agent.ask()
    expect(arrayOf(received().messages).length).toBe(9)
    expect(has('[cleared]')).toBe(false)
    agent.messages = [{ role: 'user', content: 'A summary of what was said: prices are rounded half up. Go on.' }]
    await agent.ask()
    expect(has('module')).toBe(false)
  })
})
