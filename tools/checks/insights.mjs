// Leaks of 35 real sessions of Claude Code against figures that were found by hand, by other means.
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder, scratchFolder } from '../bench/paths.mjs'

const SESSIONS = 35
/** USD, of the sessions together. */
const TOTAL = 360.87
/** USD as they were printed, and per cent of the total. */
const EXPECTED = {
  pause: [36.5, 10.1],
  'cache-break': [30.7, 8.5],
  'unused-results': [17.8, 4.9],
  're-read': [8, undefined],
  'rejected-calls': [undefined, 0.7],
  prefix: [95, 26.4],
  'long-context': [30, 8.3],
  compaction: [20, 5.6],
  subagents: [24, 6.6],
  'oversized-results': [5, 1.4],
  interrupted: [undefined, 0.4],
  'missing-output': [27, 7.6],
}

/**
 * Proves the leaks of real sessions, to 1 % or the printed digit.
 * @type {import('./index.mjs').Check}
 */
export async function insights() {
  const data = dataFolder()
  const folders = data === undefined ? [] : [join(data, 'transcripts', 'claude'), join(data, 'trajectories')]
  if (folders.length === 0 || !folders.every((folder) => existsSync(folder)))
    return 'skipped: the real transcripts are not beside the repository'
  const scratch = scratchFolder('insights')
  const store = `file:${join(scratch, 'sessions.db')}`
  const from = folders.flatMap((folder) => ['--from', folder])
  const imported = (await cairnJson(['import', '--agent', 'claude-code', ...from, '--store', store])).json
  assert.equal(imported.sessions, SESSIONS, 'sessions')
  const first = (await cairnJson(['insights', '--store', store])).json
  assertNear(first.total.costUsd, TOTAL, 'the total')
  for (const [kind, [costUsd, percent]] of Object.entries(EXPECTED)) {
    const leak = first.leaks.find((one) => one.kind === kind)
    if (costUsd !== undefined) assertNear(leak.costUsd, costUsd, `${kind}, USD`)
    if (percent !== undefined) assertNear(leak.share * 100, percent, `${kind}, per cent`)
  }
  const sum = first.leaks.filter(({ view }) => !view).reduce((total, { costUsd }) => total + costUsd, 0)
  assertNear(sum, first.leakedUsd, 'the sum')
  assert(sum < first.total.costUsd, 'the leaks that add up stay below the total')
  const again = (await cairnJson(['insights', '--store', store])).json
  assert.deepEqual(again, first, 'what was kept is what was found')
  rmSync(scratch, { recursive: true, force: true })
  return `${Object.keys(EXPECTED).length} leaks of ${SESSIONS} sessions are as found by hand; $${sum.toFixed(2)} of $${first.total.costUsd.toFixed(2)} leak`
}

/** Within 1 %, or equal in the digits that were printed. */
function assertNear(value, expected, what) {
  const digits = (String(expected).split('.')[1] ?? '').length
  const isNear = Math.abs(value - expected) <= 0.01 * expected || Number(value.toFixed(digits)) === expected
  assert(isNear, `${what}: ${value} instead of ${expected}`)
}
