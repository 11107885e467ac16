/** `cairn otel` as a process: agents' telemetry in, requests in the store. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { startServerProcess, type RunningGateway } from '../testing/run-gateway.ts'

const SESSION = '8d1f4c07-52ab-4e3c-b6f0-9e7a2d5c1b48'
const AT = '2026-06-09T08:15:00.000Z'

const requestEvent = (requestId: string, output: number): object => ({
  timeUnixNano: `${Date.parse(AT)}000000`,
  body: { stringValue: 'claude_code.api_request' },
  attributes: Object.entries({
    'session.id': SESSION,
    'event.timestamp': AT,
    model: 'claude-sonnet-4-5',
    input_tokens: '12',
    output_tokens: String(output),
    cache_read_tokens: '900',
    cache_creation_tokens: '0',
    request_id: requestId,
  }).map(([key, value]) => ({ key, value: { stringValue: value } })),
})

const transcriptLine = (requestId: string, output: number): string =>
  `${JSON.stringify({
    sessionId: SESSION,
    cwd: '/code/harbour',
    timestamp: AT,
    type: 'assistant',
    uuid: `uuid-${requestId}`,
    requestId,
    message: {
      id: `msg_${requestId}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'The tide turns at nine.' }],
      usage: { input_tokens: 12, output_tokens: output, cache_read_input_tokens: 900, cache_creation_input_tokens: 0 },
    },
  })}\n`

describe('cairn otel', () => {
  let box: Sandbox
  const running: RunningGateway[] = []
  beforeEach(() => {
    box = createSandbox()
  })
  afterEach(async () => {
    for (const receiver of running.splice(0)) await receiver.stop()
    box.remove()
  })

  const start = async (...args: readonly string[]): Promise<RunningGateway> => {
    const receiver = await startServerProcess(box, ['otel', ...args])
    running.push(receiver)
    return receiver
  }
  const send = (receiver: RunningGateway, ...events: readonly object[]): Promise<Response> =>
    fetch(`${receiver.url}/token/${String(receiver.lines[0]?.['token'])}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: events }] }] }),
    })
  const total = async (): Promise<unknown> => ((await box.json('usage')) as { total: unknown }).total

  it('records what an agent tells of its requests, and an import adds nothing to them', async () => {
    box.file(
      `home/.claude/projects/-code-harbour/${SESSION}.jsonl`,
      transcriptLine('req_a', 40) + transcriptLine('req_b', 2),
    )
    const receiver = await start()
    expect((await send(receiver, requestEvent('req_a', 40), requestEvent('req_b', 310))).status).toBe(200)
    expect(await receiver.until('request', 2)).toMatchObject([
      { kept: 'recorded', sessionId: `claude-code:${SESSION}`, inputTokens: 912, outputTokens: 40 },
      { kept: 'recorded', outputTokens: 310 },
    ])
    expect((await send(receiver, requestEvent('req_a', 40))).status).toBe(200)
    expect((await receiver.until('request', 3)).at(-1)).toMatchObject({ kept: 'again' })
    expect(await receiver.stop()).toBe(0)
    expect(receiver.lines.at(-1)).toMatchObject({ event: 'end', requests: 2 })
    const before = await total()
    expect(before).toMatchObject({ requests: 2, inputTokens: 24, cacheReadTokens: 1_800, outputTokens: 350 })
    await box.json('import')
    // The transcript shows more of a reply than its recorded output accounts for, and no more requests.
    expect(await total()).toMatchObject({ requests: 2, inputTokens: 24, cacheReadTokens: 1_800, outputTokens: 350 })
    expect(await box.json('usage', '--by', 'workspace')).toMatchObject({
      rows: [{ key: '/code/harbour', requests: 2 }],
    })
  })

  it('answers only who has its token, and says what to set', async () => {
    const receiver = await start()
    const answer = await fetch(`${receiver.url}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    expect(await receiver.until('trouble', 1)).toMatchObject([
      { message: expect.stringMatching(/^Telemetry from 127\.0\.0\.1 was refused: Cairn's receiver wants its token/) },
    ])
    expect(receiver.errors()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/')
    expect(receiver.errors()).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}/token/`)
    expect((await box.json('session', 'list')) as object).toMatchObject({ sessions: [] })
  })

  it('says what its token allows where others can listen', async () => {
    const receiver = await start('--host', '0.0.0.0')
    expect(await receiver.stop()).toBe(0)
    expect(receiver.errors().replace(/\s+/g, ' ')).toContain('who has the token can record requests that nobody made.')
  })

  it('refuses to run without a trace, as it would keep nothing', async () => {
    const { code, stderr } = await box.cairn('otel', '--incognito')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--incognito')])
  })
})
