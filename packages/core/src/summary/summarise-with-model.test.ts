import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { textOfBlock, type Message } from '../messages.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../ports/language-model.ts'
import { agent, tool, user } from './conversation.fixture.ts'
import { summarise, type SummariseRequest } from './summarise-with-model.ts'
import { SUMMARY_SECTIONS, continuationMessage } from './summary-prompt.ts'

const usage = { inputTokens: 10, cacheReadTokens: 5, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 7 }
const text = SUMMARY_SECTIONS.map(({ title }) => `${title}: x`).join('\n')
const done = (stopReason: StopReason = 'end'): ModelEvent => ({
  type: 'done',
  stopReason,
  providerReason: stopReason,
  usage,
})
const reply = `<summarize_task>${text}</summarize_task>`

/** A model that plays its events, notes what it was asked, and fails after the last one if it is told to. */
const scripted = (events: readonly ModelEvent[], failure?: Error) => {
  const requests: ModelRequest[] = []
  const model: LanguageModel = {
    provider: 'scripted',
    async *stream(request) {
      requests.push(request)
      yield* events
      if (failure !== undefined) throw failure
    },
  }
  return { model, requests }
}

const estimate = (messages: readonly Message[]): number =>
  messages.flatMap(({ content }) => content.map(textOfBlock)).join('').length
const request: SummariseRequest = {
  model: 'm',
  messages: [user('x'.repeat(3000)), agent('y'.repeat(3000))],
  maxOutputTokens: 4000,
  estimate,
}

describe('summarise', () => {
  it('streams, validates, and returns the message that replaces the conversation', async () => {
    const { model, requests } = scripted([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: reply.slice(0, 30) },
      { type: 'text', text: reply.slice(30) },
      { type: 'block', block: { type: 'text', text: reply } },
      done(),
    ])
    const kept = [user('newest')]
    const result = await summarise(model, {
      ...request,
      kept,
      system: 's',
      focusChain: [{ text: 'todo item', status: 'pending' }],
    })
    expect(result).toEqual({
      ok: true,
      value: {
        text,
        message: continuationMessage(text),
        usage,
        missingSections: [],
        tokensBefore: 6006,
        tokensAfter: estimate([continuationMessage(text), ...kept]),
      },
    })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ model: 'm', system: 's', maxOutputTokens: 4000 })
    expect(requests[0]?.messages.slice(0, 2)).toEqual([user('x'.repeat(3000)), agent('y'.repeat(3000))])
    expect(requests[0]?.messages[2]?.content.map(textOfBlock).join('')).toMatch(
      /^<explicit_instructions[\s\S]*- \[ \] todo item/,
    )
  })

  it('forgets what came of an attempt that was made again', async () => {
    const error = new ModelError('connection-lost', 'The connection broke.')
    const { model } = scripted([
      { type: 'text', text: '<summarize_task>Primary Request and Intent: half a' },
      { type: 'block', block: { type: 'text', text: 'half a block' } },
      { type: 'retry', attempt: 2, delayMs: 1, error },
      { type: 'text', text: reply },
      done(),
    ])
    expect(await summarise(model, request)).toMatchObject({ ok: true, value: { text } })
  })

  it('reads a reply that arrives as one block', async () => {
    const { model } = scripted([{ type: 'block', block: { type: 'text', text: reply } }, done()])
    expect(await summarise(model, request)).toMatchObject({ ok: true, value: { text } })
  })

  it('never sends two user messages in a row, or fields that a provider does not know', async () => {
    const { model, requests } = scripted([done()])
    await summarise(model, {
      ...request,
      messages: [agent('y'), ...tool('a', {}), user('x', { seq: 4, at: 1, origin: 'meta' })],
    })
    const sent = requests[0]?.messages ?? []
    expect(sent.map(({ role }) => role)).toEqual(['assistant', 'assistant', 'tool', 'user'])
    expect(Object.keys(sent.at(-1) ?? {})).toEqual(['role', 'content'])
    expect(sent.at(-1)?.content).toHaveLength(2)
  })

  it.each([
    ['summary-empty', [done()]],
    ['summary-without-sections', [{ type: 'text', text: 'Sure, what next?' }, done()]],
    ['summary-incomplete', [{ type: 'text', text: reply }, done('max-output')]],
    [
      'summary-not-smaller',
      [{ type: 'text', text: `${reply}${'z'.repeat(9000)}`.replace('</summarize_task>', '') }, done()],
    ],
  ] as const)('reports %s, and what it cost', async (code, events) => {
    expect(await summarise(scripted(events).model, request)).toMatchObject({ ok: false, error: { code, usage } })
  })

  it('refuses a stream that ends early', async () => {
    expect(await summarise(scripted([{ type: 'text', text: reply }]).model, request)).toMatchObject({
      ok: false,
      error: { code: 'summary-incomplete' },
    })
  })

  it('does not call the model when nothing is new, so it cannot loop', async () => {
    const { model, requests } = scripted([{ type: 'text', text: reply }, done()])
    const first = await summarise(model, request)
    if (!first.ok) throw new Error('refused')
    expect(await summarise(model, { ...request, messages: [first.value.message] })).toMatchObject({
      ok: false,
      error: { code: 'summary-nothing-new' },
    })
    expect(requests).toHaveLength(1)
    // The same text again, though something was said since: it would be made for ever.
    expect(
      await summarise(model, { ...request, messages: [first.value.message, agent('y'.repeat(9000))] }),
    ).toMatchObject({ ok: false, error: { code: 'summary-nothing-new' } })
  })

  it("reports a provider's failure in one sentence, with its cause", async () => {
    const refusal = new CairnError('unsupported', 'The provider refused the request.')
    expect(await summarise(scripted([{ type: 'text', text: 'x' }], refusal).model, request)).toEqual({
      ok: false,
      error: {
        code: 'model-failed',
        message: 'The provider refused the request; the conversation was left as it is.',
        cause: refusal,
      },
    })
    const broken: LanguageModel = {
      provider: 'broken',
      stream: () => {
        throw new TypeError('fetch failed')
      },
    }
    expect(await summarise(broken, request)).toMatchObject({ ok: false, error: { code: 'model-failed' } })
  })
})

describe('stopping', () => {
  it('before the start never calls the model', async () => {
    const { model, requests } = scripted([done()])
    expect(await summarise(model, request, AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { code: 'aborted' },
    })
    expect(requests).toEqual([])
  })

  it('ends at once, even when the provider hangs and ignores the signal', async () => {
    const controller = new AbortController()
    let closed = false
    const indentContinuation: LanguageModel = {
      provider: 'hanging',
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<IteratorResult<ModelEvent>>(() => controller.abort()),
          return: async () => {
            closed = true
            return { done: true, value: undefined }
          },
        }),
      }),
    }
    expect(await summarise(indentContinuation, request, controller.signal)).toMatchObject({
      ok: false,
      error: { code: 'aborted' },
    })
    expect(closed).toBe(true)
  })

  it('treats an exception on abort as stopped, not as failed', async () => {
    const controller = new AbortController()
    const model: LanguageModel = {
      provider: 'listening',
      async *stream() {
        yield { type: 'text', text: 'x' }
        controller.abort()
        throw new Error('AbortError')
      },
    }
    expect(await summarise(model, request, controller.signal)).toMatchObject({ ok: false, error: { code: 'aborted' } })
  })
})
