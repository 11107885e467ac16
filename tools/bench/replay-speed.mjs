// `cairn replay` of one long session under all policies, the whole command. The session is made of recorded ones, one
// after the other; where there is too little text for its requests, tool results are lengthened.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cairnJson } from './cairn.mjs'
import { median } from './numbers.mjs'
import { cacheFolder, dataFolder, samplesFolder } from './paths.mjs'
import { filesBelow } from './transcripts.mjs'

const PAUSE_MS = 600_000
const MEGABYTE = 1_000_000
const GENERATOR = 'v2'

/**
 * Measures `cairn replay` of long sessions; no results where there is nothing to make them of.
 * @param {{ runs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function replaySpeed({ runs, log }) {
  const results = []
  for (const { requests, megabytes, seconds } of [
    { requests: 100, megabytes: 4, seconds: 3 },
    { requests: 1000, megabytes: 0, seconds: 20 },
  ]) {
    const file = sessionOf(requests, megabytes)
    if (file === undefined) {
      log('replay: skipped, there are neither recorded sessions nor samples')
      return []
    }
    const bytes = readFileSync(file).length
    const times = []
    for (let run = 0; run < runs; run += 1) {
      const { wallMs } = await cairnJson(['replay', file])
      times.push(wallMs)
    }
    const name = `replay ${requests} requests, ${(bytes / MEGABYTE).toFixed(0)} MB`
    results.push({ name, value: median(times), unit: 'ms', target: { most: seconds * 1000 } })
    log(`${name}: ${times.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`)
  }
  return results
}

/** A session of this many requests and at least this many megabytes; undefined without recorded sessions. */
function sessionOf(requests, megabytes) {
  const sources = recorded()
  if (sources.length === 0) return undefined
  const file = join(cacheFolder('replay'), `${requests}-${megabytes}-${GENERATOR}-${sources.length}.jsonl`)
  if (existsSync(file)) return file
  const lines = joined(sources, requests)
  let text = ''
  for (let times = 1; times === 1 || text.length < megabytes * MEGABYTE; times += 1)
    text = lines.map((line) => `${JSON.stringify(lengthened(line, times))}\n`).join('')
  writeFileSync(file, text)
  return file
}

/** Functions that read recorded sessions, or the samples, one at a time; those that are no sessions are left out. */
function recorded() {
  const data = dataFolder()
  const folder = data === undefined ? samplesFolder : join(data, 'trajectories')
  return filesBelow(folder)
    .filter((file) => /\.jsonl(\.gz)?$/.test(file))
    .map((file) => () => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString('utf8'))
    .filter((read) => /"type":"(?:user|assistant)"/.test(read().slice(0, 100_000)))
}

/** Lines of sessions, one after the other in time, as lines of one session. */
function joined(sources, wanted) {
  const lines = []
  const replies = new Set()
  let end = Date.parse('2026-01-01T00:00:00Z')
  for (let round = 0; ; round += 1) {
    const own = sources[round % sources.length]()
      .split('\n')
      .flatMap(parsed)
      .filter(({ type, isSidechain }) => (type === 'user' || type === 'assistant') && isSidechain !== true)
    const shift = end + PAUSE_MS - Date.parse(own[0]?.timestamp ?? 0)
    for (const line of own) {
      const at = Date.parse(line.timestamp) + shift
      end = Math.max(end, at)
      const message =
        line.message.id === undefined ? line.message : { ...line.message, id: `${line.message.id}-${round}` }
      if (line.type === 'assistant' && !replies.has(message.id)) {
        if (replies.size === wanted) return lines
        replies.add(message.id)
      }
      lines.push({
        ...line,
        message,
        uuid: `${line.uuid}-${round}`,
        sessionId: 'replayed',
        timestamp: new Date(at).toISOString(),
      })
    }
  }
}

/** The value of a JSON text as a list of one; empty for none. */
function parsed(json) {
  try {
    return [JSON.parse(json)]
  } catch {
    return []
  }
}

/** The line with texts of tool results this many times as long, in which no line is repeated. */
function lengthened(line, times) {
  const { content } = line.message
  if (!Array.isArray(content)) return line
  const longer = (text) =>
    Array.from({ length: times }, (_, index) => (index === 0 ? text : text.replaceAll('\n', ` ${index}\n`))).join('\n')
  const block = (value) =>
    value.type === 'tool_result' && typeof value.content === 'string'
      ? { ...value, content: longer(value.content) }
      : value
  return { ...line, message: { ...line.message, content: content.map(block) } }
}
