// A session that goes forward and is taken back again and again: what is in force afterwards is what was acknowledged.
import { liveEntries } from '@cairn/core'

/** One entry in so many is a rewind. */
const REWIND_EVERY = 4

const sessionOf = (process) => ({
  id: `cairn:rewinds-${process}`,
  agent: 'cairn',
  externalId: `rewinds-${process}`,
  workspace: '/work/rewinds',
})
const isRewind = (count) => count % REWIND_EVERY === REWIND_EVERY - 1
/** The message two before the rewind: one message leaves each time. */
const rewoundTo = (count) => count - 2
const textOf = (process, count) => `step ${count} of ${process} ${'with some words '.repeat(count % 40)}`

/** Appends messages, and rewinds in between; acknowledges each. @type {import('./index.mjs').Writer['write']} */
async function write({ engine, process, acknowledge, isOver }) {
  const session = sessionOf(process)
  for (let count = 0; !isOver(); count += 1) {
    if (isRewind(count)) {
      const { expectedSeq } = await engine.sessions.rewind(session.id, { entry: rewoundTo(count) })
      await acknowledge({ seq: expectedSeq })
      continue
    }
    const content = [{ type: 'text', text: textOf(process, count) }]
    const entry = { kind: 'message', id: `${process}-${count}`, at: 1_000 + count, role: 'user', content }
    const result = await engine.sessions.append(session, count, [{ entry }])
    if (!result.ok) throw new Error(`somebody else wrote to the session of ${process}`)
    await acknowledge({ seq: count })
  }
}

/**
 * Returns a sentence for each session with other entries than were acknowledged, or in which rewinds have another
 * effect. @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged }) {
  const faults = []
  for (const [process, records] of acknowledged) {
    const { id } = sessionOf(process)
    const log = await engine.store.sessions.read(id)
    const last = records.at(-1)?.seq ?? -1
    if (log.length < last + 1 || log.length > last + 2)
      faults.push(`${last + 1} entries of ${id} were acknowledged, and there are ${log.length}`)
    for (const [count, entry] of log.entries()) {
      const isAsWritten = isRewind(count)
        ? entry.kind === 'rewind' && entry.toSeq === rewoundTo(count)
        : entry.kind === 'message' && entry.content[0]?.text === textOf(process, count)
      if (!isAsWritten) faults.push(`entry ${count} of ${id} is not as it was written`)
    }
    const inForce = liveEntries(log).map(({ seq }) => seq)
    const expected = []
    for (let count = 0; count < log.length; count += 1) {
      if (!isRewind(count)) expected.push(count)
      else while (expected.at(-1) > rewoundTo(count)) expected.pop()
    }
    if (inForce.join() !== expected.join()) faults.push(`${id}: in force are ${inForce}, not ${expected}`)
  }
  return faults
}

export const rewinds = { write, check }
