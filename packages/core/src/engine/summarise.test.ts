import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createEngine, type Engine } from '../engine.ts'
import type { ContentBlock } from '../messages.ts'
import { createHasher } from '../node/index.ts'
import { createAnthropicModel, createOpenAIChatModel } from '../providers/index.ts'
import type { NewLogEntry } from '../session-log.ts'
import { SUMMARY_SECTIONS } from '../summary/summary-prompt.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { startModelServer, type ModelServer } from '../testing/model-server/index.ts'
import type { SummariseInput } from './summarise.ts'

const MODEL = 'claude-haiku-4-5'
const SUMMARY = SUMMARY_SECTIONS.map(({ title }, index) => `${index + 1}. ${title}: what was said of ${title}`).join(
  '\n',
)
const ID = 'cairn:talk'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ clock: () => 1_800_000_000_000 })
})
afterEach(() => expect(server.stepsLeft()).toBe(0))
afterAll(() => server.close())

const answer = (text: string, pieceLength = 40): void =>
  server.script({ reply: { blocks: [{ type: 'text', text }], pieceLength } })

const asked = (rest: Partial<SummariseInput> = {}): SummariseInput => ({
  languageModel: createAnthropicModel({ baseUrl: server.url, apiKey: 'test-key' }),
  model: MODEL,
  ...rest,
})

/** A session of 18 steps of different sizes, asked from here under another key: its reasoning was signed elsewhere. */
const engineWithSession = async (model = 'gpt-5.1', provider = 'openai'): Promise<Engine> => {
  const clock = createTestClock(1_800_000_000_000)
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
  })
  const entries: NewLogEntry[] = []
  const say = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[]): void => {
    const index = entries.length
    const at = 1_700_000_000_000 + index * 1000
    const reply = role === 'assistant' ? { responseId: `cairn:m${index}` } : {}
    entries.push({ kind: 'message', id: `m${index}`, at, role, content, ...reply })
  }
  say('user', [{ type: 'text', text: 'Mend the parser.' }])
  for (let step = 0; step < 18; step++) {
    const id = `c${step}`
    say('assistant', [
      { type: 'thinking', text: `step ${step}`, signature: `signed elsewhere ${step}` },
      { type: 'text', text: `I look at part ${step}.` },
      { type: 'tool_call', id, name: 'read', input: { path: `src/part-${step}.ts` } },
    ])
    const text = `const part = ${step}\n`.repeat(30 + ((step * 97) % 400))
    say('tool', [{ type: 'tool_result', callId: id, content: [{ type: 'text', text }] }])
  }
  say('assistant', [{ type: 'text', text: 'The parser is mended.' }])
  say('user', [{ type: 'text', text: 'Thanks. And the tests?' }])
  await engine.sessions.append(
    { id: ID, agent: 'cairn', externalId: 'talk' },
    0,
    [{ kind: 'model' as const, at: 1, model, provider }, ...entries].map((entry) => ({ entry })),
  )
  return engine
}

const conversation = async (engine: Engine): Promise<string> => JSON.stringify(await engine.context.modelHistory(ID))
const bills = async (engine: Engine) =>
  (await engine.store.usage.requests(ID)).filter(({ mode }) => mode === 'summarise')

describe('a summary of a session by a model', () => {
  it('is given, billed to the session, and changes nothing', async () => {
    const engine = await engineWithSession()
    const before = await conversation(engine)
    answer(`<summarize_task>${SUMMARY}</summarize_task>`)
    const events: string[] = []
    const result = await engine.context.summarise(ID, asked({ onEvent: ({ type }) => events.push(type) }))
    expect(result).toMatchObject({ ok: true, value: { text: SUMMARY, missingSections: [], isCompacted: false } })
    expect(server.requests.at(-1)?.problem).toBeUndefined()
    expect(await conversation(engine)).toBe(before)
    if (!result.ok) return
    const { tokensBefore, tokensAfter, spending } = result.value
    expect(tokensBefore).toBeGreaterThan(20_000)
    expect(tokensAfter).toBeLessThan(1000)
    const billed = server.ledger.at(-1)
    expect(spending).toEqual({
      requests: 1,
      input: billed?.tokens.inputTokens,
      output: billed?.tokens.outputTokens,
      costNano: billed?.costNano,
      unpricedRequests: 0,
    })
    expect(await bills(engine)).toMatchObject([{ model: MODEL, costNano: billed?.costNano, partial: false }])
    expect((await engine.context.nextRequest(ID)).model).toBe('gpt-5.1')
    expect((await engine.context.nextRequest(ID)).lastInput).toBeUndefined()
    expect(events.filter((type) => type === 'text').length).toBeGreaterThan(3)
    expect((await engine.usage.report({ by: 'mode' })).total.costNano).toBe(billed?.costNano)
  })

  it('takes the place of the older messages with compact, and a rewind takes it back', async () => {
    const engine = await engineWithSession()
    const before = await conversation(engine)
    answer(SUMMARY)
    const result = await engine.context.summarise(ID, asked({ compact: true, keepTokens: 3000 }))
    expect(result).toMatchObject({ ok: true, value: { isCompacted: true } })
    const after = await conversation(engine)
    expect(after).toContain('what was said of Current Work')
    expect(after).toContain('Thanks. And the tests?')
    expect(after.length).toBeLessThan(before.length / 3)
    const log = await engine.sessions.log(ID)
    expect(log.slice(-2)).toMatchObject([{ kind: 'notice' }, { kind: 'rewrite', policy: 'summary' }])
    if (result.ok) expect(result.value.tokensAfter).toBeLessThan(result.value.tokensBefore / 3)

    const last = log.findLast(({ kind }) => kind === 'message')
    await engine.sessions.rewind(ID, { message: last?.kind === 'message' ? last.id : '' })
    expect(await conversation(engine)).toBe(before)
    expect(await bills(engine)).toHaveLength(1)
  })

  it.each([MODEL, 'claude-sonnet-5-5'])('needs no reasoning that %s itself signed elsewhere', async (model) => {
    const engine = await engineWithSession(model, 'anthropic')
    for (const compact of [false, true]) {
      answer(SUMMARY)
      const result = await engine.context.summarise(
        ID,
        asked({ model, compact, keepTokens: compact ? 3000 : undefined }),
      )
      expect(result).toMatchObject({ ok: true })
      expect(server.requests.at(-1)?.text).not.toContain('signed elsewhere')
    }
  })

  it('goes into the next summary', async () => {
    const engine = await engineWithSession()
    answer(SUMMARY)
    await engine.context.summarise(ID, asked({ compact: true, keepTokens: 3000 }))
    answer(SUMMARY.replaceAll('what was said', 'and again what was said'))
    const again = await engine.context.summarise(ID, asked())
    expect(again).toMatchObject({ ok: true })
    expect(server.requests.at(-1)?.text).toContain('what was said of Current Work')
    expect(await bills(engine)).toHaveLength(2)
  })

  it.each([
    ['that is something else', 'I would rather not.', 'summary-without-sections'],
    ['that is longer than the conversation', SUMMARY.replaceAll('what', 'w'.repeat(20_000)), 'summary-not-smaller'],
    ['that says nothing of the work', 'Next Step: none', 'summary-without-sections'],
  ])('is refused where the model gives one %s; what it cost is recorded', async (_what, text, code) => {
    const engine = await engineWithSession()
    const before = await conversation(engine)
    answer(text, 4000)
    const result = await engine.context.summarise(ID, asked({ compact: true, keepTokens: 0, maxOutputTokens: 60_000 }))
    expect(result).toMatchObject({ ok: false, error: { code } })
    expect(await conversation(engine)).toBe(before)
    const spent = server.ledger.at(-1)?.costNano
    expect(spent).toBeGreaterThan(0n)
    if (!result.ok) expect(result.error.spending.costNano).toBe(spent)
    expect(await bills(engine)).toMatchObject([{ costNano: spent }])
  })

  it('is refused where the model broke off; what came of it is billed as partial', async () => {
    const engine = await engineWithSession()
    server.script({ fault: { kind: 'cut', at: 'in-text' } })
    const result = await engine.context.summarise(ID, asked())
    expect(result).toMatchObject({ ok: false, error: { code: 'model-failed' } })
    expect(await bills(engine)).toHaveLength(1)
  })

  it('is stopped at once, and what came of it by then is in the store when that is told', async () => {
    const engine = await engineWithSession()
    answer(SUMMARY.repeat(200), 20)
    const controller = new AbortController()
    const result = await engine.context.summarise(
      ID,
      asked({ signal: controller.signal, onEvent: ({ type }) => type === 'text' && controller.abort() }),
    )
    expect(result).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(await bills(engine)).toHaveLength(1)
    if (!result.ok) expect(result.error.spending.requests).toBe(1)
  })

  it('is not put into a log that somebody else wrote to meanwhile, and is given all the same', async () => {
    const engine = await engineWithSession()
    answer(SUMMARY)
    let isWritten = false
    const onEvent = (): void => {
      if (isWritten) return
      isWritten = true
      const entry = {
        kind: 'message',
        id: 'late',
        at: 5,
        role: 'user',
        content: [{ type: 'text', text: 'Stop!' }],
      } as const
      void engine.sessions.append({ id: ID, agent: 'cairn', externalId: 'talk' }, 'end', [{ entry }])
    }
    const result = await engine.context.summarise(ID, asked({ compact: true, keepTokens: 3000, onEvent }))
    expect(result).toMatchObject({ ok: false, error: { code: 'conversation-changed', text: SUMMARY } })
    expect(await conversation(engine)).toContain('Stop!')
    expect((await engine.sessions.log(ID)).some(({ kind }) => kind === 'rewrite')).toBe(false)
    expect(await bills(engine)).toHaveLength(1)
  })

  it('is refused before anybody is asked where all would stay, or nothing was said', async () => {
    const engine = await engineWithSession()
    const requests = server.requests.length
    expect(await engine.context.summarise(ID, asked({ compact: true, keepTokens: 900_000 }))).toMatchObject({
      ok: false,
      error: { code: 'summary-nothing-new', spending: { requests: 0 } },
    })
    const empty = { id: 'cairn:empty', agent: 'cairn', externalId: 'empty' }
    await engine.sessions.append(empty, 0, [{ entry: { kind: 'title', at: 0, title: 'Nothing said' } }])
    expect(await engine.context.summarise(empty.id, asked())).toMatchObject({
      ok: false,
      error: { code: 'summary-nothing-new' },
    })
    await expect(engine.context.summarise('cairn:none', asked())).rejects.toMatchObject({ code: 'not-found' })
    expect(server.requests.length).toBe(requests)
  })

  it('is asked for over another wire alike', async () => {
    const engine = await engineWithSession()
    answer(SUMMARY)
    const languageModel = createOpenAIChatModel({ baseUrl: `${server.url}/v1`, apiKey: 'test-key' })
    const result = await engine.context.summarise(ID, { languageModel, model: 'gpt-5.1' })
    expect(result).toMatchObject({ ok: true, value: { spending: { costNano: server.ledger.at(-1)?.costNano } } })
  })
})
