// Values of a workspace's state, several set together: all of them, or none.
const scope = { tier: 'workspace', workspace: '/work/state' }
const KEYS = ['first', 'second', 'third']

const keyOf = (process, name) => `${process}.${name}`
const valueOf = (process, count, name) => ({
  count,
  name,
  text: `${process} ${'x'.repeat(count % 500)}`,
  list: [count, null],
})

/** Sets all keys together, again and again; acknowledges each set. @type {import('./index.mjs').Writer['write']} */
async function write({ engine, process, acknowledge, isOver }) {
  for (let count = 0; !isOver(); count += 1) {
    const values = KEYS.map((name) => [keyOf(process, name), valueOf(process, count, name)])
    await engine.store.state.set(scope, new Map(values))
    await acknowledge(count)
  }
}

/**
 * Returns a sentence for each process whose keys are neither as it acknowledged last nor one set further. @type
 * {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged }) {
  const faults = []
  const found = await engine.store.state.all(scope)
  for (const [process, counts] of acknowledged) {
    const last = counts.at(-1) ?? -1
    const isAt = (count) =>
      KEYS.every((name) => {
        const expected = count < 0 ? undefined : JSON.stringify(valueOf(process, count, name))
        const value = found.get(keyOf(process, name))
        return (value === undefined ? undefined : sorted(value)) === (expected && sorted(JSON.parse(expected)))
      })
    if (!isAt(last) && !isAt(last + 1))
      faults.push(
        `set ${last} of ${process} was acknowledged, and there are ${KEYS.map((name) => found.get(keyOf(process, name))?.count)}`,
      )
  }
  return faults
}

/** The same text for the same value: a database may keep keys in an order of its own. */
const sorted = (value) => JSON.stringify(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))

export const state = { write, check }
