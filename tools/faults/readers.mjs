// What users look at while others write: each answer has to agree with itself, whenever it is asked for.
import { setImmediate } from 'node:timers/promises'

/**
 * Asks one thing after the other until the time is up. Rejects when an answer fails or contradicts itself.
 * @param {{ engine: import('@cairn/core').Engine, isOver: () => boolean, random: () => number }} reading
 * @returns {Promise<number>} how many answers there were
 */
export async function readers({ engine, isOver, random }) {
  const { store } = engine
  const one = (list) => list[Math.floor(random() * list.length)]
  const someSession = async () => one((await store.sessions.list({ limit: 20 })).sessions)
  const questions = [
    async () => {
      const { rows, total } = await engine.usage.report({ by: one(['session', 'day', 'model', 'workspace', 'branch']) })
      const sum = rows.reduce((requests, row) => requests + row.requests, 0)
      if (sum !== total.requests) throw new Error(`rows of ${sum} requests have a total of ${total.requests}`)
    },
    async () => {
      const { sessions, total } = await store.sessions.list({ sort: one(['updated', 'cost', 'messages']) })
      if (sessions.length > total) throw new Error(`${sessions.length} sessions are listed of ${total}`)
    },
    async () => {
      const session = await someSession()
      if (session === undefined) return
      const log = await engine.sessions.log(session.id)
      // An export is this log, written out.
      if (log.some(({ seq }, index) => seq !== index) || log.length < session.entries)
        throw new Error(`the log of ${session.id} has gaps, or less than the ${session.entries} entries it had before`)
      await engine.sessions.displayStream(session.id)
    },
    async () => engine.recall.messages({ text: one(['turn words', 'said', 'some words step']), limit: 5 }),
    async () => engine.recall.sessions({ text: 'reply to a turn', limit: 3 }),
    async () => engine.memory.search('/work/memory', 'learnt a longer explanation'),
    async () => engine.memory.section('/work/memory'),
    async () => engine.notes.search('/work/notes', 'note'),
    async () => store.state.all({ tier: 'workspace', workspace: '/work/state' }),
    async () => store.statistics(),
  ]
  let count = 0
  for (; !isOver(); count += 1) {
    await one(questions)()
    await setImmediate()
  }
  return count
}
