/** Whatever a model calls and a user answers: who watches hears of each call when it begins and when it ends, once. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ToolCallBlock } from '../messages.ts'
import type { AgentEvent, ApprovalAnswer } from './agent.ts'
import { createAgent } from './create-agent.ts'
import { createBench, scriptedModel, text, type Bench, type ScriptedReply } from './scripted-agent.fixture.ts'

type ScriptedCall = Omit<ToolCallBlock, 'type'>
interface Run {
  readonly replies: readonly (readonly ScriptedCall[])[]
  readonly answers: readonly (ApprovalAnswer | 'stop')[]
  readonly mode: 'act' | 'plan'
  /** The process is killed as it tells the event of this number. */
  readonly killedAt: number | undefined
}

const scriptedCall: fc.Arbitrary<ScriptedCall> = fc.record({
  // Few ids: servers that number the calls of each reply again give the same ones again and again.
  id: fc.constantFrom('call_0', 'call_1', 'call_0_2', 'x'),
  name: fc.constantFrom('read', 'write', 'shell', 'fly'),
  input: fc.constantFrom<ScriptedCall['input']>(
    { path: 'a.ts', text: 'one', command: 'make' },
    { path: 'missing.ts', text: '', command: 'git push' },
    '{"path":',
    '[1]',
  ),
})
const run: fc.Arbitrary<Run> = fc.record({
  replies: fc.array(fc.array(scriptedCall, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  answers: fc.array(
    fc.constantFrom<Run['answers'][number]>(
      { decision: 'allow' },
      { decision: 'always' },
      { decision: 'deny' },
      { decision: 'deny', feedback: 'Not there.' },
      'stop',
    ),
    { maxLength: 8 },
  ),
  mode: fc.constantFrom('act', 'act', 'plan'),
  killedAt: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
})

class Killed extends Error {}

/** One process: the events that it told, in order. */
const work = async (
  bench: Bench,
  { replies, answers, mode, killedAt }: Run,
  session?: string,
): Promise<AgentEvent[]> => {
  const events: AgentEvent[] = []
  const left = [...answers]
  const stop = new AbortController()
  const script = replies.map((calls): ScriptedReply => ({
    blocks: calls.map((one) => ({ type: 'tool_call', ...one })),
  }))
  const model = scriptedModel(script, () => ({ blocks: [text('So.')] }))
  const agent = createAgent(
    bench.options(model, {
      mode,
      approvals: { preset: 'ask' },
      approve: async () => {
        const answer = left.shift() ?? { decision: 'allow' }
        if (answer === 'stop') {
          stop.abort()
          throw new Error('stopped')
        }
        return answer
      },
      onEvent: (event) => {
        if (events.length === killedAt) throw new Killed('killed')
        events.push(event)
      },
      ...(session === undefined ? {} : { session }),
    }),
  )
  const turn = { signal: stop.signal }
  await (session === undefined ? agent.run('Go', turn) : agent.resume(turn)).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
  return events
}

const idsOf = (events: readonly AgentEvent[], type: 'tool-started' | 'tool-finished'): readonly string[] =>
  events.flatMap((event) => (event.type === type ? [event.callId] : []))

/** Of one process; one that was killed may leave the last call open. */
const assertPairs = (events: readonly AgentEvent[], wasKilled: boolean): void => {
  const open: string[] = []
  const done = new Set<string>()
  for (const event of events)
    if (event.type === 'tool-started') {
      expect(done.has(event.callId)).toBe(false)
      expect(open).toEqual([])
      open.push(event.callId)
    } else if (event.type === 'tool-finished') {
      expect(open).toEqual([event.callId])
      open.pop()
      done.add(event.callId)
    }
  if (!wasKilled) expect(open).toEqual([])
}

describe('the events of calls', () => {
  it('come in pairs, for every call that has a result, under ids that are unique', async () => {
    await fc.assert(
      fc.asyncProperty(run, run, async (first, second) => {
        const bench = createBench()
        bench.files.set('a.ts', 'one')
        const events = await work(bench, first)
        assertPairs(events, first.killedAt !== undefined)
        const sessionId = events.find((event) => event.type === 'session')?.sessionId
        if (sessionId === undefined) return
        const more = await work(bench, { ...second, killedAt: undefined }, sessionId)
        assertPairs(more, false)
        const log = await bench.engine().sessions.log(sessionId)
        const answered = log.flatMap((entry) =>
          entry.kind === 'message'
            ? entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.callId] : []))
            : [],
        )
        const calls = log.flatMap((entry) =>
          entry.kind === 'message'
            ? entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []))
            : [],
        )
        expect(new Set(calls).size).toBe(calls.length)
        expect(new Set(answered).size).toBe(answered.length)
        const finished = [...idsOf(events, 'tool-finished'), ...idsOf(more, 'tool-finished')]
        expect(new Set(finished).size).toBe(finished.length)
        // Killed between a result and its event, the event is lost.
        const lost = answered.filter((id) => !finished.includes(id))
        expect(lost.length).toBeLessThanOrEqual(first.killedAt === undefined ? 0 : 1)
        expect(finished.every((id) => answered.includes(id))).toBe(true)
      }),
      { numRuns: 150 },
    )
  }, 120_000)

  it('say of a call that was not run what it would have done, and that nothing was', async () => {
    const bench = createBench()
    const replies: Run['replies'] = [
      [
        { id: 'a', name: 'fly', input: {} },
        { id: 'b', name: 'write', input: { path: 'b.ts', text: 'b' } },
        { id: 'c', name: 'read', input: '{"path' },
      ],
    ]
    const answers: Run['answers'] = [{ decision: 'deny', feedback: 'Use c.ts.' }]
    const events = await work(bench, { replies, answers, mode: 'act', killedAt: undefined })
    const facts = events.flatMap((event) =>
      event.type === 'tool-started' ? [[event.callId, event.call.effect, event.call.title, event.notRun]] : [],
    )
    expect(facts).toEqual([
      ['a', 'none', 'fly', 'refused'],
      ['b', 'files', 'write b.ts', 'refused'],
      ['c', 'none', 'read', 'refused'],
    ])
    const ended = events.flatMap((event) => (event.type === 'tool-finished' ? [event] : []))
    expect(ended.map(({ notRun, outcome, durationMs }) => [notRun, outcome.isError, durationMs])).toEqual(
      facts.map(() => ['refused', true, 0]),
    )
    expect(bench.ran).toEqual([])
  })

  it('tell in the next run how a call ended that was interrupted', async () => {
    const bench = createBench()
    const replies: Run['replies'] = [[{ id: 'w', name: 'write', input: { path: 'b.ts', text: 'b' } }]]
    const whole = await work(bench, { replies, answers: [], mode: 'act', killedAt: undefined })
    const killedAt = whole.findIndex(({ type }) => type === 'tool-started')
    const again = createBench()
    const events = await work(again, { replies, answers: [], mode: 'act', killedAt })
    const { sessionId } = events.find((event) => event.type === 'session') ?? { sessionId: '' }
    const more = await work(again, { replies: [], answers: [], mode: 'act', killedAt: undefined }, sessionId)
    const told = more.flatMap((event) =>
      event.type === 'tool-started' || event.type === 'tool-finished' ? [[event.type, event.callId, event.notRun]] : [],
    )
    expect(told).toEqual([
      ['tool-started', 'w', 'interrupted'],
      ['tool-finished', 'w', 'interrupted'],
    ])
    expect(again.ran).toEqual([])
  })
})
