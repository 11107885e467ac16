import { ask } from '../sse.fixture.ts'
import { startModelServer, type ModelServer } from '../index.ts'

const PATH = '/v1/messages'
const short = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const MINUTE_MS = 60_000

describe('the bill of the Messages API', () => {
  let server: ModelServer
  let now: number
  beforeEach(async () => {
    now = 1_000_000
    server = await startModelServer({ clock: () => now, keys: ['test-key', 'other'] })
  })
  afterEach(() => server.close())

  const text = (name: string, words: number, rest: object = {}) => ({
    type: 'text',
    text: `${name} ${'word '.repeat(words)}end.`,
    ...rest,
  })
  const user = (...content: readonly unknown[]) => ({ role: 'user', content })
  /** [uncached, read, written for five minutes, for an hour] */
  const bill = async (rest: object, headers = {}) => {
    expect((await ask(server, PATH, { model: 'claude-sonnet-5', max_tokens: 50, ...rest }, headers)).status).toBe(200)
    const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = server.ledger.at(-1)?.tokens ?? {}
    return [inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens] as number[]
  }
  const total = (numbers: readonly number[]) => numbers.reduce((sum, count) => sum + count, 0)

  it('writes up to a breakpoint, and reads it in the next request', async () => {
    const system = [text('system', 1500, short)]
    const [input = 0, read, written = 0] = await bill({ system, messages: [user(text('a', 10))] })
    expect(read).toBe(0)
    expect(written).toBeGreaterThan(1800)
    expect(input).toBeGreaterThan(10)
    expect(await bill({ system, messages: [user(text('a', 10))] })).toEqual([input, written, 0, 0])
    const longer = await bill({ system, messages: [user(text('a', 10)), user(text('b', 500, short))] })
    expect([longer[0], longer[1]]).toEqual([0, written])
    expect(longer[2]).toBeGreaterThan(600)
  })

  it('caches nothing that is shorter than the model’s minimum', async () => {
    const system = [text('system', 700, short)]
    const unbilled = await bill({ system, messages: [user(text('a', 1))] })
    expect([unbilled[1], unbilled[2]]).toEqual([0, 0])
    // 912 tokens: below 1,024, above 512.
    expect((await bill({ model: 'claude-opus-5', system, messages: [user(text('a', 1))] }))[2]).toBeGreaterThan(512)
    expect(
      (
        await bill({ model: 'claude-opus-4-7', system: [text('system', 1500, short)], messages: [user(text('a', 1))] })
      )[2],
    ).toBe(0)
  })

  it('keeps a prefix five minutes or an hour, from the last time that it was read', async () => {
    const ofMinutes = { messages: [user(text('minutes', 1500, short))] }
    const ofAnHour = { messages: [user(text('hour', 1500, hour))] }
    const [, , written = 0] = await bill(ofMinutes)
    const [, , none, writtenForAnHour = 0] = await bill(ofAnHour)
    expect([none, writtenForAnHour > 1024]).toEqual([0, true])
    now += 4 * MINUTE_MS
    expect((await bill(ofMinutes))[1]).toBe(written)
    now += 4 * MINUTE_MS
    expect((await bill(ofMinutes))[1]).toBe(written)
    now += 5 * MINUTE_MS
    expect(await bill(ofMinutes)).toEqual([0, 0, written, 0])
    expect((await bill(ofAnHour))[1]).toBe(writtenForAnHour)
    now += 60 * MINUTE_MS
    expect(await bill(ofAnHour)).toEqual([0, 0, 0, writtenForAnHour])
  })

  it('bills an hour up to the last breakpoint of an hour, five minutes behind it', async () => {
    const system = [text('system', 1500, hour)]
    const first = await bill({ system, messages: [user(text('a', 900, short), text('b', 90))] })
    expect(first.map((count) => count > 0)).toEqual([true, false, true, true])
    const [uncached = 0, , minutes = 0, anHour = 0] = first
    const second = await bill({ system, messages: [user(text('a', 900, short), text('b', 90))] })
    expect(second).toEqual([uncached, minutes + anHour, 0, 0])
    now += 6 * MINUTE_MS
    expect(await bill({ system, messages: [user(text('a', 900, short), text('b', 90))] })).toEqual([
      uncached,
      anHour,
      minutes,
      0,
    ])
  })

  it('looks 20 blocks back from a breakpoint, and no further', async () => {
    const head = text('head', 1500, short)
    const [, , written = 0] = await bill({ messages: [user(head)] })
    const more = (count: number) => Array.from({ length: count }, (_, index) => text(`part ${index}`, 20 + index))
    const behind = (count: number) => ({
      messages: [user(text('head', 1500), ...more(count - 1), text('tail', count, short))],
    })
    expect((await bill(behind(20)))[1]).toBe(0)
    expect((await bill(behind(19)))[1]).toBe(written)
  })

  it('keeps models and accounts apart, and the messages of other settings', async () => {
    const request = { system: [text('system', 1500, short)], messages: [user(text('a', 1500, short))] }
    const [, , all = 0] = await bill(request)
    expect((await bill(request))[1]).toBe(all)
    expect((await bill({ ...request, model: 'claude-opus-5' }))[1]).toBe(0)
    expect((await bill(request, { authorization: 'Bearer other' }))[1]).toBe(0)
    const [, read = 0] = await bill({ ...request, thinking: { type: 'disabled' } })
    expect(read).toBeGreaterThan(1500)
    expect(read).toBeLessThan(all - 1500)
    const [, nothing] = await bill({ ...request, tools: [{ name: 'x', input_schema: { type: 'object' } }] })
    expect(nothing).toBe(0)
  })

  it('takes a mark at the top for one on the last block', async () => {
    const request = { ...short, messages: [user(text('a', 1500), text('b', 100))] }
    const first = await bill(request)
    expect([first[0], first[1]]).toEqual([0, 0])
    expect(await bill(request)).toEqual([0, total(first), 0, 0])
  })

  it('bills the same tokens in all, whatever is cached', async () => {
    const request = { system: [text('system', 1500, short)], messages: [user(text('a', 1500, short), text('b', 33))] }
    const first = total(await bill(request))
    expect(total(await bill(request))).toBe(first)
    now += 100 * MINUTE_MS
    expect(total(await bill(request))).toBe(first)
  })
})
