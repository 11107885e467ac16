/** For tests: exports as Claude Code and Codex send them, and the transcripts that they leave. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const SESSION = '3f0c8a52-1d7e-4b69-9a40-6c2f5e8b7d13'
export const AT = Date.UTC(2026, 7, 14, 10, 30)

type Values = Readonly<Record<string, string | number>>

const attributesOf = (values: Values): readonly object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' && !Number.isInteger(value) ? { doubleValue: value } : anyOf(value),
  }))

/** Whole numbers are texts in OTLP's JSON. */
const anyOf = (value: string | number): object =>
  typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }

const recordOf = (body: string, values: Values): object => ({
  timeUnixNano: `${AT}000000`,
  body: { stringValue: body },
  attributes: attributesOf(values),
})

/** A request of Claude Code's that used 10 + 2,300 + 410 tokens of input. */
export const claudeRequest = (values: Values = {}): object =>
  recordOf('claude_code.api_request', {
    'event.name': 'api_request',
    'event.timestamp': new Date(AT).toISOString(),
    'event.sequence': 4,
    'session.id': SESSION,
    'user.id': 'a'.repeat(64),
    model: 'claude-sonnet-4-5',
    input_tokens: '10',
    output_tokens: '77',
    cache_read_tokens: '2300',
    cache_creation_tokens: '410',
    cost_usd: '0.0034125',
    duration_ms: '1834',
    request_id: 'req_011',
    ...values,
  })

/** The end of a reply of Codex's: of 9,100 tokens of input 8,000 were read from the cache. */
export const codexReply = (values: Values = {}): object =>
  recordOf('', {
    'event.name': 'codex.sse_event',
    'event.kind': 'response.completed',
    'event.timestamp': new Date(AT).toISOString(),
    'conversation.id': SESSION,
    model: 'gpt-5.4',
    input_token_count: 9_100,
    cached_token_count: 8_000,
    output_token_count: 640,
    reasoning_token_count: 512,
    ...values,
  })

/** An export of these records, as text. */
export const exportOf = (...logRecords: readonly object[]): string =>
  JSON.stringify({ resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ scope: {}, logRecords }] }] })

/** Writes Codex's rollout, begun today, with one reply as `codexReply` tells it. */
export const writeCodexRollout = (home: string, session = SESSION): void => {
  const now = new Date()
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  const folder = join(home, '.codex', 'sessions', ...day)
  mkdirSync(folder, { recursive: true })
  const usage = {
    input_tokens: 9_100,
    cached_input_tokens: 8_000,
    output_tokens: 640,
    reasoning_output_tokens: 512,
    total_tokens: 9_740,
  }
  const timestamp = now.toISOString()
  const lines = [
    { timestamp, type: 'session_meta', payload: { id: session, cwd: '/code/harbour', timestamp } },
    {
      timestamp,
      type: 'event_msg',
      payload: { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } },
    },
  ]
  writeFileSync(
    join(folder, `rollout-${day.join('-')}T08-00-00-${session}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}

/** Writes Claude Code's transcript with one request, whose output is only its beginning. */
export const writeClaudeTranscript = (home: string, ...requestIds: readonly string[]): string =>
  writeClaudeLines(join(home, '.claude', 'projects', '-code-harbour', `${SESSION}.jsonl`), ...requestIds)

/** The same in another file. */
export const writeClaudeLines = (path: string, ...requestIds: readonly string[]): string => {
  mkdirSync(dirname(path), { recursive: true })
  const lines = requestIds.map((requestId, index) => ({
    sessionId: SESSION,
    cwd: '/code/harbour',
    gitBranch: 'tides',
    timestamp: new Date(AT - 40 + index).toISOString(),
    isSidechain: false,
    type: 'assistant',
    uuid: `uuid-${index}`,
    requestId,
    message: {
      id: `msg_of_${requestId}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: `The lock opens at ${index}.` }],
      usage: {
        input_tokens: 10,
        output_tokens: 3,
        cache_read_input_tokens: 2300,
        cache_creation_input_tokens: 410,
        cache_creation: { ephemeral_5m_input_tokens: 110, ephemeral_1h_input_tokens: 300 },
      },
    },
  }))
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}
