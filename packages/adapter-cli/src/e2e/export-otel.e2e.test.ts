/** `cairn export otel` as a user meets it: what a collector receives is what `cairn usage` counts. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { startCollector, type OtlpCollector, type ReceivedSpan } from '../testing/otlp-collector.ts'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { startServerProcess } from '../testing/run-gateway.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))
const SECRET = `sk-ant-api03-${'Zq7'.repeat(31)}AA`

type Totals = Readonly<Record<string, number>>

let box: Sandbox
let collector: OtlpCollector

beforeEach(async () => {
  box = createSandbox()
  collector = await startCollector()
})
afterEach(async () => {
  await collector.close()
  box.remove()
})

const usage = async (...args: readonly string[]): Promise<Totals> =>
  ((await box.json('usage', ...args)) as { readonly total: Totals }).total
const send = async (...args: readonly string[]): Promise<Totals> =>
  (await box.json('export', 'otel', '--endpoint', collector.url, ...args)) as Totals
const chats = (spans = collector.spans()): readonly ReceivedSpan[] =>
  spans.filter(({ name }) => name.startsWith('chat '))
const sumOf = (spans: readonly ReceivedSpan[], attribute: string): number =>
  spans.reduce((sum, { attributes }) => sum + Number(attributes[attribute] ?? 0), 0)

/** What spans of requests add up to, under the names of `cairn usage`. */
const totalsOf = (spans: readonly ReceivedSpan[]): Totals => {
  const read = sumOf(spans, 'gen_ai.usage.cache_read.input_tokens')
  const written = sumOf(spans, 'gen_ai.usage.cache_creation.input_tokens')
  return {
    requests: spans.length,
    inputTokens: sumOf(spans, 'gen_ai.usage.input_tokens') - read - written,
    cacheReadTokens: read,
    cacheWrite5mTokens: sumOf(spans, 'cairn.usage.cache_write_5m.input_tokens'),
    cacheWrite1hTokens: sumOf(spans, 'cairn.usage.cache_write_1h.input_tokens'),
    outputTokens: sumOf(spans, 'gen_ai.usage.output_tokens'),
    costUsd: sumOf(spans, 'cairn.cost.nano_usd') / 1e9,
  }
}

const pointSum = (type: string): number =>
  collector
    .points()
    .filter(({ attributes }) => attributes['gen_ai.token.type'] === type)
    .reduce((sum, point) => sum + point.sum, 0)

describe('cairn export otel', () => {
  it.each([
    ['http/protobuf', 'application/x-protobuf'],
    ['http/json', 'application/json'],
  ])(
    'by %s, what is received is what usage counts, once',
    async (protocol, type) => {
      await box.cairn('import', '--from', SAMPLES)
      const counted = await usage()
      const report = await send('--protocol', protocol)
      expect(counted).toMatchObject(totalsOf(chats()))
      expect(counted['requests']).toBe(460)
      expect(report).toMatchObject({ ...totalsOf(chats()), sessions: 2, waiting: 0, spans: collector.spans().length })
      expect(new Set(collector.received.map(({ headers }) => headers['content-type']))).toEqual(new Set([type]))
      const input = sumOf(chats(), 'gen_ai.usage.input_tokens')
      expect([pointSum('input'), pointSum('output')]).toEqual([input, counted['outputTokens']])
      for (const { count, buckets, bounds, temporality, unit } of collector.points()) {
        expect(buckets.reduce((sum, each) => sum + each, 0)).toBe(count)
        expect([buckets.length, temporality, unit]).toEqual([bounds.length + 1, 2, '{token}'])
      }
      const before = collector.received.length
      expect(await send('--protocol', protocol)).toMatchObject({ requests: 0, spans: 0 })
      expect(collector.received.length).toBe(before)
    },
    120_000,
  )

  it('makes a trace of each turn, with requests and tool calls below the agent, and no text', async () => {
    await box.cairn('import', '--from', SAMPLES)
    await send()
    const spans = collector.spans()
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    expect(byId.size).toBe(spans.length)
    for (const { parentId, traceId, name, startNano, endNano, kind } of spans) {
      expect(endNano >= startNano).toBe(true)
      expect(kind).toBe(name.startsWith('chat ') ? 3 : 1)
      if (name.startsWith('invoke_agent ')) expect(parentId).toBe('')
      else expect(byId.get(parentId)).toMatchObject({ traceId, parentId: '' })
    }
    const tools = spans.filter(({ name }) => name.startsWith('execute_tool '))
    expect(tools.length).toBeGreaterThan(100)
    expect(tools.filter(({ status }) => status === 2).map(({ attributes }) => attributes['error.type'])).toEqual(
      Array.from({ length: 20 }, () => 'tool_error'),
    )
    const { sessions } = (await box.json('session', 'list')) as {
      readonly sessions: readonly { readonly id: string }[]
    }
    const ids = new Set(spans.map(({ attributes }) => String(attributes['gen_ai.conversation.id'])))
    expect([...ids].sort()).toEqual(sessions.map(({ id }) => id).sort())
    const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => /messages|arguments|result|project|vcs/.test(name))).toEqual([])
  }, 120_000)

  it('sends what is new, and everything again with the same ids when it is asked to', async () => {
    box.file('logs/one.jsonl', claudeSession('one', '2026-01-30'))
    await box.cairn('import', '--from', 'logs')
    await send()
    const [first] = chats()
    expect(first).toMatchObject({
      name: 'chat claude-sonnet-4-5-20250929',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5-20250929',
        'gen_ai.response.id': 'msg-one-2',
        'gen_ai.conversation.id': 'claude-code:one',
        'gen_ai.usage.input_tokens': 130,
        'gen_ai.usage.cache_read.input_tokens': 100,
        'gen_ai.usage.cache_creation.input_tokens': 20,
        'gen_ai.usage.output_tokens': 50,
        'cairn.duration.estimated': true,
      },
    })
    expect(Number(first?.endNano) - Number(first?.startNano)).toBe(5e9)
    const two = claudeSession('two', '2026-02-02')
    const later = claudeLine({ session: 'one', id: 'one-3', at: '2026-02-03T09:00:00.000Z', text: 'Mended.' })
    box.file('logs/one.jsonl', `${claudeSession('one', '2026-01-30')}${later}\n`)
    box.file('logs/two.jsonl', two)
    await box.cairn('import', '--from', 'logs')
    expect(await send('--since', '2026-02-03')).toMatchObject({ requests: 1, sessions: 1 })
    expect(await send('--session', 'two', '--dry-run')).toMatchObject({ requests: 1, costUsd: expect.any(Number) })
    expect(await send()).toMatchObject({ requests: 1, sessions: 1 })
    expect(await usage()).toMatchObject(totalsOf(chats()))
    expect(pointSum('output')).toBe(150)
    const ids = new Set(chats().map(({ spanId }) => spanId))
    expect(await send('--all')).toMatchObject({ requests: 3 })
    expect([new Set(chats().map(({ spanId }) => spanId)), pointSum('output')]).toEqual([ids, 150])
    expect(await send('--project', 'nothing-like-it', '--all')).toMatchObject({ requests: 0 })
  }, 120_000)

  it('tells only what is new where the collector wants differences', async () => {
    box.remove()
    box = createSandbox({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=harbour',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
    })
    for (const [index, session] of ['one', 'two', 'three'].entries()) {
      box.file(`logs/${session}.jsonl`, claudeSession(session, `2026-01-1${index}`))
      await box.cairn('import', '--from', 'logs')
      await box.json('export', 'otel', '--header', 'x-key: 0123')
    }
    const metrics = collector.received.filter(({ path }) => path === '/base/v1/metrics')
    expect(metrics.map(({ points }) => points.map(({ sum, temporality }) => [sum, temporality]))).toEqual(
      Array.from({ length: 3 }, () => [
        [130, 1],
        [50, 1],
      ]),
    )
    expect(metrics[0]?.headers).toMatchObject({ 'x-team': 'harbour', 'x-key': '0123' })
    expect(collector.received.filter(({ path }) => path === '/base/v1/traces')).toHaveLength(3)
  }, 120_000)

  it('sends text only when it is asked to, without secrets', async () => {
    const text = `The key is ${SECRET} of the harbour.`
    box.file('logs/one.jsonl', claudeSession('one', '2026-01-30', text))
    await box.cairn('import', '--from', 'logs')
    await send('--content', '--names', '--protocol', 'http/json')
    const [sent] = chats()
    expect(sent?.attributes['gen_ai.output.messages']).toMatch(/The key is \[redacted:anthropic-key\] of the harbour/)
    expect(sent?.attributes).toMatchObject({ 'cairn.project': 'app', 'vcs.ref.head.name': 'main' })
    const [root] = collector.spans().filter(({ parentId }) => parentId === '')
    expect(root?.attributes['gen_ai.input.messages']).toMatch(/Why is the login test flaky/)
    expect(Buffer.concat(collector.received.map(({ body }) => body)).toString()).not.toContain('Zq7Zq7')
  }, 120_000)

  it('waits as long as the collector says, tells what it did not take, and goes on where it stopped', async () => {
    await box.cairn('import', '--from', SAMPLES)
    const start = performance.now()
    collector.answer = (index) => {
      if (index === 0) return { status: 429, headers: { 'retry-after': '1' } }
      return index === 1 ? { status: 200, rejectedSpans: { count: 7, why: 'Too old.' } } : { status: 400 }
    }
    const stopped = await box.cairn('export', 'otel', '--endpoint', collector.url)
    expect(performance.now() - start).toBeGreaterThan(1_000)
    expect(stopped.stderr).toMatch(
      /^The collector at http:\/\/127\.0\.0\.1:\d+ refused an export \(400\)\. \d+ requests were sent before; the next export sends the rest\.\n$/,
    )
    expect(stopped.code).toBe(1)
    const before = chats().length
    collector.answer = undefined
    const { requests } = await send()
    expect([before > 0, Number(requests) > 0, before + Number(requests)]).toEqual([true, true, 460])
    expect(await usage()).toMatchObject(totalsOf(chats()))
    expect(pointSum('output')).toBe((await usage())['outputTokens'])
    collector.answer = () => ({ status: 200, rejectedSpans: { count: 7, why: 'Too old.' } })
    const told = await box.cairn('export', 'otel', '--endpoint', collector.url, '--all', '--session', '0ccf1a04')
    expect([told.code, told.stderr]).toEqual([0, 'The collector did not take 7 spans: Too old.\n'])
  }, 120_000)

  it('says in one sentence why nothing can be sent', async () => {
    box.file('logs/one.jsonl', claudeSession('one'))
    await box.cairn('import', '--from', 'logs')
    collector.answer = () => ({ status: 401 })
    const sentence = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
      const { code, stderr } = await box.cairn('export', 'otel', ...args)
      return [code, stderr.replaceAll(/:\d{4,5}\b/g, ':PORT')]
    }
    expect(await sentence('--endpoint', collector.url)).toEqual([
      1,
      'The collector at http://127.0.0.1:PORT takes nothing from here (401); --header, or OTEL_EXPORTER_OTLP_HEADERS, sends the key that it wants.\n',
    ])
    collector.answer = () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(await sentence('--endpoint', collector.url)).toEqual([
      1,
      'http://127.0.0.1:PORT answers with a web page: it is no collector. Most take OTLP/HTTP at port 4318.\n',
    ])
    // What a web page "took" is not counted as sent.
    collector.answer = undefined
    expect(await send('--dry-run')).toMatchObject({ requests: 1 })
    const { url } = collector
    await collector.close()
    expect(await sentence('--endpoint', url)).toEqual([
      1,
      "The collector at http://127.0.0.1:PORT can't be reached (ECONNREFUSED).\n",
    ])
    expect((await sentence())[0]).toBe(2)
    expect((await sentence('--endpoint', url, '--protocol', 'grpc'))[0]).toBe(2)
    expect((await sentence('--endpoint', url, '--header', SECRET))[1]).not.toContain('Zq7')
  }, 120_000)

  it('adds nothing to a store whose receiver is sent what is already in it', async () => {
    box.file('logs/one.jsonl', claudeSession('one'))
    await box.cairn('import', '--from', 'logs')
    const other = ['--store', 'file:other.db']
    await box.cairn('import', '--from', 'logs', ...other)
    const counted = await usage(...other)
    const receiver = await startServerProcess(box, ['otel', ...other])
    try {
      const endpoint = `${receiver.url}/token/${String(receiver.lines[0]?.['token'])}`
      expect(await box.json('export', 'otel', '--endpoint', endpoint)).toMatchObject({ requests: 1, spans: 2 })
      const json = ['--endpoint', endpoint, '--protocol', 'http/json', '--all']
      expect(await box.json('export', 'otel', ...json)).toMatchObject({ requests: 1, rejected: { spans: 0 } })
    } finally {
      expect(await receiver.stop()).toBe(0)
    }
    expect(await usage(...other)).toEqual(counted)
    expect(counted).toEqual(await usage())
  }, 120_000)
})
