import { describe, expect, it } from '@jest/globals'
import { readEvent, type ReadEvent } from './agent-events.ts'
import { readOtlpLogs } from './otlp-logs.ts'
import { AT, SESSION, claudeRequest, codexReply, exportOf } from './telemetry.fixture.ts'

const NOW = AT + 5_000

/** What the records of an export tell, those of other kinds left out. */
const eventsIn = (text: string): readonly ReadEvent[] => {
  const read = readOtlpLogs(Buffer.from(text), 'json')
  if ('refused' in read) throw new Error(read.refused)
  return read.records.flatMap((record) => readEvent(record, NOW) ?? [])
}
const toldIn = (text: string) =>
  eventsIn(text).flatMap((event) => (event !== undefined && 'told' in event ? [event.told] : []))

describe('the telemetry of agents', () => {
  it('tells a request of Claude Code with its tokens, cost and time, whether numbers are texts or not', () => {
    const [asText, asNumbers] = toldIn(
      exportOf(claudeRequest(), claudeRequest({ input_tokens: 10, output_tokens: 77, cost_usd: 0.0034125 })),
    )
    expect(asText).toMatchObject({
      agent: 'claude-code',
      session: SESSION,
      requestId: 'req_011',
      at: AT,
      model: 'claude-sonnet-4-5',
      subagent: undefined,
      tokens: { inputTokens: 10, cacheReadTokens: 2300, cacheWrite5mTokens: 410, outputTokens: 77 },
      costNano: 3_412_500n,
    })
    expect(asNumbers?.tokens).toEqual(asText?.tokens)
    expect(asNumbers?.costNano).toBe(asText?.costNano)
  })

  it('tells who asks beside the conversation', () => {
    const sources = ['repl_main_thread', 'sdk', 'generate_session_title', 'agent:Explore']
    expect(
      toldIn(exportOf(...sources.map((source) => claudeRequest({ query_source: source })))).map(
        ({ subagent }) => subagent,
      ),
    ).toEqual([undefined, undefined, 'generate_session_title', 'agent:Explore'])
  })

  it('tells a reply of Codex, whose input includes what was read from the cache', () => {
    const [told] = toldIn(exportOf(codexReply()))
    expect(told).toMatchObject({
      agent: 'codex',
      session: SESSION,
      requestId: undefined,
      tokens: { inputTokens: 1_100, cacheReadTokens: 8_000, outputTokens: 640, reasoningTokens: 512 },
      costNano: null,
    })
  })

  it('gives an event the same id whenever it is sent, and no two the same one', () => {
    const ids = (...records: readonly object[]) => toldIn(exportOf(...records)).map(({ eventId }) => eventId)
    expect(ids(claudeRequest())).toEqual(ids(claudeRequest()))
    const different = ids(claudeRequest(), claudeRequest({ 'event.sequence': 5 }), codexReply())
    expect(new Set(different).size).toBe(3)
  })

  it.each([
    ['of another unit', '1970-01-21T12:00:00Z'],
    ['far in the future', '+033658-09-27T00:00:00Z'],
    ['of tomorrow after next', new Date(NOW + 2 * 86_400_000).toISOString()],
  ])('takes a time %s for that of its arrival, and the event for the same when it comes again', (_, time) => {
    const sent = exportOf(claudeRequest({ 'event.timestamp': time }))
    const [told] = toldIn(sent)
    expect(told?.at).toBe(NOW)
    expect(toldIn(sent)[0]?.eventId).toBe(told?.eventId)
    const [ahead] = toldIn(exportOf(claudeRequest({ 'event.timestamp': new Date(NOW + 3_600_000).toISOString() })))
    expect(ahead?.at).toBe(NOW + 3_600_000)
  })

  it.each(['model', 'session.id'])('refuses a request with a key in place of its %s', (name) => {
    const key = `sk-ant-api03-${'Ab3'.repeat(31)}-AA`
    const [event] = eventsIn(exportOf(claudeRequest({ [name]: key })))
    expect(event).toEqual({ refused: 'A request of Claude Code names no session or no model.' })
  })

  it('passes over what tells of no request', () => {
    const others = exportOf(
      claudeRequest({ 'event.name': 'x' }),
      {
        body: { stringValue: 'claude_code.user_prompt' },
        attributes: [{ key: 'prompt', value: { stringValue: 'Psst' } }],
      },
      codexReply({ 'event.kind': 'response.output_text.delta' }),
      codexReply({ input_token_count: 0, output_token_count: 0 }),
      { attributes: 'none' },
      {},
    )
    // The body names the first of them.
    expect(eventsIn(others)).toHaveLength(1)
  })

  it('refuses a request without a session or with an endless one, and counts what is no count as none', () => {
    expect(eventsIn(exportOf(claudeRequest({ 'session.id': '' })))).toEqual([
      { refused: expect.stringContaining('names no session') },
    ])
    expect(eventsIn(exportOf(codexReply({ 'conversation.id': 'x'.repeat(201) })))).toEqual([
      { refused: expect.stringContaining('names no conversation') },
    ])
    const [odd] = toldIn(exportOf(claudeRequest({ input_tokens: '-4', cache_read_tokens: '1e99', cost_usd: 'much' })))
    expect([odd?.tokens.inputTokens, odd?.tokens.cacheReadTokens, odd?.costNano]).toEqual([0, 0, null])
  })

  it('takes the time of a record where the event has none, and else that of its coming', () => {
    const [told] = toldIn(exportOf(claudeRequest({ 'event.timestamp': 'lately' })))
    expect(told?.at).toBe(AT)
    const [timeless] = toldIn(exportOf({ ...claudeRequest({ 'event.timestamp': '' }), timeUnixNano: '0' }))
    expect(timeless?.at).toBe(NOW)
  })
})

describe('an export', () => {
  it.each([
    ['no JSON', '{"resourceLogs":[', 'no JSON object'],
    ['a list', '[]', 'no JSON object'],
    ['something else', '{"resourceLogs":"none"}', 'no export of logs'],
  ])('that is %s is refused in one sentence', (_what, text, sentence) => {
    const read = readOtlpLogs(Buffer.from(text), 'json')
    expect('refused' in read ? read.refused : '').toContain(sentence)
  })

  it('may be empty, or hold what is no record', () => {
    expect(readOtlpLogs(Buffer.from('{}'), 'json')).toEqual({ records: [], rejected: 0 })
    const odd = '{"resourceLogs":[null,{"scopeLogs":[7,{"logRecords":[null,[],"x",{}]},{"logRecords":"none"},{}]}]}'
    expect(readOtlpLogs(Buffer.from(odd), 'json')).toMatchObject({ records: [{ names: [] }], rejected: 6 })
  })

  it.each(['{"valueOf":1,"toString":1}', '[1]', 'true', 'null', '"soon"'])('takes no time from %s', (time) => {
    const read = readOtlpLogs(
      Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":${time}}]}]}]}`),
      'json',
    )
    expect(read).toMatchObject({ records: [{ at: undefined }] })
  })
})
