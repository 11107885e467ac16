/** Sessions as they are found: of other agents, stopped in the middle, with secrets; what is sent of them is valid. */
import type { EntryWrite } from '../../../ports/session-storage.ts'
import type { Store } from '../../../ports/store.ts'
import { longText, TOOLS } from '../language-model/requests.ts'
import { rejectionOf } from '../test-api.ts'
import { ASKED, resultsOf, type RequestSuite } from './workbench.ts'

const AT = Date.UTC(2025, 11, 31)
const FOREIGN = { id: 'claude-code:f', agent: 'claude-code', externalId: 'f', workspace: '/w' }

/** A session of another agent, with its own reasoning and tools, which ends in the middle of a turn. */
const foreignSession = (model: string): readonly EntryWrite[] => {
  const assistant = { kind: 'message', role: 'assistant', model } as const
  return [
    {
      entry: { kind: 'message', id: 'u1', at: AT, role: 'user', content: [{ type: 'text', text: 'Mend the build.' }] },
    },
    {
      entry: {
        ...assistant,
        id: 'a1',
        at: AT + 1,
        responseId: 'msg_1',
        content: [
          { type: 'other', value: { type: 'redacted_thinking', data: 'bm90IG91cnM' } },
          { type: 'thinking', text: longText('thought', 20), signature: 'c2VhbGVkIGVsc2V3aGVyZQ==' },
          { type: 'text', text: 'I look at it.' },
          { type: 'tool_call', id: 'call:1', name: '7.mcp/build:run it', input: { target: 'all' } },
          { type: 'tool_call', id: 'call:2', name: 'Read', input: '{"path": "a.ts"' },
        ],
      },
    },
    {
      entry: {
        kind: 'message',
        id: 't1',
        at: AT + 2,
        role: 'tool',
        content: [{ type: 'tool_result', callId: 'call:1', content: [{ type: 'text', text: longText('line', 40) }] }],
      },
    },
    {
      entry: {
        ...assistant,
        id: 'a2',
        at: AT + 3,
        responseId: 'msg_2',
        content: [
          { type: 'thinking', text: 'Once more.', signature: 'c2VhbGVkIGVsc2V3aGVyZSB0b28=' },
          { type: 'tool_call', id: 'call:3', name: 'Bash', input: { command: 'make' } },
        ],
      },
    },
  ]
}

/** A store that is killed before a reply is written. */
const killedBeforeReply = (store: Store): Store => {
  const { sessions } = store
  return {
    ...store,
    sessions: {
      append: (session, seq, writes) =>
        writes.some(({ request }) => request !== undefined)
          ? Promise.reject(new Error('killed'))
          : sessions.append(session, seq, writes),
      read: (id, range) => sessions.read(id, range),
      idsAmong: (id, externalIds) => sessions.idsAmong(id, externalIds),
      get: (id) => sessions.get(id),
      list: (query) => sessions.list(query),
      resolve: (text, limit) => sessions.resolve(text, limit),
      sourceLines: (id) => sessions.sourceLines(id),
      delete: (id) => sessions.delete(id),
    },
  }
}

/** Defines the tests of sessions that go on: after another agent, after a crash, without secrets. */
export const runConversations = ({ test, expect }: RequestSuite): void => {
  for (const asked of ASKED)
    for (const maker of new Set([asked.model, 'claude-sonnet-4-5', 'gpt-5.1-codex']))
      test(`goes on with a session of another agent, of ${maker}`, asked, async ({ store, server, model, engine }) => {
        expect((await store.sessions.append(FOREIGN, 0, foreignSession(maker))).ok).toBe(true)
        const send = { session: FOREIGN.id, languageModel: model, model: asked.model }
        await engine().requests.send({ ...send, message: 'What did we decide?' })
        await engine().requests.send({ ...send, message: 'And why?', tools: TOOLS, effort: 'low' })
        expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
        const [first] = server.requests
        expect(first?.text.includes('Mend the build.') && first.text.includes('result missing')).toBe(true)
        expect((await store.sessions.get(FOREIGN.id))?.requests).toBe(2)
      })

  for (const asked of ASKED)
    test('goes on behind a crash, and with results that are missing', asked, async (bench) => {
      const { store, server, model, engine } = bench
      const settings = { languageModel: model, model: asked.model, tools: TOOLS }
      const calls = ['a.ts', 'b.ts', 'c.ts'].map(
        (path) => ({ type: 'tool-call', name: 'read_file', input: { path } }) as const,
      )
      server.script({ reply: { blocks: [{ type: 'text', text: 'I read.' }, ...calls] } })
      const first = await engine().requests.send({ ...settings, session: {}, message: 'Read three files.' })
      const session = first.sessionId
      expect(first.toolCalls.length).toBe(3)
      const results = resultsOf(first.content, (call) => `content ${call}`)

      const unanswered = { ...results[0], callId: 'nobody-called' } as (typeof results)[number]
      const before = (await store.sessions.read(session)).length
      expect(
        await rejectionOf(engine().requests.send({ ...settings, session, toolResults: [unanswered] })),
      ).toMatchObject({ code: 'invalid-input' })
      expect((await store.sessions.read(session)).length).toBe(before)

      const killed = bench.engineOver(killedBeforeReply(store))
      const crash = killed.requests.send({ ...settings, session, toolResults: results.slice(0, 2) })
      expect(await rejectionOf(crash)).toMatchObject({ message: 'killed' })
      // What was sent is in the log; the reply that nobody wrote is not, nor is its bill.
      expect((await store.sessions.read(session)).length).toBe(before + 1)
      expect((await store.usage.requests(session)).length).toBe(1)

      await engine().requests.send({ ...settings, session })
      await engine().requests.send({ ...settings, session, message: 'Go on.' })
      expect(server.requests.filter(({ problem }) => problem !== undefined)).toEqual([])
      expect(server.requests.at(-1)?.text.includes('content 1')).toBe(true)
      expect(server.requests.at(-1)?.text.includes('result missing')).toBe(true)
      expect((await store.usage.requests(session)).length).toBe(3)
    })

  for (const asked of ASKED)
    test('sends what it stores: without secrets, the same after a restart', asked, async (bench) => {
      const { store, server, model, engine } = bench
      const secret = `ghp_${'a1B2'.repeat(9)}`
      const settings = { languageModel: model, model: asked.model, tools: TOOLS }
      server.script({
        reply: {
          blocks: [
            ...(asked.thinks ? [{ type: 'thinking', text: 'hm' } as const] : []),
            { type: 'text', text: `The token is ${secret}.` },
            { type: 'tool-call', name: 'read_file', input: { path: 'a.ts', token: secret } },
          ],
        },
      })
      const { requests } = engine()
      const first = await requests.send({ ...settings, session: {}, message: `Use ${secret} for it.` })
      expect(JSON.stringify(first.toolCalls).includes(secret)).toBe(true)
      expect(first.redactions).toBe(3)
      const session = first.sessionId
      const results = resultsOf(first.content, () => `found ${secret}`)
      const second = await requests.send({ ...settings, session, toolResults: results })
      const third = await engine().requests.send({ ...settings, session, message: 'Thanks.' })
      expect([second.redactions, third.redactions]).toEqual([1, 0])
      expect(server.requests.filter(({ problem }) => problem !== undefined)).toEqual([])
      expect(server.requests.filter(({ text }) => text.includes(secret)).length).toBe(0)
      expect(server.requests.at(-1)?.text.includes('[redacted:github-token]')).toBe(true)
      expect(JSON.stringify(await store.sessions.read(session)).includes(secret)).toBe(false)
    })

  for (const asked of ASKED.filter(({ thinks }) => thinks))
    test(
      'goes on with the key of another account, without reasoning of the one before',
      asked,
      async ({ store, server, model, modelWith, engine }) => {
        const settings = { model: asked.model, effort: 'medium' as const, tools: TOOLS }
        const thinking = { type: 'thinking', text: 'hm, I think' } as const
        const call = { type: 'tool-call', name: 'read_file', input: { path: 'a.ts' } } as const
        server.script(
          { reply: { blocks: [thinking, { type: 'text', text: 'I read.' }, call] } },
          { reply: { blocks: [thinking, { type: 'text', text: 'Well.' }] } },
        )
        const own = { ...settings, languageModel: model }
        const first = await engine().requests.send({ ...own, session: {}, message: 'One.' })
        const session = first.sessionId
        await engine().requests.send({ ...own, session, toolResults: resultsOf(first.content, () => 'found') })
        const other = { ...settings, languageModel: modelWith('other-key'), session }
        const second = await engine().requests.send({ ...other, message: 'Two.' })
        const third = await engine().requests.send({ ...other, message: 'Three.' })
        const refused = server.requests.filter(({ problem }) => problem !== undefined).length
        expect([second.attempt, third.attempt]).toEqual([1 + refused, 1])
        const failures = await store.usage.failures({ sessionId: session })
        expect(failures.map(({ code, failures: count }) => [code, count])).toEqual(
          refused === 0 ? [] : [['bad-request', 1]],
        )
        expect((await store.usage.requests(session)).length).toBe(4)
        // Signatures of this model are good for every account.
        expect(refused).toBe(asked.model === 'claude-sonnet-5' ? 0 : 1)
      },
      { keys: ['test-key', 'other-key'] },
    )
}
