// The data sets of the recall benchmark, as lines of the generic format, and queries with their relevant messages.
// They lie beside the repository and are never part of it; what is not there is left out.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { randomNumbers } from './numbers.mjs'
import { dataFolder } from './paths.mjs'

/**
 * The key of a message in a query's `gold`.
 * @typedef {{ workspace: string, session: string, id: string, role: string, text: string, at?: string, author?: string,
 * branch?: string, tool?: { name: string, path?: string, kind?: string } }} Line
 * @typedef {{ id: string, query: string, workspace: string, type: string, until?: string, branch?: string, by?:
 * 'session', gold: Map<string, number> }} Query
 *   `gold`: relevance by key: `session/id` of a message, or a session's id.
 * @typedef {{ name: string, lines: Line[], queries: Query[] }} DataSet
 */

export const keyOf = (session, id) => `${session}/${id}`

const jsonLines = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
/** A file of the data as text, unpacked where it is packed. */
const read = (name) => {
  const bytes = readFileSync(join(dataFolder() ?? '', name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
/** Whether the data has all of these files. */
const has = (...names) =>
  dataFolder() !== undefined && names.every((name) => existsSync(join(dataFolder() ?? '', name)))

const LOCOMO_TYPES = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop' }

/**
 * The LoCoMo set: each conversation is a workspace, each turn of it a message. Questions whose answer is nowhere
 * (category 5) are left out. Undefined where the file is absent.
 */
const locomo = (file = 'locomo/locomo-dev.json') => {
  if (!has(file)) return undefined
  const lines = []
  const queries = []
  for (const { sample_id: workspace, conversation, qa } of JSON.parse(read(file))) {
    const sessions = new Map()
    for (const [name, turns] of Object.entries(conversation)) {
      if (!Array.isArray(turns)) continue
      const session = `${workspace}-${name}`
      const start = timeOf(conversation[`${name}_date_time`])
      turns.forEach((turn, index) => {
        sessions.set(turn.dia_id, session)
        const text = turn.blip_caption === undefined ? turn.text : `${turn.text} [shared ${turn.blip_caption}]`
        lines.push({
          workspace,
          session,
          id: turn.dia_id,
          role: 'user',
          author: turn.speaker,
          at: new Date(start + index * 30_000).toISOString(),
          text,
        })
      })
    }
    qa.forEach(({ question, evidence, category }, index) => {
      const type = LOCOMO_TYPES[category]
      const ids = (evidence ?? []).flatMap((text) => text.match(/D\d+:\d+/g) ?? []).filter((id) => sessions.has(id))
      if (type === undefined || ids.length === 0) return
      queries.push({
        id: `${workspace}-q${index}`,
        query: question,
        workspace,
        type,
        gold: new Map(ids.map((id) => [keyOf(sessions.get(id), id), 1])),
      })
    })
  }
  return { name: 'LoCoMo', lines, queries }
}

/** "1:56 pm on 8 May, 2023", taken as UTC. */
const timeOf = (text) => {
  const [, hour, minute, half, day] = /^(\d+):(\d+) ([ap]m) on (.+)$/.exec(text)
  return Date.parse(`${day} UTC`) + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000
}

const codingLines = () => jsonLines(read('coding-recall/messages.jsonl.gz'))

/** Questions about turns of coding sessions; undefined where the data is absent. */
const codingTurns = () => {
  if (!has('coding-recall/messages.jsonl.gz', 'coding-recall/turns-queries.jsonl')) return undefined
  const queries = jsonLines(read('coding-recall/turns-queries.jsonl')).map((query) => ({
    ...query,
    gold: new Map(query.gold.map(({ session, id }) => [keyOf(session, id), 1])),
  }))
  return { name: 'coding turns', lines: codingLines(), queries }
}

/** Requests that earlier sessions matter for; undefined where the data is absent. */
const codingSessions = () => {
  if (!has('coding-recall/messages.jsonl.gz', 'coding-recall/sessions-queries.jsonl')) return undefined
  const queries = jsonLines(read('coding-recall/sessions-queries.jsonl')).map((query) => ({
    ...query,
    type: 'request',
    gold: new Map(Object.entries(query.gold)),
  }))
  return { name: 'coding sessions', lines: codingLines(), queries }
}

/** Questions without an answer are left out. */
const devMemBench = () => {
  if (!has('devmembench/sessions.json', 'devmembench/questions.json')) return undefined
  const workspace = 'devmembench'
  const lines = JSON.parse(read('devmembench/sessions.json')).flatMap(({ sessionId, metadata, messages }) =>
    messages.map(({ role, content }, index) => ({
      workspace,
      session: sessionId,
      id: String(index),
      role,
      text: content,
      at: new Date(Date.parse(metadata.date) + index * 60_000).toISOString(),
    })),
  )
  const queries = JSON.parse(read('devmembench/questions.json'))
    .filter(({ haystackSessionIds }) => haystackSessionIds.length > 0)
    .map(({ questionId, questionType, question, haystackSessionIds }) => ({
      id: questionId,
      query: question,
      workspace,
      type: questionType,
      by: 'session',
      gold: new Map(haystackSessionIds.map((id) => [id, 1])),
    }))
  return { name: 'DevMemBench', lines, queries }
}

/**
 * Known-item queries: runs of 3, 5 and 8 words from the middle of one message, of code and of chat; only that message is
 * relevant.
 */
const knownItems = () => {
  const from = [locomo(), codingTurns()].filter((set) => set !== undefined)
  if (from.length === 0) return undefined
  const random = randomNumbers(17)
  const queries = from.flatMap(({ name, lines }) => {
    const talk = lines.filter(
      ({ tool, role, text }) => tool === undefined && role !== 'tool' && text.length >= 80 && text.length <= 600,
    )
    const texts = new Set()
    const once = talk.filter(({ text }) => !texts.has(text) && texts.add(text))
    return [3, 5, 8].flatMap((size) =>
      Array.from({ length: 40 }, (_, index) => {
        const line = once[Math.floor(random() * once.length)]
        const words = line.text.split(/\s+/).filter((word) => word !== '')
        const start = Math.floor(random() * Math.max(1, words.length - size))
        const query = words
          .slice(start, start + size)
          .join(' ')
          .replaceAll('?', '')
        // Messages with the same words are as relevant.
        const same = lines.filter(
          ({ workspace, text }) =>
            workspace === line.workspace && text.replaceAll('?', '').replace(/\s+/g, ' ').includes(query),
        )
        return {
          id: `${name}-${size}-${index}`,
          query,
          workspace: line.workspace,
          type: `${name === 'LoCoMo' ? 'chat' : 'code'}, ${size} words`,
          gold: new Map(same.map(({ session, id }) => [keyOf(session, id), 1])),
        }
      }).filter(({ query, gold }) => query !== '' && gold.size > 0 && gold.size <= 5),
    )
  })
  return { name: 'known items', lines: from.flatMap(({ lines }) => lines), queries }
}

/** All data sets that are there, in a fixed order; empty where the data is absent. */
export const allSets = () =>
  [locomo(), codingTurns(), codingSessions(), devMemBench(), knownItems()].filter((set) => set !== undefined)
