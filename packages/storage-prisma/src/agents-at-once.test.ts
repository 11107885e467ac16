/** Fifty agents at work at the same time on one store, through several connections: every request of theirs is billed once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { createEngine, type Engine } from '@cairn/core'
import { createAgent, createEngineTools } from '@cairn/core/agent'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createLanguageModel } from '@cairn/core/providers'
import { startModelServer } from '@cairn/core/testing'
import { openStore } from './index.ts'

const AGENTS = 50
const CONNECTIONS = 5
const TURNS = 3

it('totals are those of the provider, session by session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-agents-'))
  const server = await startModelServer({
    makeReply: ({ body }) => {
      const messages = Array.isArray(body['messages']) ? body['messages'] : []
      const text = { type: 'text', text: 'word '.repeat(1 + messages.length * 3) } as const
      const note = { operation: 'set', key: `k${messages.length}`, text: 'x' }
      return { blocks: messages.length > 4 ? [text] : [text, { type: 'tool-call', name: 'note', input: note }] }
    },
  })
  const address = `file:${join(folder, 'store.db')}`
  const engines: Engine[] = []
  try {
    for (let index = 0; index < CONNECTIONS; index += 1) {
      const clock = createSystemClock()
      const parts = { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) }
      engines.push(createEngine({ ...parts, store: await openStore(address) }))
    }
    const languageModel = createLanguageModel({ provider: 'anthropic', apiKey: 'test-key', baseUrl: server.url })
    const outcomes = await Promise.all(
      Array.from({ length: AGENTS }, async (_, index) => {
        const engine = engines[index % CONNECTIONS]
        if (engine === undefined) throw new Error('there is no engine')
        const workspace = `/code/p${index % 3}`
        return createAgent({
          engine,
          languageModel,
          model: 'claude-sonnet-5',
          workspace,
          tools: createEngineTools({ engine, workspace }),
          learns: false,
        }).run(`Task ${index}: ${'detail '.repeat(index)}`)
      }),
    )
    await server.untilNoSockets()
    expect(outcomes.map(({ end, turns }) => [end, turns])).toEqual(outcomes.map(() => ['done', TURNS]))
    const [{ usage, store } = {}] = engines
    const report = await usage?.report({ by: 'session' })
    expect(report?.rows.length).toBe(AGENTS)
    expect(report?.total.requests).toBe(AGENTS * TURNS)
    expect(report?.total.requests).toBe(server.ledger.length)
    const sum = (values: readonly (bigint | null)[]): bigint =>
      values.reduce<bigint>((all, one) => all + (one ?? 0n), 0n)
    expect(report?.total.outputTokens).toBe(server.ledger.reduce((all, { tokens }) => all + tokens.outputTokens, 0))
    expect(report?.total.inputTokens).toBe(server.ledger.reduce((all, { tokens }) => all + tokens.inputTokens, 0))
    expect(report?.total.costNano).toBe(sum(outcomes.map(({ costNano }) => costNano)))
    const costs = new Map(report?.rows.map(({ key, costNano }) => [key, costNano]))
    for (const { sessionId, costNano } of outcomes) expect(costs.get(sessionId)).toBe(costNano)
    expect(await store?.verify()).toEqual([])
  } finally {
    for (const engine of engines) await engine.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)
