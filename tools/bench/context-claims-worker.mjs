// A process that measures on recorded sessions (one file per argument) what Cline and CLIO claim of their steps, and
// prints the results by session as JSON. Runs on the sources.
import {
  cacheAwarePolicy,
  clinePolicy,
  clioPolicy,
  combineDisplayMessages,
  createContext,
  deduplicateFileReads,
  needsOf,
  policyOf,
  replayPolicy,
  replyReserve,
  trajectoryOf,
} from '@cairn/core'
import { readTranscript } from '@cairn/core/importers'
import { createFileSystem, createHasher } from '@cairn/core/node'

const CHARACTERS_PER_TOKEN = 2.7
const PREFIX = 20_000
const SETTINGS = { prefix: PREFIX, cacheLifetime: 300, prices: { input: 3, output: 15, write: 3.75, read: 0.3 } }
const WINDOWS = [200_000, 64_000]

/** Drives a policy over a session as replay does; `onRequest` sees the context after each preparation. */
function drive(policy, trajectory, window, onRequest) {
  const context = createContext(policy, CHARACTERS_PER_TOKEN)
  const availableTokens = window - PREFIX - replyReserve({ window, prefix: PREFIX })
  let lastUsed = 0
  trajectory.turns.forEach((turn, request) => {
    context.step(turn.before)
    const prepared = context.prepare({ ...SETTINGS, now: turn.at ?? 0, window, availableTokens, lastUsed, refusals: 0 })
    onRequest({
      context,
      prepared,
      request,
      rewrites: prepared.entriesToAppend.filter(({ trigger }) => trigger !== 'arrival'),
    })
    lastUsed = PREFIX + prepared.tokens + turn.outputTokens
  })
  return context
}

/** The messages that Cline would show of a session: start and end of a request, texts, commands and their output. */
function clineStream(trajectory) {
  const shown = []
  const commands = new Set()
  const add = (type, kind, text = '') => shown.push({ ts: shown.length, type, [type]: kind, text })
  for (const { before, reply } of trajectory.turns) {
    for (const entry of before) {
      if (entry.kind !== 'message' || entry.role === 'assistant') continue
      for (const block of entry.content) {
        if (block.type === 'tool_result' && commands.has(block.callId)) add('say', 'command_output', 'output')
        else if (block.type === 'text') add('say', 'user_feedback', 'text')
      }
    }
    add('say', 'api_req_started', '{}')
    for (const block of reply.flatMap(({ content }) => content)) {
      if (block.type === 'text') add('say', 'text', 'text')
      if (block.type !== 'tool_call') continue
      const isCommand = /bash|command|shell/i.test(block.name)
      if (isCommand) commands.add(block.id)
      add('ask', isCommand ? 'command' : 'tool', block.name)
    }
    add('say', 'api_req_finished', '{}')
  }
  return shown
}

/** The share of a session's messages that only hold results, which are shown at their calls. */
function resultMessages(trajectory) {
  const messages = trajectory.entries.filter(({ kind }) => kind === 'message')
  return (
    messages.filter(({ content }) => content.length > 0 && content.every(({ type }) => type === 'tool_result')).length /
    messages.length
  )
}

const sum = (values) => values.reduce((total, value) => total + value, 0)

/** The reads that a newer read of any part of the same file followed. */
function repeatedReads({ view }) {
  const newer = new Set()
  return view
    .all()
    .toReversed()
    .filter((block) => {
      const path = block.kind === 'read' ? block.operations[0]?.path : undefined
      if (path === undefined) return false
      const isRepeated = newer.has(path)
      newer.add(path)
      return isRepeated
    })
}

/** Replays a session at a window, and measures each claim that depends on it. */
function atWindow(trajectory, needs, window) {
  const settings = {
    ...SETTINGS,
    window,
    charactersPerToken: CHARACTERS_PER_TOKEN,
    reply: replyReserve({ window, prefix: PREFIX }),
  }
  const hits = (policy) => {
    const { cacheHitRatio, tokensByUse } = replayPolicy(policy, trajectory, needs, settings)
    return { ratio: cacheHitRatio, input: sum(Object.values(tokensByUse)) }
  }
  const removed = (policy) => {
    const shares = []
    drive(policy, trajectory, window, ({ rewrites }) =>
      shares.push(...rewrites.map(({ tokensBefore, tokensAfter }) => 1 - tokensAfter / tokensBefore)),
    )
    return shares
  }
  /** Size of the texts that replace removed messages, and of the removed messages, at the end; characters. */
  const compressed = (policy) => {
    const { view } = drive(policy, trajectory, window, () => undefined)
    const inserted = view.blocks().filter(({ kind }) => kind === 'inserted')
    const gone = sum(view.all().map((block) => (block.kind === 'inserted' ? 0 : block.tokens - view.tokensSent(block))))
    return inserted.length === 0 || gone === 0 ? [] : [sum(inserted.map((block) => view.tokensSent(block))) / gone]
  }

  let due = -1
  drive(
    clinePolicy(),
    trajectory,
    window,
    ({ rewrites, request }) => (due = due === -1 && rewrites.length > 0 ? request : due),
  )
  const deduplicated = { byPath: [], cline: [], ours: [] }
  if (due !== -1) {
    let carried = 0
    drive(policyOf('none'), trajectory, window, ({ context, prepared, request }) => {
      if (request !== due) return
      deduplicated.byPath.push(sum(repeatedReads(context).map(({ tokens }) => tokens)) / prepared.tokens)
      deduplicated.cline.push(deduplicateFileReads(prepared.messages).savedShare)
      carried = prepared.tokens
    })
    drive(cacheAwarePolicy(), trajectory, window, ({ context, request }) => {
      if (request === due)
        deduplicated.ours.push(
          sum(repeatedReads(context).map((block) => block.tokens - context.view.tokensSent(block))) / carried,
        )
    })
  }
  return {
    hits: { cline: hits(clinePolicy()), ours: hits(cacheAwarePolicy()) },
    deduplicated,
    removed: { cline: removed(clinePolicy()), ours: removed(cacheAwarePolicy()) },
    compressed: { clio: compressed(clioPolicy()), ours: compressed(cacheAwarePolicy()) },
  }
}

const found = []
for (const file of process.argv.slice(2)) {
  const transcript = await readTranscript(file, { fileSystem: createFileSystem(), hasher: createHasher() })
  const { entries, lines, requests } = transcript.sessions[0]
  const trajectory = trajectoryOf({ session: file, entries, lines, requests, charactersPerToken: CHARACTERS_PER_TOKEN })
  if (trajectory.turns.length === 0) continue
  const needs = needsOf(trajectory)
  const stream = clineStream(trajectory)
  found.push({
    combined: { cline: 1 - combineDisplayMessages(stream).length / stream.length, ours: resultMessages(trajectory) },
    windows: Object.fromEntries(WINDOWS.map((window) => [window, atWindow(trajectory, needs, window)])),
  })
}
console.log(JSON.stringify(found))
