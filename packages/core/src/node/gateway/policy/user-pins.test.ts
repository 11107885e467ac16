import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { manualChange, targetOf, type ManualAction } from '../../../context/manual-change.ts'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import type { NewLogEntry } from '../../../session-log.ts'
import { startModelServer, type ModelServer } from '../../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway.fixture.ts'
import { codeOf, createTestAgent, type TestAgent, type TestAgentOptions } from './agent.fixture.ts'

const MINUTE_MS = 60_000
const CLAUDE_SESSION = '0b1c2d3e-1111-4222-8333-444455556666'

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

/** Steps of work, then a pause after which all but the newest of it is to leave. */
const work = async (agent: TestAgent, steps = 12): Promise<void> => {
  agent.messages.push({ role: 'user', content: 'Find out how prices are rounded.' })
  for (let step = 0; step < steps; step += 1) {
    await agent.read(`src/module${step % 3}.ts`, codeOf(`module${step}`, 40 + 13 * (step % 5)))
    await agent.run('npm test', `Test run ${step}\n${codeOf(`run${step}`, 60 + 17 * (step % 4))}`)
    now += 5_000
  }
  now += 20 * MINUTE_MS
}
const next = async (agent: TestAgent, words = 'Go on.'): Promise<void> => {
  if (agent.messages.at(-1)?.role === 'assistant') agent.messages.push({ role: 'user', content: words })
  now += 5_000
  await agent.ask()
}

const sentMessages = (): readonly JsonObject[] => arrayOf(objectOf(server.requests.at(-1)?.body).messages).map(objectOf)
const has = (words: string): boolean => JSON.stringify(sentMessages()).includes(words)
/** Words of what the agent was told by its tools, and is not sent any more. */
const gone = (): readonly string[] =>
  Array.from({ length: 12 }, (_, step) => [`compute_module${step}(140)`, `compute_run${step}(140)`])
    .flat()
    .filter((words) => !has(words))
const problems = (): readonly unknown[] => server.requests.flatMap(({ problem }) => problem ?? [])

/** What `cairn context pin`, `drop` and `restore` do, about the block of a session's log that holds these words. */
const decide = async (
  { store }: TestGateway,
  sessionId: string,
  action: ManualAction,
  words: string,
): Promise<number> => {
  const log = await store.sessions.read(sessionId)
  const found = log.flatMap((entry) => {
    const block =
      entry.kind === 'message' ? entry.content.findIndex((each) => JSON.stringify(each).includes(words)) : -1
    return entry.kind === 'message' && block !== -1 ? [`${entry.id}:${block}`] : []
  })
  const { entries } = manualChange(action, targetOf(found[0] ?? words, log), log, now, 3.5)
  await append({ store }, sessionId, entries)
  return entries.length
}
const append = async (
  { store }: Pick<TestGateway, 'store'>,
  sessionId: string,
  entries: readonly NewLogEntry[],
): Promise<void> => {
  const [agent = '', externalId = ''] = sessionId.split(':')
  const appended = await store.sessions.append(
    { id: sessionId, agent, externalId },
    'end',
    entries.map((entry) => ({ entry })),
  )
  expect(appended.ok).toBe(true)
}

describe("a user's pins in the gateway", () => {
  const begun = async (options: Partial<TestAgentOptions> = {}) => {
    const gateway = await open()
    const agent = agentOf(gateway, options)
    await work(agent)
    await agent.ask()
    const [first] = await gateway.untilRecorded(25)
    return { gateway, agent, sessionId: first?.sessionId ?? '' }
  }

  it.each(['claude-sonnet-5', 'claude-opus-5-5'])(
    'bring back what left and keep it, until they are taken back: %s',
    async (model) => {
      const { gateway, agent, sessionId } = await begun({
        model,
        thought: (call) => `Step ${call} comes next, and it is easy.`,
        settings: model.endsWith('5-5') ? { thinking: { type: 'adaptive', display: 'summarized' } } : {},
      })
      const before = gone()
      expect(before.length).toBeGreaterThan(2)
      const [, pinned = '', ...others] = before
      expect(await decide(gateway, sessionId, 'pin', pinned)).toBeGreaterThan(0)
      await next(agent)
      expect(gone()).toEqual(before.filter((words) => words !== pinned))
      now += 30 * MINUTE_MS
      await next(agent)
      await next(agent)
      expect([has(pinned), others.some(has)]).toEqual([true, false])
      expect(await decide(gateway, sessionId, 'restore', pinned)).toBeGreaterThan(0)
      await next(agent)
      expect(has(pinned)).toBe(false)
      expect([problems(), gateway.told]).toEqual([[], []])
    },
  )

  it('keep what was pinned before a policy decided about it', async () => {
    const without = agentOf(await open())
    await work(without)
    await without.ask()
    const [leaving = '', ...others] = gone()
    const gateway = await open()
    const agent = agentOf(gateway)
    await work(agent)
    const [first] = await gateway.untilRecorded(24)
    await decide(gateway, first?.sessionId ?? '', 'pin', leaving)
    await agent.ask()
    expect(gone()).toEqual(others)
    expect(others.length).toBeGreaterThan(0)
  })

  it('leave out what was dropped, and every request is one that the provider takes', async () => {
    const { gateway, agent, sessionId } = await begun()
    expect(has('compute_run11(140)')).toBe(true)
    const { length } = sentMessages()
    await decide(gateway, sessionId, 'drop', 'compute_run11(140)')
    await decide(gateway, sessionId, 'drop', 'prices are rounded')
    await next(agent)
    expect([has('compute_run11(140)'), has('prices are rounded')]).toEqual([false, false])
    expect(sentMessages()[0]).toMatchObject({ role: 'user' })
    expect(JSON.stringify(sentMessages()[0])).toContain('[dropped by the user]')
    expect(sentMessages().length).toBe(length + 2)
    expect(has('toolu_23')).toBe(true)
    // The call goes, and its result with it.
    await decide(gateway, sessionId, 'drop', '"toolu_23"')
    await next(agent)
    expect(has('toolu_23')).toBe(false)
    expect([problems(), gateway.told]).toEqual([[], []])
  })

  it('hold from the same request on after a restart, and for a client that takes its conversation back', async () => {
    const { gateway, agent, sessionId } = await begun()
    const [pinned = '', other = ''] = gone()
    await decide(gateway, sessionId, 'pin', pinned)
    await next(agent)
    now += 30 * MINUTE_MS
    await next(agent)
    const before = JSON.stringify(sentMessages())
    const restarted = await open({ store: gateway.store })
    const again = agentOf(restarted)
    again.messages = agent.messages.slice(0, -1)
    await again.ask()
    expect(JSON.stringify(sentMessages()) === before).toBe(true)
    const decisions = await gateway.store.sessions.read(sessionId, { kinds: ['rewrite'] })
    again.messages = [...agent.messages.slice(0, 41), { role: 'user', content: 'Another way, please.' }]
    now += 30 * MINUTE_MS
    await again.ask()
    expect([has('[cleared]'), has(pinned), has(other)]).toEqual([true, true, false])
    expect((await gateway.store.sessions.read(sessionId, { kinds: ['rewrite'] })).length).toBeGreaterThan(
      decisions.length,
    )
    expect(problems()).toEqual([])
  })

  it('are found by their content where the messages come from a transcript', async () => {
    const gateway = await open()
    const folder = join(gateway.home, '.claude', 'projects', '-code-app')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${CLAUDE_SESSION}.jsonl`), '')
    const agent = agentOf(gateway, { headers: { 'x-claude-code-session-id': CLAUDE_SESSION } })
    await work(agent)
    const sessionId = `claude-code:${CLAUDE_SESSION}`
    await gateway.untilRecorded(24)
    // As an import has them: other ids, a line for each block.
    await append(
      gateway,
      sessionId,
      agent.messages.flatMap(({ content }, index): readonly NewLogEntry[] =>
        arrayOf(content).flatMap((block, at): readonly NewLogEntry[] => {
          const { type, tool_use_id: callId, content: text } = objectOf(block)
          if (typeof callId !== 'string' || typeof text !== 'string') return []
          return type === 'tool_result'
            ? [
                {
                  kind: 'message',
                  id: `line-${index}-${at}`,
                  at: now - 1,
                  role: 'tool',
                  content: [{ type: 'tool_result', callId, content: [{ type: 'text', text }] }],
                },
              ]
            : []
        }),
      ),
    )
    await agent.ask()
    const [pinned = '', ...others] = gone()
    await decide(gateway, sessionId, 'pin', pinned)
    await next(agent)
    expect(others.length).toBeGreaterThan(0)
    expect([has(pinned), others.some(has)]).toEqual([true, false])
    expect([problems(), gateway.told]).toEqual([[], []])
  })
})
