// Two simultaneous imports of one folder give the content of one, and neither fails.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cairnJson } from '../bench/cairn.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { transcripts } from '../bench/transcripts.mjs'
import { assertSameState, assertSound, stateOf } from './state.mjs'

/**
 * Proves that two imports at once give the store of one.
 * @type {import('./index.mjs').Check}
 */
export async function twoAtOnce({ quick, log }) {
  const input = transcripts(quick ? 10 : 60, { log })
  if (input === undefined) return 'skipped: there are neither real transcripts nor samples'
  const folder = scratchFolder('two')
  const importInto = (store) =>
    cairnJson(['import', '--agent', 'claude-code', '--from', input.folder, '--store', store])
  const alone = `file:${join(folder, 'alone.db')}`
  const one = await importInto(alone)
  const expected = await stateOf(alone)

  const shared = `file:${join(folder, 'shared.db')}`
  const both = await Promise.all([importInto(shared), importInto(shared)])
  assertSameState(await stateOf(shared), expected, 'two at once')
  await assertSound(shared, 'two at once')
  for (const count of ['sessions', 'messages', 'requests']) {
    assert.equal(both[0].json[count] + both[1].json[count], one.json[count], `what both say to have taken in: ${count}`)
  }
  rmSync(folder, { recursive: true, force: true })
  return `${both.map(({ json }) => json.messages).join(' + ')} messages in ${both.map(({ wallMs }) => (wallMs / 1000).toFixed(1)).join(' and ')} s (alone ${one.json.messages} in ${(one.wallMs / 1000).toFixed(1)} s)`
}
