// Usage of real transcripts against counts made by hand: Claude Code's sessions, Codex's and Roo's rules.
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder, scratchFolder } from '../bench/paths.mjs'
import { filesBelow } from '../bench/transcripts.mjs'

const GROUPINGS = ['day', 'week', 'month', 'session', 'model', 'mode', 'workspace', 'branch', 'agent']
const COUNTS = [
  'requests',
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'cacheWrite30mTokens',
  'cacheWrite12hTokens',
  'outputTokens',
]

/**
 * Proves usage against counts made by hand.
 * @type {import('./index.mjs').Check}
 */
export async function reference() {
  const data = dataFolder()
  if (data === undefined) return 'skipped: the real transcripts are not beside the repository'
  const transcripts = join(data, 'transcripts')
  const folder = scratchFolder('reference')
  const results = []
  for (const [agent, from, check] of [
    ['claude-code', join(transcripts, 'claude'), checkClaude],
    ['codex', join(transcripts, 'codex'), checkCodex],
    ['roo', join(transcripts, 'roo'), checkRoo],
  ]) {
    const store = `file:${join(folder, `${agent}.db`)}`
    await cairnJson(['import', '--agent', agent, '--from', from, '--store', store])
    results.push(check(await bySession(store), transcripts))
    await totalsAgree(store)
  }
  const all = `file:${join(folder, 'all.db')}`
  for (const agent of ['claude', 'codex', 'roo'])
    await cairnJson(['import', '--from', join(transcripts, agent), '--store', all])
  await totalsAgree(all)
  rmSync(folder, { recursive: true, force: true })
  return `${results.join('; ')}; all totals of ${GROUPINGS.length} groupings are equal`
}

const bySession = async (store) => (await cairnJson(['usage', '--by', 'session', '--store', store])).json

/** To the last digit, and each is the sum of its rows. */
async function totalsAgree(store) {
  const first = (await cairnJson(['usage', '--by', 'day', '--store', store])).json.total
  for (const by of GROUPINGS) {
    for (const timezone of ['UTC', 'America/Los_Angeles']) {
      const { rows, total } = (await cairnJson(['usage', '--by', by, '--timezone', timezone, '--store', store])).json
      assert.deepEqual(total, first, `the total by ${by}`)
      for (const count of COUNTS)
        assert.equal(
          rows.reduce((sum, row) => sum + row[count], 0),
          total[count],
          `the rows' ${count} by ${by}`,
        )
    }
  }
}

/** The one row of a session; throws for none or several. */
function rowOf({ rows }, session) {
  const found = rows.filter(({ key }) => key.includes(session))
  assert.equal(found.length, 1, `rows of the session ${session}`)
  return found[0]
}

/** Compares sessions of Claude Code with counts made by hand. */
function checkClaude(report, transcripts) {
  const expected = JSON.parse(readFileSync(join(transcripts, 'reference-totals.json'), 'utf8'))
  for (const wanted of expected) {
    const row = rowOf(report, wanted.session)
    for (const count of COUNTS) assert.equal(row[count], wanted[count], `${wanted.session}: ${count}`)
    assert.equal(Number(row.costUsd).toFixed(4), wanted.costUsd.toFixed(4), `${wanted.session}: cost`)
    assert.equal(row.unpricedRequests, wanted.unpriced, `${wanted.session}: unpriced`)
  }
  assert.equal(report.rows.length, expected.length, 'sessions')
  return `Claude Code: ${expected.length} sessions, $${report.total.costUsd}`
}

/** Sums of `last_token_usage`, without rows that repeat the running total; input holds what was read from the cache and written to it. */
function checkCodex(report, transcripts) {
  const files = filesBelow(join(transcripts, 'codex')).filter((file) => file.endsWith('.jsonl'))
  for (const file of files) {
    const sums = { requests: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 }
    let before
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const info = line.includes('"token_count"') ? JSON.parse(line).payload?.info : undefined
      if (!info?.last_token_usage || JSON.stringify(info.total_token_usage) === before) continue
      before = JSON.stringify(info.total_token_usage)
      const last = info.last_token_usage
      sums.requests += 1
      sums.inputTokens += last.input_tokens - last.cached_input_tokens - (last.cache_write_input_tokens ?? 0)
      sums.cacheReadTokens += last.cached_input_tokens
      sums.outputTokens += last.output_tokens
    }
    const row = rowOf(report, /([0-9a-f-]{36})\.jsonl$/.exec(basename(file))[1])
    for (const [count, sum] of Object.entries(sums)) assert.equal(row[count], sum, `${basename(file)}: ${count}`)
  }
  return `Codex: ${files.length} sessions`
}

/** The costs that the transcript records. */
function checkRoo(report, transcripts) {
  const files = filesBelow(join(transcripts, 'roo')).filter((file) => basename(file) === 'ui_messages.json')
  for (const file of files) {
    const requests = JSON.parse(readFileSync(file, 'utf8'))
      .filter(({ say }) => say === 'api_req_started')
      .map(({ text }) => JSON.parse(text))
    const cost = requests.reduce((sum, request) => sum + (request.cost ?? 0), 0)
    const row = rowOf(report, basename(join(file, '..')))
    assert.equal(Number(row.costUsd).toFixed(4), cost.toFixed(4), `${file}: cost`)
  }
  return `Roo: ${files.length} session`
}
