import { describe, expect, it } from '@jest/globals'
import type { Approver } from './agent.ts'
import type { ContentBlock } from '../messages.ts'
import { ModelError } from '../ports/language-model.ts'
import { createAgent } from './create-agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { call, createBench, scriptedModel, text, type Bench, type ScriptedReply } from './scripted-agent.fixture.ts'

const reply = (...blocks: readonly ContentBlock[]): ScriptedReply => ({ blocks })
/** A model that reads another file with every reply. */
const endless = (inputTokens = 1000) =>
  scriptedModel([], (index) => ({ blocks: [call(`c${index}`, 'read', { path: `f${index}` })], inputTokens }))
const filesFor = (bench: Bench): void => {
  for (let index = 0; index < 200; index += 1) bench.files.set(`f${index}`, `text ${index}`)
}

describe('limits of a turn', () => {
  // A request costs $0.0015.
  it.each([
    [{ turns: 4 }, 'max-turns', 4, /^It has made 4 requests/],
    [{ tokens: 5500 }, 'max-tokens', 5, /^It has used 5,500 tokens/],
    [{ costNano: 6_000_000n }, 'max-cost', 3, /^It has cost \$0\.0045, and the next request would exceed/],
    [{ costNano: 1n }, 'max-cost', 1, /^It has cost \$0\.0015/],
    [{}, 'max-turns', 100, /^It has made 100 requests/],
  ] as const)('%j ends it with %s after %i requests', async (limits, end, turns, reason) => {
    const bench = createBench()
    filesFor(bench)
    const model = endless()
    const outcome = await createAgent(bench.options(model, { limits })).run('Read all')
    expect(outcome).toMatchObject({ end, turns, reason: expect.stringMatching(reason) })
    expect(model.requests).toHaveLength(turns)
    expect(outcome.costNano).toBe(BigInt(turns) * 1_500_000n)
  })

  it('goes on after a limit in another turn, with its own budget', async () => {
    const bench = createBench()
    filesFor(bench)
    const agent = createAgent(bench.options(endless(), { limits: { turns: 2 } }))
    expect((await agent.run('Read all')).turns).toBe(2)
    expect(await agent.resume()).toMatchObject({ end: 'max-turns', turns: 2 })
    expect(bench.ran).toEqual(['read f0', 'read f1', 'read f2', 'read f3'])
  })

  it('a cost that nobody knows is never within a limit', async () => {
    const bench = createBench()
    const model = scriptedModel([reply(call('c', 'read', { path: 'a' }))])
    const options: AgentOptions = bench.options(model, { limits: { costNano: 10n ** 12n }, model: 'my-own-model' })
    const outcome = await createAgent(options).run('Go')
    expect(outcome).toMatchObject({ end: 'max-cost', turns: 1, costNano: null })
    expect(outcome.reason).toMatch(/no known price/)
  })

  it.each([{ turns: 0 }, { tokens: 1.5 }, { costNano: 0n }, { mistakes: -1 }])('refuses %p', (limits) => {
    const bench = createBench()
    expect(() => createAgent(bench.options(endless(), { limits }))).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    )
  })
})

describe('a model that is stuck', () => {
  it('is told at the third identical call and stopped at the fifth; its log is closed', async () => {
    const bench = createBench()
    bench.files.set('a', 'x')
    const same = scriptedModel([], (index) =>
      reply(call(`c${index}`, 'read', { path: 'a' }), call(`d${index}`, 'fly', {})),
    )
    const only = scriptedModel([], (index) => reply(call(`c${index}`, 'read', { path: 'a' })))
    const outcome = await createAgent(bench.options(only)).run('Read')
    expect(outcome).toMatchObject({ end: 'repeated-call', turns: 5 })
    expect(bench.ran).toHaveLength(4)
    const sent = JSON.stringify(only.requests.at(-1)?.messages)
    expect(sent.match(/You have made this very call \d times/g)).toEqual([
      'You have made this very call 3 times',
      'You have made this very call 4 times',
    ])
    // Two that take turns are no identical calls in a row.
    const other = await createAgent(bench.options(same, { limits: { turns: 7 } })).run('Read')
    expect(other.end).toBe('max-turns')
  })

  it('is stopped after three replies that led to errors alone; one that worked starts again', async () => {
    const bench = createBench()
    bench.files.set('a', 'x')
    const good = [2, 5]
    const model = scriptedModel([], (index) =>
      good.includes(index)
        ? reply(call(`c${index}`, 'read', { path: 'a' }), call(`d${index}`, 'read', { path: 'none' }))
        : reply(call(`c${index}`, 'read', { path: `none${index}` }), call(`d${index}`, 'fly', { to: index })),
    )
    const outcome = await createAgent(bench.options(model)).run('Read')
    expect(outcome).toMatchObject({ end: 'mistakes', turns: 9 })
  })

  it('goes on where its reply was cut, and is stopped where it always is', async () => {
    const bench = createBench()
    const cut: ScriptedReply = { blocks: [text('And so')], stopReason: 'max-output' }
    const once = scriptedModel([cut, reply(text('it ends.'))])
    expect(await createAgent(bench.options(once)).run('Tell')).toMatchObject({ end: 'done', text: 'it ends.' })
    expect(JSON.stringify(once.requests[1]?.messages)).toContain('reached its longest length')
    const always = scriptedModel([], () => cut)
    expect(await createAgent(bench.options(always)).run('Tell')).toMatchObject({ end: 'mistakes', turns: 3 })
  })
})

describe('approvals', () => {
  const WRITE = call('c1', 'write', { path: 'a', text: 'b' })

  it('without anybody to ask the turn ends before the call, which resume asks about again', async () => {
    const bench = createBench()
    const model = scriptedModel([reply(WRITE, call('c2', 'read', { path: 'a' })), reply(text('Done.'))])
    const first = await createAgent(bench.options(model, { approvals: {} })).run('Write')
    expect(first).toMatchObject({ end: 'approval', turns: 1 })
    expect(first.reason).toBe('"write a" needs an approval, and nobody can give it here. It changes files.')
    expect(bench.ran).toEqual([])
    const asked: string[] = []
    const agent = createAgent(
      bench.options(model, {
        session: first.sessionId,
        approvals: {},
        approve: async ({ call: { title } }) => {
          asked.push(title)
          return { decision: 'allow' }
        },
      }),
    )
    expect(await agent.resume()).toMatchObject({ end: 'done', text: 'Done.' })
    expect(asked).toEqual(['write a'])
    expect(bench.ran).toEqual(['write a', 'read a'])
  })

  it('a refusal and its reason are told to the model; "always" holds for calls like it', async () => {
    const bench = createBench()
    const shell = (id: string, command: string) => call(id, 'shell', { command })
    const model = scriptedModel([
      reply(WRITE, shell('c2', 'npm test')),
      reply(shell('c3', 'npm run build'), shell('c4', 'npm test && rm -rf /'), shell('c5', 'git push')),
      reply(text('So.')),
    ])
    const asked: string[] = []
    const agent = createAgent(
      bench.options(model, {
        approvals: {},
        approve: async ({ call: { title } }) => {
          asked.push(title)
          if (title === 'write a') return { decision: 'deny', feedback: 'Use b.' }
          return title === 'run npm test' ? { decision: 'always' } : { decision: 'deny' }
        },
      }),
    )
    await agent.run('Go')
    expect(asked).toEqual(['write a', 'run npm test', 'run npm test && rm -rf /', 'run git push'])
    expect(bench.ran).toEqual(['run npm test', 'run npm run build'])
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('the user declined it. They say: Use b.')
  })

  it('what is always allowed holds for the next agent that is given it', async () => {
    const bench = createBench()
    const granted = new Set<string>()
    const asked: string[] = []
    const turn = async (session: string | undefined): Promise<string> => {
      const approve: Approver = async ({ call: { title } }) => {
        asked.push(title)
        return { decision: 'always' }
      }
      const model = scriptedModel([reply(WRITE), reply(text('So.'))])
      const options = bench.options(model, { approvals: {}, approve, granted })
      return (await createAgent({ ...options, ...(session === undefined ? {} : { session }) }).run('Go')).sessionId
    }
    await turn(await turn(undefined))
    expect(asked).toEqual(['write a'])
    expect(bench.ran).toEqual(['write a', 'write a'])
    expect(granted.size).toBe(1)
  })

  it('asks again after so many requests without a question', async () => {
    const bench = createBench()
    const model = scriptedModel([], (index) =>
      index === 5 ? reply(text('Done.')) : reply(call(`c${index}`, 'write', { path: `f${index}`, text: 'x' })),
    )
    const why: string[] = []
    const agent = createAgent(
      bench.options(model, {
        limits: { autoApproved: 2 },
        approve: async (request) => {
          why.push(`${request.call.title}: ${request.why}`)
          return { decision: 'allow' }
        },
      }),
    )
    expect((await agent.run('Go')).end).toBe('done')
    expect(why).toEqual(['write f2: 2 requests in a row ran without a question.'])
  })

  it('a signal ends a turn that waits for an answer; nothing was begun', async () => {
    const bench = createBench()
    const controller = new AbortController()
    const agent = createAgent(
      bench.options(scriptedModel([reply(WRITE)]), {
        approvals: {},
        approve: (_request, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
            controller.abort()
          }),
      }),
    )
    expect(await agent.run('Go', { signal: controller.signal })).toMatchObject({ end: 'cancelled', turns: 1 })
    expect(bench.ran).toEqual([])
    const log = await bench.engine().sessions.log(agent.sessionId ?? '')
    expect(log.map(({ kind }) => kind)).not.toContain('tool-start')
  })
})

describe('what failed attempts cost', () => {
  it('counts within the limit', async () => {
    const bench = createBench()
    const usage = {
      inputTokens: 2000,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 0,
    }
    const model = scriptedModel([{ error: new ModelError('refused', 'It declined.', { usage }) }])
    const outcome = await createAgent(bench.options(model)).run('Go')
    expect(outcome).toMatchObject({ end: 'failed', costNano: 2_000_000n })
  })
})
