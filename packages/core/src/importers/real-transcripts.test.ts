/**
 * Golden runs over real transcripts, compared with totals that were counted independently. They are
 * too large for the repository: CAIRN_TEST_DATA names the folder that holds `transcripts` and
 * `trajectories`; without it these tests are skipped.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { arrayOf, countOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { nanoFromUsd } from '../money.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

const data = process.env.CAIRN_TEST_DATA ?? ''
const suite = existsSync(join(data, 'transcripts')) ? describe : describe.skip
const json = (path: string): JsonValue => JSON.parse(readFileSync(join(data, path), 'utf8')) as JsonValue

suite('real transcripts (CAIRN_TEST_DATA)', () => {
  let bench: Workbench
  beforeEach(() => {
    bench = createWorkbench()
  })
  afterEach(() => bench.end())

  it('Claude Code: every class of tokens of every session is exact', async () => {
    await bench.import({ from: [join(data, 'transcripts/claude')] })
    const { rows } = await bench.store.usage.report({ by: 'session' })
    const expected = arrayOf(json('transcripts/reference-totals.json')).map(objectOf)
    expect(expected.length).toBeGreaterThan(0)
    for (const {
      session,
      requests,
      inputTokens,
      cacheReadTokens,
      cacheWrite5mTokens,
      cacheWrite1hTokens,
      outputTokens,
    } of expected) {
      expect(rows.find(({ key }) => key.includes(stringOf(session) ?? '?'))).toMatchObject({
        requests,
        inputTokens,
        cacheReadTokens,
        cacheWrite5mTokens,
        cacheWrite1hTokens,
        outputTokens,
      })
    }
  })

  it('Codex: agrees with a simple sum of its token rows', async () => {
    const root = join(data, 'transcripts/codex')
    await bench.import({ from: [root] })
    const { rows } = await bench.store.usage.report({ by: 'session' })
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const total = objectOf(tokenRows(readFileSync(join(root, file), 'utf8')).at(-1)?.total_token_usage)
      const row = rows.find(({ key }) => file.includes(key.replace(/^codex:/, '')))
      const { inputTokens = 0, cacheReadTokens = 0, cacheWrite30mTokens = 0, outputTokens = 0 } = row ?? {}
      expect([
        inputTokens + cacheReadTokens + cacheWrite30mTokens,
        cacheReadTokens,
        cacheWrite30mTokens,
        outputTokens,
      ]).toEqual([
        countOf(total.input_tokens),
        countOf(total.cached_input_tokens),
        countOf(total.cache_write_input_tokens),
        countOf(total.output_tokens),
      ])
    }
  })

  it('OpenCode: requests, tokens and messages of its exports are those that were counted', async () => {
    const from = join(data, 'transcripts/opencode/export-1.2')
    const report = await bench.import({ from: [from] })
    expect(report).toMatchObject({ sessions: 3 })
    const expected = objectOf(objectOf(objectOf(json('transcripts/beside-totals.json')).totals)['opencode-export-1.2'])
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({
      requests: expected.requests,
      inputTokens: expected.uncached,
      cacheReadTokens: expected.cache_read,
      cacheWrite5mTokens: expected.cache_write,
      outputTokens: expected.output,
      reasoningTokens: expected.reasoning_within_output,
    })
    // What was recorded is told: as what counts, or as what charges reasoning twice.
    const wrong = report.skipped.map(({ reason }) => /^recorded costs \(\$([\d.]+) in all\)/.exec(reason)?.[1])
    expect(wrong).toHaveLength(3)
    const recorded = wrong.reduce((sum, amount) => sum + Number(amount), Number(total.recordedCostNano) / 1e9)
    expect(recorded).toBeCloseTo(countOf(expected.cost_recorded_x1e6) / 1e6, 1)
    let messages = 0
    for (const { id } of (await bench.store.sessions.list({})).sessions)
      for (const entry of await bench.store.sessions.read(id, { kinds: ['message'] }))
        if (entry.kind === 'message' && !entry.id.includes('.')) messages++
    expect(messages).toBe(expected.messages)
    expect(await bench.import({ from: [from] })).toMatchObject({ files: 0, messages: 0, requests: 0 })
  })

  it('OpenCode: both of its storages agree with what their replies say', async () => {
    for (const form of ['storage-1.1.65', 'sqlite-1.18.34'])
      await bench.import({ from: [join(data, 'transcripts/opencode', form)] })
    const { rows } = await bench.store.usage.report({ by: 'session' })
    expect(
      rows
        .map(({ requests, inputTokens, cacheReadTokens, outputTokens }) => [
          requests,
          inputTokens,
          cacheReadTokens,
          outputTokens,
        ])
        .sort((left, right) => (left[3] ?? 0) - (right[3] ?? 0)),
    ).toEqual([
      [2, 2000, 10005, 105],
      [2, 2000, 10019, 119],
      [2, 2000, 10025, 125],
    ])
  })

  it('Gemini CLI: agrees with a sum of the last tokens of each reply, in both forms', async () => {
    const root = join(data, 'transcripts/gemini')
    await bench.import({ from: [join(root, 'tmp')] })
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /session-.*\.jsonl?$/.test(name),
    )
    expect(files.length).toBeGreaterThan(1)
    const replies = new Map(files.flatMap((file) => geminiReplies(readFileSync(join(root, file), 'utf8'))))
    const tokens = [...replies.values()].map(({ tokens }) => objectOf(tokens)).filter(({ total }) => countOf(total) > 0)
    const sum = (...names: readonly string[]): number =>
      tokens.reduce((all, each) => all + names.reduce((one, name) => one + countOf(each[name]), 0), 0)
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({
      requests: tokens.length,
      inputTokens: sum('input') - sum('cached'),
      cacheReadTokens: sum('cached'),
      outputTokens: sum('output', 'thoughts'),
      reasoningTokens: sum('thoughts'),
    })
    expect(await bench.import({ from: [join(root, 'tmp')] })).toMatchObject({ files: 0, messages: 0, requests: 0 })
  })

  it('Copilot CLI: every session has the sums of its last shutdown, or the output of its messages', async () => {
    const root = join(data, 'transcripts/copilot/session-state')
    await bench.import({ from: [root] })
    const { rows } = await bench.store.usage.report({ by: 'session' })
    const sessions = readdirSync(root)
    expect(sessions.length).toBeGreaterThan(0)
    for (const session of sessions) {
      const events = readFileSync(join(root, session, 'events.jsonl'), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [objectOf(JSON.parse(line))]))
      expect(rows.find(({ key }) => key === `copilot:${session}`)).toMatchObject(copilotTotals(events))
    }
    const messages = rows.map(({ key }) => bench.store.sessions.get(key))
    for (const session of await Promise.all(messages)) expect(session?.workspace).toBeTruthy()
    expect((await bench.import({ from: [root] })).requests).toBe(0)
  })

  it('Continue: agrees with what its rows say', async () => {
    const root = join(data, 'transcripts/continue')
    const report = await bench.import({ from: [root] })
    const [file] = readdirSync(join(root, 'sessions')).filter((name) => name !== 'sessions.json')
    const history = arrayOf(objectOf(json(`transcripts/continue/sessions/${file ?? ''}`)).history)
    const usages = history
      .map((item) => objectOf(objectOf(objectOf(item).message).usage))
      .filter(({ model }) => model !== undefined)
    const [usage = {}] = usages
    expect(report).toMatchObject({ sessions: 1, messages: history.length, requests: usages.length })
    const { total } = await bench.store.usage.report({ by: 'session' })
    const read = countOf(objectOf(usage.prompt_tokens_details).cached_tokens)
    expect(total).toMatchObject({
      inputTokens: countOf(usage.prompt_tokens) - read,
      cacheReadTokens: read,
      outputTokens: countOf(usage.completion_tokens),
    })
  })

  it('Aider: requests, tokens and costs are those that were counted', async () => {
    await bench.import({
      from: [join(data, 'transcripts/aider/afi-core')],
      clock: { now: () => Date.now() + 3_600_000 },
    })
    const { totals } = objectOf(json('transcripts/beside-totals.json'))
    const expected = objectOf(objectOf(totals)['aider-history'])
    const { rows, total } = await bench.store.usage.report({ by: 'session' })
    expect([rows.length, total.requests]).toEqual([expected.sessions, expected.requests])
    expect(total).toMatchObject({
      inputTokens: expected.uncached,
      cacheReadTokens: expected.cache_read,
      cacheWrite5mTokens: expected.cache_write,
      outputTokens: expected.output,
      recordedCostNano: BigInt(countOf(expected.cost_recorded_x1e6)) * 1_000n,
    })
  })

  it('Roo: the costs are those that were recorded', async () => {
    await bench.import({ from: [join(data, 'transcripts/roo')] })
    const { total } = await bench.store.usage.report({ by: 'session' })
    const [task] = readdirSync(join(data, 'transcripts/roo/tasks'))
    const recorded = arrayOf(json(`transcripts/roo/tasks/${task ?? ''}/ui_messages.json`))
      .map(objectOf)
      .filter(({ say }) => say === 'api_req_started')
      .map(({ text }) => objectOf(JSON.parse(stringOf(text) ?? '{}')).cost)
    expect(total).toMatchObject({ requests: recorded.length, unpricedRequests: 0 })
    expect(total.costNano).toBe(
      recorded.reduce((sum, cost) => sum + nanoFromUsd(typeof cost === 'number' ? cost : 0), 0n),
    )
  })
})

const tokenRows = (text: string): readonly JsonObject[] =>
  text.split('\n').flatMap((line) => {
    if (!line.includes('"token_count"')) return []
    const payload = objectOf(objectOf(JSON.parse(line)).payload)
    return payload.type === 'token_count' && payload.info !== null && payload.info !== undefined
      ? [objectOf(payload.info)]
      : []
  })

/** The replies of a chat by their ids; of a reply that is written again the last. */
const geminiReplies = (text: string): readonly (readonly [string, JsonObject])[] => {
  const rows = text.startsWith('{\n')
    ? arrayOf(objectOf(JSON.parse(text)).messages)
    : text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JsonValue]))
  return rows.flatMap((row) => {
    const { id, type, ...more } = objectOf(row)
    return typeof id === 'string' && type === 'gemini' ? [[id, more] as const] : []
  })
}

/** What a Copilot CLI session used, counted from its events in the simplest way. */
const copilotTotals = (events: readonly JsonObject[]): Readonly<Record<string, number>> => {
  const sum = (values: readonly JsonObject[], field: string): number =>
    values.reduce((total, value) => total + countOf(value[field]), 0)
  const metrics = Object.values(
    objectOf(objectOf(events.findLast(({ type }) => type === 'session.shutdown')?.data).modelMetrics),
  ).map(objectOf)
  const replies = events.flatMap(({ type, data: event }) => (type === 'assistant.message' ? [objectOf(event)] : []))
  if (metrics.length === 0)
    return {
      requests: new Set(replies.map(({ apiCallId }) => apiCallId)).size,
      inputTokens: 0,
      outputTokens: sum(replies, 'outputTokens'),
      unpricedRequests: replies.length,
    }
  const usage = metrics.map((metric) => objectOf(metric.usage))
  const cached = sum(usage, 'cacheReadTokens')
  return {
    requests: sum(
      metrics.map((metric) => objectOf(metric.requests)),
      'count',
    ),
    inputTokens: sum(usage, 'inputTokens') - cached - sum(usage, 'cacheWriteTokens'),
    cacheReadTokens: cached,
    outputTokens: sum(usage, 'outputTokens'),
  }
}
