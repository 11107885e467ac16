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
      const { inputTokens = 0, cacheReadTokens = 0, cacheWrite5mTokens = 0, outputTokens = 0 } = row ?? {}
      expect([
        inputTokens + cacheReadTokens + cacheWrite5mTokens,
        cacheReadTokens,
        cacheWrite5mTokens,
        outputTokens,
      ]).toEqual([
        countOf(total.input_tokens),
        countOf(total.cached_input_tokens),
        countOf(total.cache_write_input_tokens),
        countOf(total.output_tokens),
      ])
    }
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
