// Notes: a few keys that are set again and again, some deleted; each has its last acknowledged text.
const WORKSPACE = '/work/notes'
const KEYS = 5
/** One write in so many deletes. */
const DELETE_EVERY = 7

/** A key of few, in letters beyond ASCII. */
const keyOf = (process, count) => `${process}/ключ ${count % KEYS}`
const isDeletion = (count) => count % DELETE_EVERY === DELETE_EVERY - 1 && count > KEYS
const textOf = (process, count) => `note ${count} of ${process}\n${`${count} `.repeat(count % 300)}.`
/** What stands under a key after a process's nth write; null: no note. */
const stands = (process, count) => (isDeletion(count) ? null : textOf(process, count))

/** Writes and deletes notes in turn; acknowledges each. @type {import('./index.mjs').Writer['write']} */
async function write({ engine, process, acknowledge, isOver }) {
  for (let count = 0; !isOver(); count += 1) {
    if (isDeletion(count)) await engine.notes.delete(WORKSPACE, keyOf(process, count))
    else await engine.notes.set(WORKSPACE, keyOf(process, count), textOf(process, count))
    await acknowledge(count)
  }
}

/**
 * Returns a sentence for each note that is neither as it was acknowledged last nor as the next write would leave it.
 * @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged }) {
  const faults = []
  const found = new Map((await engine.store.notes.list(WORKSPACE)).map(({ key, text }) => [key, text]))
  for (const [process, counts] of acknowledged) {
    const last = counts.at(-1) ?? -1
    for (let slot = 0; slot < KEYS; slot += 1) {
      const key = keyOf(process, slot)
      const newest = counts.findLast((count) => count % KEYS === slot)
      const allowed = [newest === undefined ? null : stands(process, newest)]
      if ((last + 1) % KEYS === slot) allowed.push(stands(process, last + 1))
      if (!allowed.includes(found.get(key) ?? null))
        faults.push(`write ${newest} of the note ${key} was acknowledged, and there is "${found.get(key)}"`)
    }
  }
  return faults
}

export const notes = { write, check }
