import { describe, expect, it } from '@jest/globals'
import type { LogEntry } from '../session-log.ts'
import { ModelError } from '../ports/language-model.ts'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { call, createBench, scriptedModel, text, type Bench, type ScriptedReply } from './scripted-agent.fixture.ts'

const reply = (...blocks: Extract<ScriptedReply, { blocks: unknown }>['blocks']): ScriptedReply => ({ blocks })
const logOf = (bench: Bench, sessionId: string): Promise<readonly LogEntry[]> => bench.engine().sessions.log(sessionId)
const kindsOf = (log: readonly LogEntry[]): readonly string[] =>
  log.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))
const resultsIn = (log: readonly LogEntry[]): readonly string[] =>
  log.flatMap((entry) =>
    entry.kind !== 'message'
      ? []
      : entry.content.flatMap((block) =>
          block.type === 'tool_result' && block.content[0]?.type === 'text' ? [block.content[0].text] : [],
        ),
  )

const identity = (error: unknown): unknown => error
/** What a run is told whose session another one works on. */
const SECOND_RUN: unknown = expect.objectContaining({
  code: 'sequence-conflict',
  message: expect.stringMatching(/^A run of process 7 is at work on the session cairn:/),
})

describe('a turn', () => {
  it('runs calls until the model is done; each step is in the log before the next', async () => {
    const bench = createBench()
    bench.files.set('a.ts', 'one')
    const model = scriptedModel([
      reply(text('I look.'), call('c1', 'read', { path: 'a.ts' })),
      reply(call('c2', 'write', { path: 'a.ts', text: 'two' }), call('c3', 'shell', { command: 'npm test' })),
      reply(text('Done: it is two.')),
    ])
    const agent = createAgent(bench.options(model, { title: 'Two' }))
    const outcome = await agent.run('Make it two')
    expect(outcome).toEqual({
      end: 'done',
      sessionId: agent.sessionId,
      text: 'Done: it is two.',
      turns: 3,
      costNano: 4_500_000n,
    })
    expect(bench.ran).toEqual(['read a.ts', 'write a.ts', 'run npm test'])
    expect(bench.files.get('a.ts')).toBe('two')
    const log = await logOf(bench, outcome.sessionId)
    expect(kindsOf(log)).toEqual([
      ...['model', 'user', 'assistant', 'tool', 'assistant'],
      ...['tool-start', 'tool', 'tool-start', 'tool', 'assistant'],
    ])
    expect(bench.events.map(({ type }) => type).filter((type) => type !== 'request')).toEqual([
      ...['session', 'reply', 'tool-started', 'tool-finished', 'reply'],
      ...['tool-started', 'tool-finished', 'tool-started', 'tool-finished', 'reply', 'ended'],
    ])
  })

  it('sends the same system prompt and tools with every request of a session, also after a restart', async () => {
    const bench = createBench()
    const engine = bench.engine()
    await engine.memory.add({ workspace: '/w', kind: 'discovery', text: 'The build needs Node 24.' })
    const model = scriptedModel([reply(call('c1', 'read', { path: 'a' })), reply(text('Hm.')), reply(text('Still.'))])
    const { sessionId } = await createAgent(bench.options(model)).run('Why does the build fail?')
    await engine.memory.add({ workspace: '/w', kind: 'discovery', text: 'Something learnt later.' })
    bench.clock.advance(3_600_000)
    await createAgent(bench.options(model, { session: sessionId })).run('And now?')
    const [first, ...others] = model.requests.map(({ system, tools }) => JSON.stringify([system, tools]))
    expect(first).toContain('The build needs Node 24.')
    expect(others).toEqual([first, first])
  })

  it('says why a call was not run: no such tool, arguments that are none, plan mode, a refusal', async () => {
    const bench = createBench()
    const model = scriptedModel([
      reply(call('c1', 'fly', {}), { type: 'tool_call', id: 'c2', name: 'read', input: '{"path' }),
      reply(call('c3', 'write', { path: 'a', text: 'b' }), call('c4', 'read', { path: 'none' })),
      reply(text('So.')),
    ])
    const { sessionId } = await createAgent(bench.options(model, { mode: 'plan' })).run('Go')
    expect(resultsIn(await logOf(bench, sessionId))).toEqual([
      'There is no tool called "fly"; there are read, write, shell.',
      'Not run: its arguments are no JSON object. Make the call again.',
      'Not run: write a. In plan mode nothing is changed: describe what you would do instead.',
      'There is no such file.',
    ])
    expect(bench.ran).toEqual(['read none'])
    // Whoever watches hears of each, also of those that were not run.
    expect(bench.events.filter(({ type }) => type === 'tool-finished')).toHaveLength(4)
  })

  it('ends with the error where the model fails, and goes on after it without the message twice', async () => {
    const bench = createBench()
    const model = scriptedModel([{ error: new ModelError('quota', 'No money is left.') }, reply(text('Here I am.'))])
    const agent = createAgent(bench.options(model))
    const failed = await agent.run('Hello')
    expect(failed).toMatchObject({ end: 'failed', reason: 'No money is left.', turns: 0 })
    const done = await agent.resume()
    expect(done).toMatchObject({ end: 'done', text: 'Here I am.', sessionId: failed.sessionId })
    const log = await logOf(bench, done.sessionId)
    expect(log.filter((entry) => entry.kind === 'message' && entry.role === 'user')).toHaveLength(1)
    // Answered: there is nothing to go on with.
    expect(await agent.resume()).toMatchObject({ end: 'done', text: 'Here I am.', turns: 0 })
  })

  it.each([
    ['nothing', reply(text('Nothing.'))],
    ['what it keeps', reply(call('c9', 'memory', {}))],
    ['what fails', { error: new ModelError('quota', 'No money is left.') }],
  ])(
    'asked what was learnt, the model says %s: the last words are still those of the work, also resumed',
    async (...[, lastReply]) => {
      const bench = createBench()
      const model = scriptedModel([
        reply(call('c1', 'write', { path: 'a', text: 'b' })),
        reply(text('It is b.')),
        lastReply,
      ])
      const memory: AgentTool = {
        definition: { name: 'memory', description: 'Keeps it.', inputSchema: { type: 'object' } },
        prepare: async () => ({
          effect: 'memory',
          title: 'keep it',
          paths: [],
          run: async () => ({ content: [{ type: 'text', text: 'Kept.' }] }),
        }),
      }
      const options = { learns: true, tools: [...bench.tools, memory] }
      const done = await createAgent(bench.options(model, options)).run('Make it b')
      expect(done).toMatchObject({ end: 'done', text: 'It is b.' })
      expect(model.requests).toHaveLength(3)
      const resumed = await createAgent(bench.options(model, { ...options, session: done.sessionId })).resume()
      expect(resumed).toMatchObject({ end: 'done', text: 'It is b.', turns: 0 })
      expect(model.requests).toHaveLength(3)
    },
  )

  it('one turn at a time; no empty message; nothing to resume before the first', async () => {
    const bench = createBench()
    const agent = createAgent(bench.options(scriptedModel([reply(text('Yes.'))])))
    await expect(agent.resume()).rejects.toMatchObject({ code: 'usage' })
    await expect(agent.run('  ')).rejects.toMatchObject({ code: 'invalid-input' })
    const first = agent.run('One')
    await expect(agent.run('Two')).rejects.toMatchObject({ code: 'usage' })
    expect((await first).end).toBe('done')
  })
})

describe('an interrupted session', () => {
  const CALLS = [
    call('c1', 'write', { path: 'a', text: '1' }),
    call('c2', 'shell', { command: 'make' }),
    call('c3', 'read', { path: 'a' }),
  ]

  /** A log that ends where a process was killed: after the call's results so far, and what had begun. */
  const killedAt = async (bench: Bench, results: readonly string[], started: readonly string[]): Promise<string> => {
    const facts = { id: 'cairn:1', agent: 'cairn', externalId: '1', workspace: '/w' }
    const at = bench.clock.now()
    await bench.engine().sessions.append(facts, 0, [
      { entry: { kind: 'message', id: 'u', at, role: 'user', content: [text('Build it')] } },
      { entry: { kind: 'message', id: 'a', at, role: 'assistant', content: CALLS } },
      ...results.flatMap((callId) => [
        { entry: { kind: 'tool-start', at, callId } as const },
        {
          entry: {
            kind: 'message',
            id: `r${callId}`,
            at,
            role: 'tool',
            content: [{ type: 'tool_result', callId, content: [{ type: 'text', text: 'Written.' }] }],
          } as const,
        },
      ]),
      ...started.map((callId) => ({ entry: { kind: 'tool-start', at, callId } as const })),
    ])
    return facts.id
  }

  it.each([
    ['before any call', [], [], ['write a', 'run make', 'read a']],
    ['between two calls', ['c1'], [], ['run make', 'read a']],
    ['while one ran', ['c1'], ['c2'], ['read a']],
  ])('goes on where it was killed: %s', async (_when, results, started, ran) => {
    const bench = createBench()
    bench.files.set('a', '1')
    const sessionId = await killedAt(bench, results, started)
    const model = scriptedModel([reply(text('Built.'))])
    const outcome = await createAgent(bench.options(model, { session: sessionId })).resume()
    expect(outcome).toMatchObject({ end: 'done', text: 'Built.', turns: 1 })
    expect(bench.ran).toEqual(ran)
    const told = resultsIn(await logOf(bench, sessionId))
    expect(told).toHaveLength(3)
    expect(told.filter((result) => result.startsWith('Interrupted, effect unknown'))).toHaveLength(started.length)
    expect(bench.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))).toEqual(
      started.map(() => 'Interrupted, its effect is unknown: make. The model is told so.'),
    )
    // The request holds each call with its result, once.
    const sent = (model.requests[0]?.messages ?? []).flatMap(({ content }) => content)
    expect(sent.filter(({ type }) => type === 'tool_call')).toHaveLength(3)
    expect(sent.filter(({ type }) => type === 'tool_result')).toHaveLength(3)
    expect(JSON.stringify(sent)).not.toContain('result missing')
  })

  it.each([
    ['before a call of it', []],
    ['in a call of it', ['m1']],
  ])('interrupted while it was asked what was learnt, %s, it is done', async (_when, started) => {
    const bench = createBench()
    const { events, ran } = bench
    const memory: AgentTool = {
      definition: { name: 'memory', description: 'Keeps it.', inputSchema: { type: 'object' } },
      prepare: async () => ({
        effect: 'memory',
        title: 'keep it',
        paths: [],
        run: async () => {
          ran.push('keep it')
          return { content: [{ type: 'text', text: 'Kept.' }] }
        },
      }),
    }
    const facts = { id: 'cairn:1', agent: 'cairn', externalId: '1', workspace: '/w' }
    const at = bench.clock.now()
    const calls = [call('m1', 'memory', { operation: 'add' }), call('w1', 'write', { path: 'a', text: '1' })]
    await bench
      .engine()
      .sessions.append(facts, 0, [
        { entry: { kind: 'message', id: 'u', at, role: 'user', content: [text('Make it b')] } },
        { entry: { kind: 'message', id: 'a', at, role: 'assistant', content: [text('It is b.')] } },
        { entry: { kind: 'message', id: 'a:learn', at, role: 'user', origin: 'meta', content: [text('What?')] } },
        { entry: { kind: 'message', id: 'l', at, role: 'assistant', content: [text('I keep it.'), ...calls] } },
        ...started.map((callId) => ({ entry: { kind: 'tool-start', at, callId } as const })),
      ])
    const model = scriptedModel([])
    const agent = createAgent(bench.options(model, { session: facts.id, tools: [...bench.tools, memory] }))
    expect(await agent.resume()).toMatchObject({ end: 'done', text: 'It is b.', turns: 0 })
    expect(model.requests).toHaveLength(0)
    // What it wanted to keep is kept; nothing else is done.
    expect(ran).toEqual(started.length === 0 ? ['keep it'] : [])
    expect(events.at(-1)).toMatchObject({ type: 'ended', outcome: { end: 'done' } })
    expect(await agent.resume()).toMatchObject({ end: 'done', text: 'It is b.', turns: 0 })
  })

  it('is told the folder that it goes on in, and the session keeps that', async () => {
    const bench = createBench()
    const model = scriptedModel([], (index) => reply(text(`Reply ${index}.`)))
    const { sessionId } = await createAgent(bench.options(model)).run('Hello')
    const goOn = (folder: string) =>
      createAgent(bench.options(model, { session: sessionId, folder })).run(`In ${folder}`)
    for (const folder of ['/w', '/w.other', '/w.other', '/w']) await goOn(folder)
    const folders = model.requests.map(
      ({ system }) => /folder is (\S+)\.\n/.exec(JSON.stringify(system).replaceAll('\\n', '\n'))?.[1],
    )
    expect(folders).toEqual(['/w', '/w', '/w.other', '/w.other', '/w'])
    const notices = bench.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
    expect(notices).toEqual(
      ['/w.other', '/w'].map(
        (folder) => `The session worked in another folder before; the model is told that it is ${folder} now.`,
      ),
    )
  })

  it('a call that lost a secret in the log is not run with what is left of it', async () => {
    const bench = createBench()
    const facts = { id: 'cairn:1', agent: 'cairn', externalId: '1', workspace: '/w' }
    const command = `curl -H "Authorization: Bearer sk-ant-api03-${'Ab1'.repeat(31)}AA" example.org`
    await bench
      .engine()
      .sessions.append(facts, 0, [
        { entry: { kind: 'message', id: 'u', at: 0, role: 'user', content: [text('Ask')] } },
        { entry: { kind: 'message', id: 'a', at: 0, role: 'assistant', content: [call('c1', 'shell', { command })] } },
      ])
    const model = scriptedModel([reply(text('So be it.'))])
    const agent = createAgent(bench.options(model, { session: facts.id }))
    expect(await agent.resume()).toMatchObject({ end: 'done' })
    expect(bench.ran).toEqual([])
    expect(resultsIn(await logOf(bench, facts.id))[0]).toMatch(/^Not run: a secret in its arguments was not kept/)
  })

  it('ends, and says why, where another run went on with the session while a call was under way', async () => {
    const bench = createBench()
    const other = scriptedModel([reply(text('I go on.'))])
    const slow: AgentTool = {
      definition: { name: 'slow', description: 'Waits.', inputSchema: { type: 'object' } },
      prepare: async (_input, { sessionId }) => ({
        effect: 'command',
        title: 'wait',
        paths: [],
        command: 'sleep',
        run: async () => {
          await createAgent(bench.options(other, { session: sessionId })).run('Go on')
          return { content: [{ type: 'text', text: 'Slept.' }] }
        },
      }),
    }
    const model = scriptedModel([reply(call('c1', 'slow', {})), reply(text('Never said.'))])
    const outcome = await createAgent(bench.options(model, { tools: [slow] })).run('Sleep')
    expect(outcome).toMatchObject({ end: 'failed', error: { code: 'sequence-conflict' } })
    expect(outcome.reason).toMatch(/^Another run went on with the session cairn:\S+ while this one was at work/)
    expect(model.requests).toHaveLength(1)
    expect(resultsIn(await logOf(bench, outcome.sessionId))).toEqual([expect.stringMatching(/^Interrupted, effect/)])
  })

  it('is left alone by a second run while the first is at work on it, and free after it', async () => {
    const bench = createBench()
    const engine = bench.engine({
      processes: { own: { pid: 7, host: 'here', started: '1' }, factsOf: () => ({ isAlive: true, started: '1' }) },
    })
    const other = scriptedModel([reply(text('Now I.'))])
    const refused: unknown[] = []
    const slow: AgentTool = {
      definition: { name: 'slow', description: 'Waits.', inputSchema: { type: 'object' } },
      prepare: async (_input, { sessionId }) => ({
        effect: 'command',
        title: 'wait',
        paths: [],
        command: 'sleep',
        run: async () => {
          const before = (await engine.sessions.log(sessionId)).length
          const second = createAgent(bench.options(other, { engine, session: sessionId }))
          refused.push(await second.resume().catch(identity))
          refused.push(await second.run('Go on').catch(identity))
          expect(await engine.sessions.log(sessionId)).toHaveLength(before)
          return { content: [{ type: 'text', text: 'Slept.' }] }
        },
      }),
    }
    const model = scriptedModel([reply(call('c1', 'slow', {})), reply(text('Done.'))])
    const first = createAgent(bench.options(model, { engine, tools: [slow] }))
    const outcome = await first.run('Sleep')
    expect(outcome).toMatchObject({ end: 'done', text: 'Done.' })
    expect(resultsIn(await logOf(bench, outcome.sessionId))).toEqual(['Slept.'])
    expect(refused).toEqual([SECOND_RUN, SECOND_RUN])
    expect(other.requests).toHaveLength(0)
    const next = createAgent(bench.options(other, { engine, session: outcome.sessionId }))
    expect(await next.run('And you?')).toMatchObject({ end: 'done', text: 'Now I.' })
  })

  it('is told of a call that the user stopped while it ran, and goes on after it', async () => {
    const bench = createBench()
    const controller = new AbortController()
    const slow = {
      definition: { name: 'slow', description: 'Waits.', inputSchema: { type: 'object' } },
      prepare: async (_input: unknown, { signal }: { readonly signal: AbortSignal }) => ({
        effect: 'command' as const,
        title: 'wait',
        paths: [],
        command: 'sleep',
        run: () =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('ended')))
            controller.abort()
          }),
      }),
    }
    const model = scriptedModel([
      reply(call('c1', 'slow', {}), call('c2', 'shell', { command: 'make' })),
      reply(text('Made.')),
    ])
    const agent = createAgent(bench.options(model, { tools: [slow, ...bench.tools] }))
    expect(await agent.run('Go', { signal: controller.signal })).toMatchObject({ end: 'cancelled', turns: 1 })
    expect(bench.ran).toEqual([])
    expect(await agent.resume()).toMatchObject({ end: 'done', text: 'Made.' })
    expect(bench.ran).toEqual(['run make'])
    expect(resultsIn(await logOf(bench, agent.sessionId ?? ''))).toEqual([
      'Stopped by the user while it ran: it may have been done in part.',
      'Exit code 0.',
    ])
  })

  it('is closed where the user says something else', async () => {
    const bench = createBench()
    const sessionId = await killedAt(bench, ['c1'], ['c2'])
    const model = scriptedModel([reply(text('All right.'))])
    await createAgent(bench.options(model, { session: sessionId })).run('Leave it')
    expect(bench.ran).toEqual([])
    const [first, second, third] = resultsIn(await logOf(bench, sessionId))
    expect([first, third]).toEqual(['Written.', 'Not run: the user said something else first.'])
    expect(second).toMatch(/^Interrupted, effect unknown/)
  })
})
