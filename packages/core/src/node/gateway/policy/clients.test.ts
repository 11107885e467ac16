import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { PolicyName } from '../../../context/policies/registry.ts'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import { startModelServer, type ModelServer } from '../../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway.fixture.ts'
import { codeOf, createTestAgent, type TestAgent, type TestAgentOptions } from './agent.fixture.ts'

const MINUTE_MS = 60_000
const SESSION = '0b1c2d3e-1111-4222-8333-444455556666'

let now: number
let server: ModelServer
const gateways: TestGateway[] = []

beforeEach(async () => {
  now = 1_790_000_000_000
  server = await startModelServer({ clock: () => now })
})
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
  await server.close()
})

const open = async (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> => {
  const gateway = await startTestGateway({ upstream: server.url, policy: 'cache-aware', now: () => now, ...options })
  gateways.push(gateway)
  return gateway
}
const agentOf = (gateway: TestGateway, options: Partial<TestAgentOptions> = {}): TestAgent =>
  createTestAgent({ url: gateway.url, server, ...options })

/** Steps of work, each larger than the one before. */
const work = async (agent: TestAgent, steps = 12, lines = 60): Promise<void> => {
  if (agent.messages.length === 0) agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
  for (let step = 0; step < steps; step += 1) {
    await agent.read(`src/module${step % 3}.ts`, codeOf(`module${step}`, lines - 20 + 13 * (step % 5)))
    await agent.run('npm test', `Test run ${step}\n${codeOf(`run${step}`, lines + 17 * (step % 4))}`)
    now += 5_000
  }
}
const sent = (): string => JSON.stringify(objectOf(server.requests.at(-1)?.body).messages)
const problems = (): readonly unknown[] => server.requests.flatMap(({ problem }) => problem ?? [])

describe('a policy in the gateway, for clients', () => {
  it.each<[string, string]>([
    ['claude-opus-5', 'that is bound to the turn'],
    ['claude-opus-5-5', 'that is bound to the conversation'],
  ])('never spoils the reasoning of %s, %s', async (model) => {
    const gateway = await open()
    const thinking = { thinking: { type: 'adaptive', display: 'summarized' } }
    const agent = agentOf(gateway, {
      model,
      settings: thinking,
      thought: (call) => `Step ${call} comes next, and it is easy.`,
    })
    await work(agent)
    now += 20 * MINUTE_MS
    await agent.ask()
    agent.messages.push({ role: 'user', content: 'And how are they shown?' })
    now += 20 * MINUTE_MS
    await work(agent, 4)
    now += 20 * MINUTE_MS
    await agent.ask()
    expect(problems()).toEqual([])
    expect(sent().includes('[cleared]')).toBe(true)
    expect(gateway.told).toEqual([])
  })

  it.each<PolicyName>(['cline', 'clio'])(
    'keeps the window with %s, and every request is one that the provider takes',
    async (policy) => {
      const gateway = await open({ policy })
      const agent = agentOf(gateway, { model: 'claude-haiku-4-5' })
      await work(agent, 16, 460)
      const whole = JSON.stringify(agent.messages).length
      await agent.ask()
      expect(problems()).toEqual([])
      expect(sent().length).toBeLessThan(whole * 0.8)
      expect(gateway.told).toEqual([])
      const before = sent()
      const restarted = await open({ policy, store: gateway.store })
      const again = agentOf(restarted, { model: 'claude-haiku-4-5' })
      again.messages = agent.messages.slice(0, -1)
      await again.ask()
      expect(sent() === before).toBe(true)
    },
  )

  it('decides the same whether it followed the conversation or was started again before each request', async () => {
    const run = async (isRestarted: boolean): Promise<readonly string[]> => {
      now = 1_790_000_000_000
      const from = server.requests.length
      let gateway = await open()
      const { store } = gateway
      let agent = agentOf(gateway)
      for (let step = 0; step < 8; step += 1) {
        if (isRestarted && step > 0) {
          const { messages } = agent
          gateway = await open({ store })
          agent = agentOf(gateway, { firstCall: step * 2 * 3 })
          agent.messages = messages
        }
        await work(agent, 3)
        await gateway.untilRecorded(isRestarted ? 6 : (step + 1) * 6)
        if (step % 3 === 1) now += 20 * MINUTE_MS
      }
      return server.requests.slice(from).map(({ text }) => text)
    }
    const followed = await run(false)
    const restarted = await run(true)
    expect(restarted.length).toBe(followed.length)
    expect(restarted.findIndex((text, index) => text !== followed[index])).toBe(-1)
    expect(followed.at(-1)?.includes('[cleared]')).toBe(true)
  })

  it('brings nothing back that the client cleared itself', async () => {
    const gateway = await open()
    const agent = agentOf(gateway)
    await work(agent)
    now += 20 * MINUTE_MS
    await agent.ask()
    agent.messages = agent.messages.map((message, index) =>
      index < 12 && index % 2 === 0 && index > 0 ? clearedResult(message) : message,
    )
    agent.messages.push({ role: 'user', content: 'Go on.' })
    now += 5_000
    await agent.ask()
    expect(problems()).toEqual([])
    expect(sent().includes('gone, said the client')).toBe(true)
    expect(sent().includes('run1Value5')).toBe(false)
  })

  it('keeps a secret out of the log and of what it puts in, and decides the same after a restart', async () => {
    const key = `sk-ant-api03-${'aB3dE6gH9jK2mN5p'.repeat(5)}-AA`
    const gateway = await open()
    const agent = agentOf(gateway)
    agent.messages.push({
      role: 'user',
      content: `Mend it.\n${codeOf('early', 120)}\nThe key is ${key}, no more.\n${codeOf('late', 120)}`,
    })
    await agent.ask()
    agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
    await work(agent, 14)
    now += 20 * MINUTE_MS
    await agent.ask()
    const before = sent()
    expect(before.includes('[cleared]')).toBe(true)
    await gateway.untilRecorded(30)
    const log = JSON.stringify(await gateway.store.sessions.read(gateway.recorded[0]?.sessionId ?? ''))
    expect(log.includes(key)).toBe(false)
    const again = agentOf(await open({ store: gateway.store }))
    again.messages = agent.messages.slice(0, -1)
    await again.ask()
    expect(sent() === before).toBe(true)
  })

  it('leaves blocks alone that it does not know, and says so', async () => {
    const gateway = await open()
    const agent = agentOf(gateway)
    const odd: JsonObject = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: codeOf('paper', 200) },
    }
    agent.messages.push({ role: 'user', content: [odd, { type: 'text', text: 'Read the paper.' }] })
    await agent.ask()
    agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
    await work(agent)
    now += 20 * MINUTE_MS
    await agent.ask()
    expect(arrayOf(arrayOf(objectOf(server.requests.at(-1)?.body).messages).map(objectOf)[0]?.content)[0]).toEqual(odd)
    expect(sent().includes('[cleared]')).toBe(true)
    expect(new Set(gateway.told)).toEqual(
      new Set(['The policy leaves blocks of the type "document" as they are: it does not know them.']),
    )
  })
})

const clearedResult = (message: JsonObject): JsonObject => ({
  ...message,
  content: arrayOf(message.content).map((block) => ({ ...objectOf(block), content: 'gone, said the client' })),
})

describe('a policy in the gateway, where the agent keeps a transcript', () => {
  const headers = { 'x-claude-code-session-id': SESSION }
  const withTranscript = async (
    importTranscript: NonNullable<TestGatewayOptions['importTranscript']>,
  ): Promise<TestGateway> => {
    const gateway = await open({ importTranscript })
    const folder = join(gateway.home, '.claude', 'projects', '-code-app')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${SESSION}.jsonl`), '')
    return gateway
  }

  it('leaves nothing out before the transcript is in the store, and writes none of its messages', async () => {
    const imported: string[] = []
    const gateway = await withTranscript((agent, path) => {
      imported.push(`${agent} ${path.split('/').at(-1)}`)
      return Promise.resolve()
    })
    const agent = agentOf(gateway, { headers })
    await work(agent)
    expect(imported).toEqual([])
    now += 20 * MINUTE_MS
    await agent.ask()
    expect(imported).toEqual([`claude-code ${SESSION}.jsonl`])
    expect(sent().includes('[cleared]')).toBe(true)
    await gateway.untilRecorded(25)
    const log = await gateway.store.sessions.read(`claude-code:${SESSION}`)
    expect(new Set(log.map(({ kind }) => kind))).toEqual(new Set(['model', 'rewrite']))
  })

  it('leaves nothing out where the transcript can not be read, and says so', async () => {
    const gateway = await withTranscript(() => Promise.reject(new Error('the disk is full')))
    const agent = agentOf(gateway, { headers })
    await work(agent)
    now += 20 * MINUTE_MS
    await agent.ask()
    expect(sent().includes('[cleared]')).toBe(false)
    expect(gateway.told).toEqual(['The policy leaves nothing more out: the disk is full'])
  })
})
