import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { codexImporter } from '../../importers/codex.ts'
import type { JsonObject } from '../../json.ts'
import type { TokenUsage } from '../../ports/price-book.ts'
import { createHasher } from '../hasher.ts'
import { createCodexCalls } from './codex-calls.ts'

const SESSION = '01990b1c-2d3e-7111-8222-333344445555'
const hasher = createHasher()
let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-codex-'))
  path = join(folder, `rollout-2026-01-01T00-00-00-${SESSION}.jsonl`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = (type: string, payload: JsonObject): string =>
  `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`
const counters = (input: number, cached: number, output: number): JsonObject => ({
  input_tokens: input,
  cached_input_tokens: cached,
  cache_write_input_tokens: 0,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
})
const record = (id: string, usage: JsonObject, sum: JsonObject): string =>
  line('token_usage_record', { response_id: id, usage, thread_token_usage: sum, thread_id: SESSION })
const tokens = (inputTokens: number, cacheReadTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  cacheReadTokens,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens,
})
const META = line('session_meta', { id: SESSION, cwd: '/code/app', timestamp: '2026-01-01T00:00:00.000Z' })

/** The ids that an import gives the requests of a rollout. */
const importedIds = (text: string): readonly string[] => {
  const parser = codexImporter.parser({ path, hasher })
  return text
    .split('\n')
    .filter((one) => one !== '')
    .flatMap((one, index) =>
      parser
        .parse(JSON.parse(one) as JsonObject, { number: index + 1, identity: () => `h:${index}` })
        .entries.flatMap(({ request }) => request?.callId ?? []),
    )
}

describe("ids of Codex's requests", () => {
  it('are those that an import gives, by the ids of replies, in any order, each once', async () => {
    const text =
      META +
      record('resp_a', counters(9, 2, 3), counters(9, 2, 3)) +
      record('resp_b', counters(20, 9, 7), counters(29, 11, 10))
    writeFileSync(path, text)
    const calls = createCodexCalls(hasher, AbortSignal.abort())
    const [first, second] = importedIds(text)
    expect(first).not.toBe(second)
    expect(await calls.idOf(path, 'resp_b', tokens(11, 9, 7))).toBe(second)
    expect(await calls.idOf(path, 'resp_a', tokens(7, 2, 3))).toBe(first)
    expect(await calls.idOf(path, 'resp_a', tokens(7, 2, 3))).toBeUndefined()
  })

  it('are found by the counters where Codex writes no ids, and as soon as the whole line is there', async () => {
    const usage = counters(9, 2, 3)
    const event = line('event_msg', {
      type: 'token_count',
      info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 200_000 },
    })
    writeFileSync(path, META + event.slice(0, 80))
    const calls = createCodexCalls(hasher, new AbortController().signal)
    const asked = calls.idOf(path, 'resp_a', tokens(7, 2, 3))
    appendFileSync(path, event.slice(80))
    expect(await asked).toBe(importedIds(META + event)[0])
  })

  it('are none for a request that the rollout does not have, nor without a rollout', async () => {
    writeFileSync(path, META + record('resp_a', counters(9, 2, 3), counters(9, 2, 3)))
    const calls = createCodexCalls(hasher, AbortSignal.abort())
    expect(await calls.idOf(path, 'resp_x', tokens(7, 2, 3))).toBeUndefined()
    expect(await calls.idOf(join(folder, 'none.jsonl'), 'resp_a', tokens(7, 2, 3))).toBeUndefined()
  })
})
