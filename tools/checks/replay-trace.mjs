// The results of `cairn replay` against those computed from its trace and the transcript alone: cost, cache hits, references, anchors,
// misses; what its agent itself sent (policy `recorded`), by the boundaries in the file; what was paid. Nothing here comes from the product: lines are parsed, names are found and searched for by this file's own
// code, by the definitions of docs/replay.md.
import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder, scratchFolder } from '../bench/paths.mjs'

const PRICES = { input: 3, output: 15, write: 3.75, read: 0.3 }
const PREFIX = 20_000
const TTL_MS = 300_000
const CHARACTERS_PER_TOKEN = 2.7
const RETRY_OUTPUT = 150
const DISTANCE = 20
const ANCHOR_SHARE = 0.8
const WRITTEN =
  'content file_text old_string new_string old_str new_str old_text new_text oldText newText edits description prompt todos plan questions'.split(
    ' ',
  )
const COMPARED = [
  'requests',
  'costUsd',
  'costWithRestoresUsd',
  'cacheHitRatio',
  'peakTokens',
  'overflows',
  'referencesVisible',
  'anchorsVisible',
  'missedReferences',
  'missedContent',
]

/**
 * Proves replays against sums that are made of their traces alone.
 * @type {import('./index.mjs').Check}
 */
export async function replayTrace({ quick, log }) {
  const data = dataFolder()
  const source = data === undefined ? undefined : join(data, 'trajectories')
  if (source === undefined || !existsSync(join(source, 'manifest.json')))
    return 'skipped: the recorded sessions are not beside the repository'
  const claude = new Set(
    JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'))
      .filter(({ format }) => format === 'claude')
      .map(({ file }) => file),
  )
  const files = readdirSync(source).filter((name) => claude.has(name))
  const chosen = files.filter((_, index) => index % (quick ? 12 : 2) === 1)
  const folder = scratchFolder('replay-trace')
  const trace = join(folder, 'trace.jsonl')
  let compared = 0
  const differences = []
  for (const file of chosen) {
    const session = sessionOf(gunzipSync(readFileSync(join(source, file))).toString('utf8'))
    for (const window of quick ? [64_000] : [200_000, 64_000]) {
      const { json } = await cairnJson([
        'replay',
        join(source, file),
        '--policy',
        'none,cline,clio,cache-aware,recorded',
        '--window',
        String(window),
        '--prefix',
        String(PREFIX),
        '--trace',
        trace,
      ])
      const found = await recompute(session, trace, window)
      for (const [name, value] of Object.entries(session.paid))
        if (Math.abs(json.paid[name] - value) > 1e-9)
          differences.push(`${file}: paid ${name} ${json.paid[name]}, by the transcript ${value}`)
      const recorded = found.get('recorded').costWithRestoresUsd
      for (const reported of json.policies) {
        const own = found.get(reported.policy)
        assert.ok(own, `${file}: the trace has no requests of ${reported.policy}`)
        compared += 1
        for (const name of COMPARED) {
          const tolerance = name.endsWith('Usd') ? 1e-6 : 1e-9
          if (Math.abs(reported[name] - own[name]) > tolerance)
            differences.push(
              `${file} ${window} ${reported.policy}: ${name} ${reported[name]}, by the trace ${own[name]}`,
            )
        }
        if (Math.abs(reported.savedAgainstRecordedUsd - (recorded - own.costWithRestoresUsd)) > 1e-6)
          differences.push(
            `${file} ${window} ${reported.policy}: saved ${reported.savedAgainstRecordedUsd} against recorded`,
          )
      }
    }
    log(`replay-trace: ${file}`)
  }
  rmSync(folder, { recursive: true, force: true })
  assert.equal(differences.length, 0, `\n${differences.join('\n')}`)
  return `${compared} replays of ${chosen.length} sessions give the same ${COMPARED.length} numbers by trace and transcript alone`
}

/** The main conversation of a Claude Code file: messages in order, requests with what they needed. */
function sessionOf(text) {
  const messages = []
  const seen = new Set()
  const calls = new Map()
  /** Blocks that the agent sends, by place; whether each is whole. What stands there before a reply is its request. */
  let view = new Map()
  const viewBefore = new Map()
  for (const [line, json] of text.split('\n').entries()) {
    const boundary = boundaryOf(json)
    if (boundary?.subtype === 'compact_boundary' && !seen.has(boundary.uuid)) view = new Map()
    if (boundary?.subtype === 'microcompact_boundary' && !seen.has(boundary.uuid))
      for (const call of boundary.microcompactMetadata?.compactedToolIds ?? [])
        if (view.has(calls.get(call))) view.set(calls.get(call), 'stub')
    if (boundary !== undefined) seen.add(boundary.uuid)
    const message = messageOf(json, line, true)
    if (message === undefined || seen.has(message.uuid)) continue
    seen.add(message.uuid)
    viewBefore.set(message, new Map(view))
    for (const [index, block] of message.content.entries()) {
      view.set(`${line}:${index}`, message.isSummary ? 'digest' : 'full')
      if (block.type === 'tool_result') calls.set(block.tool_use_id, `${line}:${index}`)
    }
    if (!message.isSummary) messages.push(message)
  }
  const blocks = new Map()
  for (const { line, content } of messages)
    for (const [index, block] of content.entries())
      blocks.set(`${line}:${index}`, { text: textOf(block), tokens: tokensOf(block) })
  const requests = requestsOf(messages)
  const views = requests.map(({ first }) => viewBefore.get(first))
  return { blocks, requests, views, paid: paidOf(text) }
}

/** The boundary of a compaction that a line is; undefined for any other. */
function boundaryOf(json) {
  if (!json.includes('compact_boundary')) return undefined
  const value = JSON.parse(json)
  const isOwn = value.type === 'system' && value.isSidechain !== true && value.agentId === undefined
  return isOwn && /^(?:micro)?compact_boundary$/.test(value.subtype) ? value : undefined
}

/** The usage of the main conversation: each response once, with its largest output. */
function paidOf(text) {
  const usages = new Map()
  for (const json of text.split('\n')) {
    let value
    try {
      value = JSON.parse(json)
    } catch {
      continue
    }
    const { id, model, usage } = value?.message ?? {}
    if (value?.type !== 'assistant' || usage === undefined || model === '<synthetic>') continue
    if (value.isSidechain === true || value.agentId !== undefined) continue
    const key = id ?? value.requestId ?? value.uuid
    if ((usages.get(key)?.output_tokens ?? -1) < usage.output_tokens) usages.set(key, usage)
  }
  const inputOf = (usage) =>
    usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  return {
    requests: usages.size,
    peakTokens: Math.max(...[...usages.values()].map(inputOf)),
    costAtPricesUsd: [...usages.values()].reduce(
      (sum, usage) =>
        sum +
        (usage.input_tokens * PRICES.input +
          (usage.cache_read_input_tokens ?? 0) * PRICES.read +
          (usage.cache_creation_input_tokens ?? 0) * PRICES.write +
          usage.output_tokens * PRICES.output) /
          1e6,
      0,
    ),
  }
}

/**
 * The message that a line is. Undefined for any other: damaged lines, subagents' messages, notices that were never
 * sent, and summaries unless `withSummaries`. A message of results only has the role `tool`.
 */
function messageOf(json, line, withSummaries = false) {
  let value
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  const body = value?.message
  if ((value?.type !== 'user' && value?.type !== 'assistant') || typeof body !== 'object' || body === null)
    return undefined
  if (value.isSidechain === true || value.agentId !== undefined) return undefined
  const isSummary = value.isCompactSummary === true
  if (isSummary && !withSummaries) return undefined
  const content = typeof body.content === 'string' ? [{ type: 'text', text: body.content }] : (body.content ?? [])
  const isReply = body.role === 'assistant'
  if (isReply && (value.isMeta === true || body.model === '<synthetic>')) return undefined
  const isTool = content.length > 0 && content.every(({ type }) => type === 'tool_result')
  return {
    line,
    uuid: value.uuid,
    isSummary,
    role: isReply ? 'assistant' : isTool ? 'tool' : 'user',
    at: Date.parse(value.timestamp),
    response: body.id,
    output: body.usage?.output_tokens,
    content,
  }
}

/** The requests that messages are the replies of, in order. */
function requestsOf(messages) {
  const requests = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const open = requests.at(-1)
    if (open?.response === message.response) {
      open.reply.push(message)
      open.output = Math.max(open.output, message.output ?? 0)
    } else
      requests.push({
        at: message.at,
        start: index,
        first: message,
        response: message.response,
        output: message.output ?? 0,
        reply: [message],
      })
  }
  const memory = memoryOf()
  let next = 0
  return requests.map(({ at, start, first, output, reply }) => {
    for (; next < start; next += 1) memory.take(messages[next])
    const characters = reply
      .flatMap(({ content }) => content)
      .reduce((sum, block) => sum + (block.type === 'tool_result' ? 0 : charactersOf(block)), 0)
    const needed = Math.ceil(characters / CHARACTERS_PER_TOKEN)
    const calls = reply.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'))
    return { at, first, output: output * 2 >= needed ? output : needed, ...memory.needs(calls) }
  })
}

/** The conversation so far: where each name and line occurred last. */
function memoryOf() {
  const names = new Map()
  const lines = new Map()
  let message = -1
  let role
  const take = (entry) => {
    if (entry.role !== role || entry.role === 'user') message += 1
    role = entry.role
    for (const [index, block] of entry.content.entries()) {
      const text = textOf(block)
      const key = `${entry.line}:${index}`
      for (const name of namesIn(text)) names.set(name, { message, key })
      for (const line of linesIn(text)) {
        // The order of first occurrence stays: an anchor within a line is searched for in the newest of them.
        lines.set(line, key)
      }
    }
  }
  const references = (calls) => {
    const found = new Map()
    for (const { input } of calls) {
      const asked =
        typeof input === 'string'
          ? input
          : stringsIn(Object.fromEntries(Object.entries(input ?? {}).filter(([key]) => !WRITTEN.includes(key))))
      for (const name of [...namesIn(asked)].map((each) => each.replace(/\/+$/, ''))) {
        const last = names.get(name)
        if (/[_/\d.]|[a-z][A-Z]/.test(name) && last !== undefined && message + 1 - last.message > DISTANCE)
          found.set(name, { name, key: last.key })
      }
    }
    return [...found.values()]
  }
  const anchor = (text) => {
    const wanted = linesIn(text)
    const known = wanted.filter((line) => lines.has(line))
    let keys = known.map((line) => lines.get(line))
    if (wanted.length === 1 && known.length === 0) {
      const holder = [...lines.keys()].findLast((line) => line.includes(wanted[0]))
      if (holder !== undefined) {
        known.push(wanted[0])
        keys = [lines.get(holder)]
      }
    }
    if (wanted.length === 0 || known.length < ANCHOR_SHARE * wanted.length) return []
    return [{ lines: known, isPart: wanted.length === 1, key: mostVoted(keys) }]
  }
  return {
    take,
    needs: (calls) => ({
      references: references(calls),
      anchors: calls
        .flatMap(({ input }) => [input, ...(Array.isArray(input?.edits) ? input.edits : [])])
        .map((edit) => edit?.old_string)
        .filter((text) => typeof text === 'string' && text.trim() !== '')
        .flatMap(anchor),
    }),
  }
}

/** The place with most votes, of equals the newest. */
function mostVoted(keys) {
  const votes = new Map()
  for (const key of keys) votes.set(key, (votes.get(key) ?? 0) + 1)
  const age = (key) => key.split(':').map(Number)
  return [...votes].sort(([a, x], [b, y]) => y - x || age(b)[0] - age(a)[0] || age(b)[1] - age(a)[1])[0][0]
}

/** Paths and identifiers in a text, each once; those of less than 4 characters don't count. */
const namesIn = (text) => {
  const found = new Set()
  for (const [match] of text.matchAll(/[\w@~.-]*(?:\/[\w@.+-]+)+|[A-Za-z_$][\w$]{3,}(?:[.-][\w$]+)*/g)) {
    const name = match.replace(/[.-]+$/, '')
    if (name.length >= 4 && name.length <= 200) found.add(name)
  }
  return found
}

/** The lines of a text without numbers before them, without blank ones. */
const linesIn = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\d+(?:→|\t| ?\| ?)/, '').trim())
    .filter((line) => line !== '')

const stringsIn = (value) => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return Object.values(value)
    .map(stringsIn)
    .filter((text) => text !== '')
    .join('\n')
}

/** All text of a block. */
const textOf = (block) => {
  if (block.type === 'text') return block.text
  if (block.type === 'thinking') return block.thinking
  if (block.type === 'tool_use') return `${block.name} ${stringsIn(block.input)}`
  if (block.type === 'tool_result') return partsOf(block).map(textOf).join('\n')
  return block.type === 'image' ? '' : stringsIn(block)
}

const partsOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []))

/** The characters of a block as the model reads it; none for an image. */
const charactersOf = (block) => {
  if (block.type === 'text') return block.text.length
  if (block.type === 'thinking') return block.thinking.length
  if (block.type === 'tool_use') return block.name.length + JSON.stringify(block.input ?? {}).length
  if (block.type === 'tool_result') return partsOf(block).reduce((sum, part) => sum + charactersOf(part), 0)
  return block.type === 'image' ? 0 : JSON.stringify(block).length
}

/** What a block is estimated at; an image's tokens depend on its size in pixels, so the trace is taken at its word. */
const tokensOf = (block) => {
  const hasImage = [block, ...(block.type === 'tool_result' ? partsOf(block) : [])].some(({ type }) => type === 'image')
  return hasImage ? undefined : Math.ceil(charactersOf(block) / CHARACTERS_PER_TOKEN)
}

/** Sums of each policy, from the trace. */
async function recompute(session, trace, window) {
  const policies = new Map()
  for await (const line of createInterface({ input: createReadStream(trace), crlfDelay: Infinity })) {
    const request = JSON.parse(line)
    if (!policies.has(request.policy)) policies.set(request.policy, sumsOf(session, window))
    policies.get(request.policy).add(request)
  }
  return new Map([...policies].map(([name, sums]) => [name, sums.result()]))
}

const keyOf = ({ message, block, hash }) => `${message}:${block}:${hash}`

/** The sums of a replay, made of its trace alone. */
function sumsOf(session, window) {
  const hashes = new Map()
  const sums = {
    requests: 0,
    costUsd: 0,
    restores: 0,
    read: 0,
    input: 0,
    peakTokens: 0,
    overflows: 0,
    referencesVisible: 0,
    anchorsVisible: 0,
    missedReferences: 0,
    missedContent: 0,
  }
  let previous = []
  let lastAt
  let restored = new Map()

  const textSent = ({ message, block, state, text }) =>
    state === 'full' ? session.blocks.get(`${message}:${block}`).text : text

  const check = (block) => {
    if (block.state !== 'full')
      return assert.equal(typeof block.text, 'string', 'what is not as it was said has its text')
    const key = `${block.message}:${block.block}`
    const known = session.blocks.get(key)
    known.tokens ??= block.tokens
    assert.equal(block.tokens, known.tokens, `tokens of line ${block.message}, block ${block.block}`)
    assert.equal(hashes.get(key) ?? block.hash, block.hash, 'the same content has the same hash')
    hashes.set(key, block.hash)
  }

  return {
    add: ({ policy, request, at, blocks }) => {
      assert.equal(request, sums.requests, 'requests stand in order')
      const need = session.requests[request]
      assert.equal(at, need.at, `the time of request ${request}`)
      blocks.forEach(check)
      if (policy === 'recorded')
        assert.deepEqual(
          blocks.map(({ message, block, state }) => `${message}:${block} ${state}`).sort(),
          [...session.views[request]].map(([key, state]) => `${key} ${state}`).sort(),
          `what the agent sent with request ${request}`,
        )
      const keys = blocks.map(keyOf)
      let shared = 0
      while (shared < previous.length && previous[shared] === keys[shared]) shared += 1
      if (shared < previous.length) restored = new Map()
      const isWarm = lastAt !== undefined && at - lastAt <= TTL_MS
      const total = PREFIX + blocks.reduce((sum, { tokens }) => sum + tokens, 0)
      const hit = isWarm ? PREFIX + blocks.slice(0, shared).reduce((sum, { tokens }) => sum + tokens, 0) : 0
      const carried = [...restored.values()].reduce((sum, tokens) => sum + tokens, 0)
      sums.costUsd += (hit * PRICES.read + (total - hit) * PRICES.write + need.output * PRICES.output) / 1e6
      sums.restores += (carried * (isWarm ? PRICES.read : PRICES.write)) / 1e6
      sums.requests += 1
      sums.read += hit
      sums.input += total
      sums.peakTokens = Math.max(sums.peakTokens, total)
      if (total > window) sums.overflows += 1

      const content = blocks
        .filter(({ state }) => state !== 'digest')
        .map(textSent)
        .join('\n\u0000\n')
      const digest = blocks
        .filter(({ state }) => state === 'digest')
        .map(textSent)
        .join('\n\u0000\n')
      let lines
      const lost = new Set()
      for (const { name, key } of need.references) {
        const isContent = restored.has(key) || content.includes(name)
        if (!isContent) sums.missedContent += 1
        if (isContent || digest.includes(name)) sums.referencesVisible += 1
        else {
          sums.missedReferences += 1
          lost.add(key)
        }
      }
      for (const anchor of need.anchors) {
        lines ??= new Set(linesIn(content))
        const seen = anchor.lines.filter((line) => (anchor.isPart ? content.includes(line) : lines.has(line))).length
        if (restored.has(anchor.key) || seen >= ANCHOR_SHARE * anchor.lines.length) sums.anchorsVisible += 1
        else {
          sums.missedReferences += 1
          sums.missedContent += 1
          lost.add(anchor.key)
        }
      }
      for (const key of lost) {
        const { tokens } = session.blocks.get(key)
        sums.restores += ((total + carried) * PRICES.read + tokens * PRICES.write + RETRY_OUTPUT * PRICES.output) / 1e6
        restored.set(key, tokens)
      }
      previous = keys
      lastAt = at
    },
    result: () => ({
      ...sums,
      costWithRestoresUsd: sums.costUsd + sums.restores,
      cacheHitRatio: sums.read / sums.input,
    }),
  }
}
