/** What is remembered and noted of a few projects, some of it hostile. */
import { createEngine } from '@cairn/core'
import type { Engine, Store } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { HOSTILE, LONG_SESSION } from './sample-session.ts'

export const CHECKOUT = '/home/ann/code/checkout'
export const OTHER = '/home/ann/code/search'

/** The engine over a store, as the command line makes it. */
export const engineOver = (store: Store): Engine => {
  const clock = createSystemClock()
  const deps = { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) }
  return createEngine({ store, ...deps })
}

/** Six entries of two projects, notes of both, and a profile. */
export const addKnowledge = async (store: Store): Promise<void> => {
  const { memory, notes, profile } = engineOver(store)
  const add = (workspace: string, kind: Parameters<typeof memory.add>[0]['kind'], text: string, confidence: number) =>
    memory.add({ workspace, kind, text, confidence })
  await add(
    CHECKOUT,
    'discovery',
    'The voucher is applied before rounding in the basket and after it on the receipt',
    0.85,
  )
  await memory.add({
    workspace: CHECKOUT,
    kind: 'solution',
    text: 'A voucher used twice: sum the unrounded lines of the basket, then round once',
    confidence: 0.7,
    examples: ['src/basket/total.ts:40', 'npm test -- basket'],
    sessionId: LONG_SESSION,
    source: 'agent',
  })
  await add(CHECKOUT, 'failure', `Rounding each line: cents are lost. ${HOSTILE} \u202egnp.exe`, 0.4)
  await add(OTHER, 'context_rule', 'Never rebuild the index in a request', 0.95)
  await add(OTHER, 'pattern', `One line without a space: ${'basket'.repeat(400)}`, 0.55)
  const { entry } = await add(OTHER, 'workflow', 'Run the linter, then the tests', 0.6)
  await memory.update(entry.id, { text: 'Run the linter, the types, then the tests' })
  await memory.confirm(entry.id)
  await notes.set(CHECKOUT, 'deploy', 'Fridays only after the smoke test of the basket')
  await notes.set(OTHER, `odd ../key ${HOSTILE}`, `${HOSTILE}\n${'a long line '.repeat(200)}`)
  await profile.set('language', 'Answers in plain English, please')
  await profile.set('tone', HOSTILE)
}
