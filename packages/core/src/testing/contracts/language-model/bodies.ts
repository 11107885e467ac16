/** Requests: what is asked reaches the provider, breaks no rule of its API, and is the same bytes each time. */
import type { Message } from '../../../messages.ts'
import type { ModelRequest } from '../../../ports/language-model.ts'
import { countsOf, expectBilled } from './outcome.ts'
import { shapeOf } from './replies.ts'
import { answered, longText, PNG, textMessage, TOOLS } from './requests.ts'
import type { Suite } from './subject.ts'

const MINUTE_MS = 60_000

/** Everything that a message can hold. */
const CONVERSATION: readonly Message[] = [
  textMessage('user', 'Read a.ts and b.ts.'),
  ...answered([
    { type: 'text', text: 'I read both.' },
    { type: 'tool_call', id: 'call_a', name: 'read_file', input: { path: 'a.ts', lines: [1] } },
    { type: 'tool_call', id: 'call_b', name: 'list-files', input: {} },
  ]),
  textMessage('assistant', 'Both are empty.'),
  {
    role: 'user',
    content: [
      { type: 'file', path: 'c.ts', text: 'export const c = 3' },
      { type: 'text', text: 'And c?' },
    ],
  },
  ...answered([{ type: 'tool_call', id: 'call_c', name: 'read_file', input: { path: 'c.ts' } }]),
]

const FAILED_CALL: readonly Message[] = [
  ...CONVERSATION.slice(0, 2),
  {
    role: 'tool',
    content: [
      { type: 'tool_result', callId: 'call_a', isError: true, content: [{ type: 'text', text: 'There is no a.ts.' }] },
      { type: 'tool_result', callId: 'call_b', content: [] },
    ],
  },
]

/**
 * Defines the tests of what is sent: in every way that a request can be made, the same bytes each time, and nothing
 * that the wire refuses.
 */
export const runBodies = ({ test, expect, subject }: Suite): void => {
  test('asks in every way without breaking a rule', async ({ server, model, request, ask }) => {
    const canForce = subject.capabilities['forced-tool'] === true
    const ways: readonly Partial<ModelRequest>[] = [
      {},
      { system: 'You are careful. ünïcödé' },
      { maxOutputTokens: 16 },
      ...(subject.capabilities.tools === true
        ? [
            { messages: CONVERSATION, tools: TOOLS, system: 'You are careful.' },
            { messages: FAILED_CALL, tools: TOOLS },
            { tools: TOOLS, toolChoice: 'auto' as const },
            { tools: TOOLS, toolChoice: 'none' as const },
            ...(canForce
              ? [
                  { tools: TOOLS, toolChoice: 'required' as const },
                  { tools: TOOLS, toolChoice: { tool: 'list-files' } },
                ]
              : []),
          ]
        : []),
      ...(['none', 'minimal', 'low', 'medium', 'high', 'max'] as const).map((effort) => ({ effort })),
      { cacheKey: 'session-1' },
    ]
    for (const own of ways) {
      const outcome = await ask(model, request(own))
      expect([own, server.requests.at(-1)?.problem, outcome.end]).toEqual([
        own,
        undefined,
        outcome.error?.message ?? 'done',
      ])
    }
    const { text } = server.requests[1] ?? { text: '' }
    expect(text.includes('You are careful. ünïcödé')).toBe(true)
  })

  test('makes the same bytes of the same request, each time', async ({ server, model, modelWith, request, ask }) => {
    const hasTools = subject.capabilities.tools === true
    const whole = request({
      system: 'You are careful.',
      messages: hasTools ? CONVERSATION : request().messages,
      ...(hasTools && { tools: TOOLS }),
      cacheBreakpoints: [{ after: 'system', lifetime: '1h' }, { after: 0 }],
      cacheKey: 'session-1',
      effort: 'medium',
    })
    const copy: unknown = structuredClone(whole)
    for (const asked of [model, model, modelWith({})]) expect((await ask(asked, whole)).end).toBe('done')
    const [first, ...rest] = server.requests.map(({ text }) => text)
    expect(rest).toEqual([first, first])
    // What was asked with is the caller's, and stays as it was.
    expect(whole).toEqual(copy)
  })

  test('does not let the key be seen, and tells that it is wrong', async ({ server, modelWith, request, ask }) => {
    const key = ['sk', 'wrong', '1234567890'].join('-')
    const outcome = await ask(modelWith({}, key), request())
    expect([outcome.end, outcome.error?.isRetryable]).toEqual(['auth', false])
    expect(outcome.error?.message.includes(key)).toBe(false)
    expect(server.ledger).toEqual([])
  })

  test(
    'sends images, of the user and of tools',
    async ({ server, model, request, ask }) => {
      const image = { type: 'image', mediaType: 'image/png', data: PNG } as const
      const messages: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }]
      expectBilled(expect, await ask(model, request({ messages })), server.ledger[0])
      expect(server.requests[0]?.text.includes(PNG)).toBe(true)
      if (subject.capabilities.tools !== true) return
      const call = { type: 'tool_call', id: 'call_a', name: 'read_file', input: { path: 'a.png' } } as const
      const ofTool: readonly Message[] = [
        textMessage('user', 'Look at a.png.'),
        { role: 'assistant', content: [call] },
        {
          role: 'tool',
          content: [{ type: 'tool_result', callId: 'call_a', content: [{ type: 'text', text: 'a.png' }, image] }],
        },
      ]
      expectBilled(expect, await ask(model, request({ messages: ofTool, tools: TOOLS })), server.ledger[1])
      expect(server.requests[1]?.text.includes(PNG)).toBe(true)
    },
    { needs: ['images'] },
  )

  test(
    'asks for a document of a schema',
    async ({ server, model, request, ask }) => {
      const outputSchema = {
        type: 'object',
        properties: { answer: { type: 'integer' } },
        required: ['answer'],
        additionalProperties: false,
      }
      server.script({ reply: { blocks: [{ type: 'text', text: '{"answer":4}' }] } })
      const outcome = await ask(model, request({ outputSchema }))
      expect([server.requests[0]?.problem, outcome.end]).toEqual([undefined, 'done'])
      expect(shapeOf(outcome.blocks)).toEqual(['text {"answer":4}'])
      expect(server.requests[0]?.text.includes('"answer"')).toBe(true)
    },
    { needs: ['structured-output'] },
  )

  test(
    'counts the tokens that are billed',
    async ({ server, model, request, ask }) => {
      const hasTools = subject.capabilities.tools === true
      const whole = request({
        system: longText('system', 50),
        messages: hasTools ? CONVERSATION : request().messages,
        ...(hasTools && { tools: TOOLS }),
      })
      const count = await model.countTokens?.(whole)
      const outcome = await ask(model, whole)
      expectBilled(expect, outcome, server.ledger[0])
      const {
        inputTokens,
        cacheReadTokens,
        outputTokens: _output,
        reasoningTokens: _reasoning,
        ...writes
      } = countsOf(outcome.done?.usage)
      expect(count).toBe(inputTokens + cacheReadTokens + Object.values(writes).reduce((sum, tokens) => sum + tokens, 0))
      expect(server.ledger.length).toBe(1)
    },
    { needs: ['count-tokens'] },
  )

  test('has a counter only where its provider has one', async ({ model }) => {
    expect(model.countTokens !== undefined).toBe(subject.capabilities['count-tokens'] === true)
  })

  let now = 0
  test(
    'reads from the cache up to its breakpoints, and pays for the lifetime that it asked for',
    async ({ server, model, request, ask }) => {
      const first = request({
        system: longText('system', 3000),
        cacheBreakpoints: [{ after: 'system', lifetime: '1h' }, { after: 0 }],
        messages: [textMessage('user', longText('question', 2000))],
        cacheKey: 'session-1',
      })
      const written = await ask(model, first)
      expectBilled(expect, written, server.ledger[0])
      const { cacheReadTokens, ...counts } = countsOf(written.done?.usage)
      expect(cacheReadTokens).toBe(0)
      const writes =
        counts.cacheWrite5mTokens + counts.cacheWrite30mTokens + counts.cacheWrite1hTokens + counts.cacheWrite12hTokens
      expect(writes).toBeGreaterThan(5000)
      const messages = [...first.messages, textMessage('assistant', 'Yes.'), textMessage('user', 'Sure?')]
      const second = await ask(model, {
        ...first,
        messages,
        cacheBreakpoints: [{ after: 'system', lifetime: '1h' }, { after: 0 }, { after: 2 }],
      })
      expectBilled(expect, second, server.ledger[1])
      expect(countsOf(second.done?.usage).cacheReadTokens).toBeGreaterThan(5000)
    },
    { needs: ['cache-breakpoints'], server: { clock: () => now } },
  )

  test('keeps the last ones of more breakpoints than there can be', async ({ server, model, request, ask }) => {
    now += MINUTE_MS
    const messages = Array.from({ length: 13 }, (_, index) =>
      textMessage(index % 2 === 0 ? 'user' : 'assistant', longText(`message${index}_`, 300)),
    )
    const cacheBreakpoints = [{ after: 'system' } as const, ...messages.map((_, index) => ({ after: index }))]
    for (let round = 0; round < 2; round++) {
      const outcome = await ask(model, request({ system: longText('system', 400), messages, cacheBreakpoints }))
      expect(server.requests.at(-1)?.problem).toBe(undefined)
      expectBilled(expect, outcome, server.ledger[round])
    }
    if (subject.capabilities['cache-breakpoints'] !== true) return
    const { cacheReadTokens, inputTokens } = countsOf(server.ledger[1]?.tokens)
    expect(cacheReadTokens).toBeGreaterThan(10 * inputTokens)
  })

  test(
    'reads from the cache what it sent before',
    async ({ server, model, request, ask }) => {
      const first = request({ system: longText('system', 4000), cacheKey: 'session-1' })
      expectBilled(expect, await ask(model, first), server.ledger[0])
      const second = await ask(model, { ...first, messages: [...first.messages, textMessage('user', 'And?')] })
      expectBilled(expect, second, server.ledger[1])
      expect(countsOf(second.done?.usage).cacheReadTokens).toBeGreaterThan(4000)
    },
    { needs: ['automatic-cache'] },
  )
}
