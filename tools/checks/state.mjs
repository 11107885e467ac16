// What must be equal in two stores with the same content, as the command shows it.
import assert from 'node:assert/strict'
import { cairnJson } from '../bench/cairn.mjs'

/**
 * Totals, sessions, counts and source bytes of a store. Not the size at rest: it depends on how batches fell.
 * @param {string} store its address
 */
export async function stateOf(store) {
  const at = ['--store', store]
  const usage = {}
  for (const by of ['session', 'day', 'model'])
    usage[by] = (await cairnJson(['usage', '--by', by, '--timezone', 'UTC', ...at])).json
  const { sessions, total } = (await cairnJson(['session', 'list', '--limit', '100000', ...at])).json
  const { store: counts, skipped } = (await cairnJson(['doctor', ...at])).json
  return {
    usage,
    sessions: {
      total,
      list: sessions
        .map(({ id, messages, entries, requests, costUsd, title, redactions }) => ({
          id,
          messages,
          entries,
          requests,
          costUsd,
          title,
          redactions,
        }))
        .sort((left, right) => (left.id < right.id ? -1 : 1)),
    },
    counts: {
      sessions: counts.sessions,
      entries: counts.entries,
      requests: counts.requests,
      importedFiles: counts.importedFiles,
      sourceBytes: counts.sourceBytes,
    },
    skipped,
  }
}

/** Fails with the first difference. `what` begins its sentence. */
export function assertSameState(actual, expected, what) {
  assert.deepEqual(actual.counts, expected.counts, `${what}: other counts`)
  for (const by of Object.keys(expected.usage)) {
    assert.deepEqual(actual.usage[by].total, expected.usage[by].total, `${what}: another total by ${by}`)
    assert.deepEqual(actual.usage[by].rows, expected.usage[by].rows, `${what}: other rows by ${by}`)
  }
  assert.deepEqual(actual.sessions, expected.sessions, `${what}: other sessions`)
  assert.deepEqual(actual.skipped, expected.skipped, `${what}: other lines were left out`)
}

/** The store's own checks find nothing. Rejects with the faults that they do find. */
export async function assertSound(store, what) {
  const { faults } = (await cairnJson(['doctor', '--store', store])).json
  assert.deepEqual(faults, [], `${what}: the doctor found faults`)
}
