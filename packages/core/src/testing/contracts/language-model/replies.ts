/** Replies as they stream: pieces, blocks in order, usage, and why they end. */
import type { ContentBlock } from '../../../messages.ts'
import type { Fault, Moment, Reply } from '../../model-server/index.ts'
import { countsOf, expectBilled, joined } from './outcome.ts'
import { answered, callsIn, LIST_TOOL, READ_TOOL, textMessage, TOOLS } from './requests.ts'
import type { Suite } from './subject.ts'

const TEXT = 'Two times two is four. 😀 é ✓ "quoted" \\n\n\tand a second line with ünïcödé.'
const DEEP = { path: 'src/ä "b".ts', lines: [1, 20, 300], deep: { list: [{ x: null }, true, 1.5e-9], text: TEXT } }

/**
 * Kind and text of each block, for comparisons across wires. A seal without a text is none: some wires send it alone.
 * In order.
 */
export const shapeOf = (blocks: readonly ContentBlock[]): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'thinking') return block.text === '' ? [] : [`thinking ${block.text}`]
    if (block.type === 'text') return [`text ${block.text}`]
    return block.type === 'tool_call' ? [`${block.name} ${JSON.stringify(block.input)}`] : [block.type]
  })

/** Defines the tests of whole replies: texts, thinking, calls, usage, however their bytes come. */
export const runReplies = ({ test, expect }: Suite): void => {
  test('streams a text in pieces and as one block, with the usage that is billed', async ({
    server,
    model,
    request,
    ask,
  }) => {
    server.script({ reply: { blocks: [{ type: 'text', text: TEXT }] } })
    const outcome = await ask(model, request())
    expectBilled(expect, outcome, server.ledger[0])
    expect(joined(outcome, 'text')).toBe(TEXT)
    expect(outcome.events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2)
    expect(shapeOf(outcome.blocks)).toEqual([`text ${TEXT}`])
    expect(outcome.done).toMatchObject({ stopReason: 'end', responseId: server.ledger[0]?.responseId })
    expect((outcome.done?.providerReason ?? '').length).toBeGreaterThan(0)
    expect(outcome.done?.model ?? request().model).toBe(request().model)
  })

  test('asks nothing before the first event is asked for, and once for each stream', async ({
    server,
    model,
    request,
    ask,
  }) => {
    const stream = model.stream(request())
    expect(server.requests.length).toBe(0)
    for await (const event of stream) if (event.type === 'done') break
    expect(server.requests.length).toBe(1)
    expect((await ask(model, request())).end).toBe('done')
    expect(server.requests.length).toBe(2)
  })

  test('reads a body that comes in any pieces, with comments, slowly', async ({ server, model, request, ask }) => {
    const ways: readonly Fault[] = [
      { kind: 'split', bytes: 1 },
      { kind: 'split', bytes: 7 },
      { kind: 'comments' },
      { kind: 'slow', at: 'after-headers', delayMs: 3 },
    ]
    for (const fault of ways) {
      server.script({ fault, reply: { blocks: [{ type: 'text', text: TEXT }] } })
      const outcome = await ask(model, request())
      expect([fault.kind, outcome.end, joined(outcome, 'text')]).toEqual([fault.kind, 'done', TEXT])
    }
  })

  test('passes over events that nobody knows, wherever they come', async ({ server, model, request, ask }) => {
    const moments: readonly Moment[] = ['after-headers', 'after-first-event', 'in-text', 'before-last-event']
    for (const at of moments) {
      server.script({ fault: { kind: 'unknown-event', at }, reply: { blocks: [{ type: 'text', text: TEXT }] } })
      const outcome = await ask(model, request())
      expect([at, outcome.end, shapeOf(outcome.blocks)]).toEqual([at, 'done', [`text ${TEXT}`]])
      expectBilled(expect, outcome, server.ledger.at(-1))
    }
  })

  const thinking: Reply = {
    blocks: [
      { type: 'thinking', text: TEXT },
      { type: 'text', text: 'Four.' },
    ],
  }

  test(
    'streams thinking before the text',
    async ({ server, model, request, ask }) => {
      server.script({ reply: thinking })
      const outcome = await ask(model, request({ effort: 'high' }))
      expectBilled(expect, outcome, server.ledger[0])
      expect(joined(outcome, 'thinking')).toBe(TEXT)
      expect(shapeOf(outcome.blocks)).toEqual([`thinking ${TEXT}`, 'text Four.'])
      expect(outcome.done?.usage.reasoningTokens ?? 0).toBeGreaterThan(10)
    },
    { needs: ['thinking'] },
  )

  test(
    'sends thinking back as it came, in a turn of tools too',
    async ({ server, model, request, ask }) => {
      const calls: Reply = {
        blocks: [
          { type: 'thinking', text: 'First a.' },
          { type: 'text', text: 'I read it.' },
          { type: 'thinking', text: 'hidden', isHidden: true },
          { type: 'tool-call', name: 'read_file', input: { path: 'a' } },
        ],
      }
      server.script({ reply: calls }, { reply: calls }, { reply: thinking })
      const messages = [textMessage('user', 'Read a, then b.')]
      for (const end of ['tool-calls', 'tool-calls', 'end', 'end']) {
        const outcome = await ask(model, request({ messages, tools: TOOLS, effort: 'medium' }))
        expect(outcome.error?.message).toBe(undefined)
        expect(outcome.done?.stopReason).toBe(end)
        expectBilled(expect, outcome, server.ledger.at(-1))
        const isCalled = callsIn(outcome.blocks).length > 0
        const next = isCalled ? answered(outcome.blocks) : [{ role: 'assistant' as const, content: outcome.blocks }]
        messages.push(...next, ...(isCalled ? [] : [textMessage('user', 'And now?')]))
      }
      expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
    },
    { needs: ['signed-thinking', 'tools'] },
  )

  test(
    'gives a call with its input whole, and its pieces before',
    async ({ server, model, request, ask }) => {
      const blocks = [
        { type: 'text', text: 'I read.' },
        { type: 'tool-call', id: 'call_77', name: 'read_file', input: DEEP },
      ] as const
      server.script({ reply: { blocks } })
      const outcome = await ask(model, request({ tools: TOOLS }))
      expectBilled(expect, outcome, server.ledger[0])
      expect(shapeOf(outcome.blocks)).toEqual(['text I read.', `read_file ${JSON.stringify(DEEP)}`])
      expect(outcome.done?.stopReason).toBe('tool-calls')
      const pieces = outcome.events.flatMap((event) => (event.type === 'tool-call-progress' ? [event] : []))
      const [call] = callsIn(outcome.blocks)
      expect(pieces.every(({ id, name }) => id === call?.id && name === 'read_file')).toBe(true)
      expect(JSON.parse(pieces.map(({ piece }) => piece).join(''))).toEqual(DEEP)
      const next = await ask(
        model,
        request({ tools: TOOLS, messages: [...request().messages, ...answered(outcome.blocks)] }),
      )
      expectBilled(expect, next, server.ledger[1])
    },
    { needs: ['tools'] },
  )

  test(
    'gives a call without arguments an empty input',
    async ({ server, model, request, ask }) => {
      server.script({ reply: { blocks: [{ type: 'tool-call', name: 'list-files', input: {} }] } })
      const outcome = await ask(model, request({ tools: TOOLS }))
      expect(callsIn(outcome.blocks)).toMatchObject([{ name: 'list-files', input: {} }])
    },
    { needs: ['tools'] },
  )

  test(
    'gives parallel calls in order, each with an id of its own, and takes their results in any order',
    async ({ server, model, request, ask }) => {
      const paths = ['a.ts', 'b.ts', 'c.ts']
      const blocks = paths.map((path) => ({ type: 'tool-call', name: 'read_file', input: { path } }) as const)
      server.script({ reply: { blocks } })
      const outcome = await ask(model, request({ tools: TOOLS }))
      const calls = callsIn(outcome.blocks)
      expect(calls.map(({ input }) => input)).toEqual(paths.map((path) => ({ path })))
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
      const [asked, results] = answered(outcome.blocks)
      if (asked === undefined || results === undefined) throw new Error('no messages')
      const messages = [...request().messages, asked, { ...results, content: results.content.toReversed() }]
      expectBilled(expect, await ask(model, request({ tools: TOOLS, messages })), server.ledger[1])
    },
    { needs: ['tools', 'parallel-tools'] },
  )

  test('ends a text at the longest reply, and says so', async ({ server, model, request, ask }) => {
    server.script({ reply: { blocks: [{ type: 'text', text: TEXT.repeat(20) }] } })
    const outcome = await ask(model, request({ maxOutputTokens: 64 }))
    expectBilled(expect, outcome, server.ledger[0])
    expect([outcome.done?.stopReason, outcome.done?.usage.outputTokens]).toEqual(['max-output', 64])
    expect(TEXT.repeat(20).startsWith(joined(outcome, 'text'))).toBe(true)
    expect(shapeOf(outcome.blocks)).toEqual([`text ${joined(outcome, 'text')}`])
  })

  test(
    'gives no call whose input was cut at the longest reply, but says so, with its usage',
    async ({ server, model, request, ask }) => {
      const blocks = [
        { type: 'text', text: 'I write.' },
        { type: 'tool-call', name: 'read_file', input: DEEP },
      ] as const
      server.script({ reply: { blocks } })
      const outcome = await ask(model, request({ tools: TOOLS, maxOutputTokens: 30 }))
      expect([outcome.end, callsIn(outcome.blocks)]).toEqual(['cut-off', []])
      expect(outcome.error?.details.usage?.outputTokens).toBe(server.ledger[0]?.tokens.outputTokens)
      expect(server.ledger[0]?.isComplete).toBe(true)
    },
    { needs: ['tools', 'tool-input-pieces'] },
  )

  test('tells that the model declined, or a filter before it, with the usage', async ({
    server,
    model,
    request,
    ask,
  }) => {
    for (const stop of ['refusal', 'filter'] as const) {
      server.script({ reply: { blocks: [{ type: 'text', text: 'I will not.' }], stop } })
      const outcome = await ask(model, request())
      expect([stop, outcome.end, outcome.error?.isRetryable]).toEqual([stop, 'refused', false])
      const entry = server.ledger.at(-1)
      if (entry?.reported !== undefined) expect(countsOf(outcome.error?.details.usage)).toEqual(entry.reported)
    }
  })

  test(
    'tells that the provider paused',
    async ({ server, model, request, ask }) => {
      server.script({ reply: { blocks: [{ type: 'text', text: 'One moment.' }], stop: 'pause' } })
      const outcome = await ask(model, request())
      expect([outcome.end, outcome.done?.stopReason]).toEqual(['done', 'pause'])
    },
    { needs: ['pause'] },
  )

  test('takes an empty reply for one', async ({ server, model, request, ask }) => {
    server.script({ reply: { blocks: [] } })
    const outcome = await ask(model, request({ tools: [READ_TOOL, LIST_TOOL] }))
    expect([outcome.end, shapeOf(outcome.blocks)]).toEqual(['done', []])
  })
}
