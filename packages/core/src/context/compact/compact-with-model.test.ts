import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { textOfBlock, type ContentBlock } from '../../messages.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from '../../ports/language-model.ts'
import type { LogEntry } from '../../session-log.ts'
import { SUMMARY_SECTIONS, continuationMessage } from '../../summary/summary-prompt.ts'
import { validateMessages } from '../messages/validate.ts'
import { nonePolicy } from '../policies/none.ts'
import type { Situation } from '../policy.ts'
import { createContext, type Context } from '../create-context.ts'
import { conversations } from '../random-log.fixture.ts'
import { SITUATION } from '../situation.fixture.ts'
import { compactWithModel } from './compact-with-model.ts'

const usage = { inputTokens: 10, cacheReadTokens: 5, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 7 }
const done: ModelEvent = { type: 'done', stopReason: 'end', providerReason: 'end_turn', usage }
const summaryText = (word: string): string => SUMMARY_SECTIONS.map(({ title }) => `${title}: ${word}`).join('\n')
const answer = (word: string): readonly ModelEvent[] => [
  { type: 'text', text: `<summarize_task>${summaryText(word)}</summarize_task>` },
  done,
]

/** A model that answers with one script after the other, and notes what it was asked; `during` happens before the answer. */
const scripted = (scripts: readonly (readonly ModelEvent[])[], during: () => void = () => undefined) => {
  const requests: ModelRequest[] = []
  const model: LanguageModel = {
    provider: 'scripted',
    async *stream(request) {
      const script = scripts[requests.length] ?? []
      requests.push(request)
      await Promise.resolve()
      during()
      yield* script
    },
  }
  return { model, requests }
}

const situation: Situation = { ...SITUATION, now: 1_000_000 }

const createSession = () => {
  const context = createContext(nonePolicy, 2.7)
  const log: LogEntry[] = []
  const add = (entry: LogEntry): void => {
    log.push(entry)
    context.step([entry])
  }
  const say = (role: 'user' | 'assistant' | 'tool', content: string | readonly ContentBlock[]): string => {
    const id = `m${log.length}`
    add({
      kind: 'message',
      seq: log.length,
      at: log.length * 1000,
      id,
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    })
    return id
  }
  const use = (output: string): string => {
    const id = `c${log.length}`
    const call = say('assistant', [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id, name: 'Bash', input: { command: 'ls' } },
    ])
    say('tool', [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: output }] }])
    return call
  }
  return {
    context,
    log,
    add,
    say,
    use,
    pin: (messageId: string) => add({ kind: 'pin', seq: log.length, at: 0, messageId, state: 'pinned' }),
  }
}

const sent = (context: Context): string => JSON.stringify(context.prepare(situation).messages)
const textsOf = (context: Context): readonly string[] =>
  context.prepare(situation).messages.flatMap(({ content }) => content.map(textOfBlock))

/** One user's request, and long work on it. */
const working = () => {
  const session = createSession()
  session.say('user', 'Mend the parser.')
  for (let step = 0; step < 10; step++) session.use(`output ${step} ${'.'.repeat(2700)}`)
  return session
}

describe('compactWithModel', () => {
  it('puts one summary first, keeps the newest units and the user’s messages, and returns one log entry', async () => {
    const { context, log } = working()
    const { model, requests } = scripted([answer('done')])
    const before = context.view.tokens()
    const result = await compactWithModel(context, model, {
      model: 'm',
      now: 5000,
      keepTokens: 2500,
      system: 'You are an agent.',
    })
    if (!result.ok) throw new Error(result.error.message)
    const { entry, summary, tokensBefore, tokensAfter } = result.value
    expect(summary).toBe(summaryText('done'))
    expect(result.value).toMatchObject({
      usage,
      missingSections: [],
      tokensBefore: before,
      tokensAfter: context.view.tokens(),
    })
    expect(entry).toMatchObject({
      kind: 'rewrite',
      seq: log.length,
      at: 5000,
      policy: 'summary',
      insertions: [{ before: 0, why: 'summary' }],
      tokensBefore,
      tokensAfter,
    })
    const texts = textsOf(context)
    expect(texts[0]).toBe(continuationMessage(summaryText('done')).content.map(textOfBlock).join(''))
    expect(texts[1]).toBe('Mend the parser.')
    expect(texts.filter((text) => text.startsWith('output')).map((text) => text.slice(0, 9))).toEqual([
      'output 8 ',
      'output 9 ',
    ])
    expect(requests[0]).toMatchObject({ model: 'm', system: 'You are an agent.' })
    expect(requests[0]?.messages[0]?.content.map(textOfBlock)).toEqual(['Mend the parser.'])

    const fromLog = createContext(nonePolicy, 2.7)
    fromLog.step([...log, entry])
    expect(sent(fromLog)).toBe(sent(context))
  })

  it('keeps the newest exchange however large it is', async () => {
    const { context, use } = working()
    use('z'.repeat(200_000))
    expect(
      (await compactWithModel(context, scripted([answer('done')]).model, { model: 'm', now: 0, keepTokens: 0 })).ok,
    ).toBe(true)
    expect(textsOf(context).filter((text) => text.includes('zzz') || text.startsWith('output'))).toEqual([
      'z'.repeat(200_000),
    ])
  })

  it('keeps what is pinned word for word, with the other half of its pair', async () => {
    const { context, use, pin } = createSession()
    const pinned = use('the plan')
    for (let step = 0; step < 5; step++) use('.'.repeat(5000))
    pin(pinned)
    expect(
      (await compactWithModel(context, scripted([answer('done')]).model, { model: 'm', now: 0, keepTokens: 0 })).ok,
    ).toBe(true)
    const { messages } = context.prepare(situation)
    expect(validateMessages(messages)).toEqual([])
    expect(messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual([
      'text',
      'text',
      'tool_call',
      'tool_result',
      'text',
      'tool_call',
      'tool_result',
    ])
    expect(textsOf(context)).toContain('the plan')
  })

  it('does not ask again when no message came since, so it cannot loop', async () => {
    const { context } = working()
    const { model, requests } = scripted([answer('done'), answer('again')])
    await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 2500 })
    const before = sent(context)
    expect(await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 2500 })).toMatchObject({
      ok: false,
      error: { code: 'summary-nothing-new' },
    })
    expect(requests).toHaveLength(1)
    expect(sent(context)).toBe(before)
  })

  it('does not summarise an imported session of which only a summary is left', async () => {
    const { context, add, say, use } = createSession()
    add({
      kind: 'message',
      seq: 0,
      at: 0,
      id: 's',
      role: 'user',
      origin: 'summary',
      content: [{ type: 'text', text: 'What was before. '.repeat(500) }],
    })
    say('user', 'Go on.')
    use('newest')
    const { model, requests } = scripted([answer('done')])
    expect(await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 0 })).toMatchObject({
      ok: false,
      error: { code: 'summary-nothing-new' },
    })
    expect(requests).toHaveLength(0)
  })

  it('replaces the previous summary, which is summarised with the rest', async () => {
    const { context, use, log } = working()
    const { model, requests } = scripted([answer('first'), answer('second')])
    const first = await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 2500 })
    if (first.ok) log.push(first.value.entry)
    for (let step = 0; step < 6; step++) use(`more ${step} ${'.'.repeat(2700)}`)
    expect((await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 2500 })).ok).toBe(true)
    expect(requests[1]?.messages[0]?.content.map(textOfBlock).join('')).toContain('Current Work: first')
    const summaries = textsOf(context).filter((text) => text.includes('conversation_summary'))
    expect(summaries).toHaveLength(1)
    expect(summaries[0]).toContain('Current Work: second')
    expect(summaries[0]).not.toContain('first')
  })

  it('is refused when it would not shrink the conversation, also where only what must stay is large', async () => {
    const { context, say, use } = createSession()
    use('short')
    say('user', 'x'.repeat(30_000))
    use('newest')
    const before = sent(context)
    const result = await compactWithModel(context, scripted([answer('y'.repeat(500))]).model, {
      model: 'm',
      now: 0,
      keepTokens: 0,
    })
    expect(result).toMatchObject({ ok: false, error: { code: 'summary-not-smaller', usage } })
    expect(sent(context)).toBe(before)
  })

  it.each([
    ['summary-empty', [done]],
    ['summary-without-sections', [{ type: 'text', text: 'What next?' }, done]],
    ['summary-incomplete', [{ type: 'text', text: 'cut' }]],
  ] as const)('%s leaves the conversation unchanged', async (code, script) => {
    const { context } = working()
    const before = sent(context)
    expect(
      await compactWithModel(context, scripted([script]).model, { model: 'm', now: 0, keepTokens: 0 }),
    ).toMatchObject({ ok: false, error: { code } })
    expect(sent(context)).toBe(before)
    expect(context.view.rewrites).toEqual([])
  })

  it("stops at its signal without a trace: before, during and after the model's reply", async () => {
    const { context } = working()
    const before = sent(context)
    const request = { model: 'm', now: 0, keepTokens: 0 }
    const hanging: LanguageModel = {
      provider: 'hanging',
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
    }
    expect(await compactWithModel(context, hanging, request, AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { code: 'aborted' },
    })
    const stopped = new AbortController()
    const pending = compactWithModel(context, hanging, request, stopped.signal)
    stopped.abort()
    expect(await pending).toMatchObject({ ok: false, error: { code: 'aborted' } })
    const late = new AbortController()
    expect(
      await compactWithModel(context, scripted([answer('done')], () => late.abort()).model, request, late.signal),
    ).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(sent(context)).toBe(before)
    expect(context.view.rewrites).toEqual([])
  })

  it('keeps messages and pins that arrive while the model writes', async () => {
    const { context, say, pin } = working()
    const { model } = scripted([answer('done')], () => {
      pin('m3')
      say('user', 'And the lexer.')
    })
    expect((await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 0 })).ok).toBe(true)
    const { messages } = context.prepare(situation)
    expect(validateMessages(messages)).toEqual([])
    expect(
      textsOf(context)
        .filter((text) => text.startsWith('output'))
        .map((text) => text.slice(0, 9)),
    ).toEqual(['output 1 ', 'output 9 '])
    expect(textsOf(context).at(-1)).toBe('And the lexer.')
  })

  it.each([
    ['rewound', (log: readonly LogEntry[]): LogEntry => ({ kind: 'rewind', seq: log.length, at: 0, toSeq: 3 })],
    [
      'rewritten',
      (log: readonly LogEntry[]): LogEntry => ({
        kind: 'rewrite',
        seq: log.length,
        at: 0,
        policy: 'p',
        trigger: 't',
        changes: [{ seq: 2, block: 0, why: 'w' }],
      }),
    ],
  ])('does not touch a conversation that was %s meanwhile', async (_name, entry) => {
    const { context, log, add } = working()
    const { model } = scripted([answer('done')], () => add(entry(log)))
    expect(await compactWithModel(context, model, { model: 'm', now: 0, keepTokens: 0 })).toMatchObject({
      ok: false,
      error: { code: 'conversation-changed', usage },
    })
    expect(textsOf(context).join('')).not.toContain('conversation_summary')
  })

  it('does not call the model when compaction is not expected to pay', async () => {
    const { context, log } = working()
    const now = (log.at(-1)?.at ?? 0) + 1000
    const { model, requests } = scripted([answer('done')])
    const request = { model: 'm', now, keepTokens: 2500 }
    expect(
      await compactWithModel(context, model, {
        ...request,
        forecast: { situation: { ...situation, now }, requestsToCome: 5, summaryTokens: 500 },
      }),
    ).toMatchObject({ ok: false, error: { code: 'does-not-pay' } })
    expect(requests).toHaveLength(0)
    expect(
      (
        await compactWithModel(context, model, {
          ...request,
          forecast: { situation: { ...situation, now }, requestsToCome: 50, summaryTokens: 500 },
        })
      ).ok,
    ).toBe(true)
  })

  it('for any conversation: valid, with the user’s newest message and pins intact, and done only once', async () => {
    let compacted = 0
    await fc.assert(
      fc.asyncProperty(conversations, fc.constantFrom(0, 500, 20_000), async (conversation, keepTokens) => {
        const context = createContext(nonePolicy, 2.7)
        const log: LogEntry[] = []
        for (const entry of conversation.flat()) log.push({ ...entry, seq: log.length })
        context.step(log)
        const { model, requests } = scripted([answer('short'), answer('again')])
        const before = context.view.tokens()
        const result = await compactWithModel(context, model, { model: 'm', now: 0, keepTokens })
        for (const { messages } of requests) expect(validateMessages(messages)).toEqual([])
        expect(validateMessages(context.prepare(situation).messages)).toEqual([])
        const newest = context.view.newestUser
        for (const source of newest === undefined ? [] : context.view.history.blocksOf(newest.seq))
          if (source.pin !== 'dropped') expect(source.seen).toBe(source.original)
        for (const { source } of context.view.all())
          if (source.pin === 'pinned') expect(source.seen).toBe(source.original)
        if (!result.ok) {
          expect(context.view.tokens()).toBe(before)
          return
        }
        expect(context.view.tokens()).toBeLessThan(before)
        const bytes = sent(context)
        expect(await compactWithModel(context, model, { model: 'm', now: 0, keepTokens })).toMatchObject({
          ok: false,
          error: { code: 'summary-nothing-new' },
        })
        expect(sent(context)).toBe(bytes)
        compacted += 1
        const fromLog = createContext(nonePolicy, 2.7)
        fromLog.step([...log, result.value.entry])
        expect(sent(fromLog)).toBe(sent(context))
      }),
      { numRuns: 100 },
    )
    expect(compacted).toBeGreaterThan(10)
  })
})
