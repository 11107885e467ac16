// The MCP server over a large store: how long until it is initialised, the time of each tool, its memory,
// and how soon it ends.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cairnCommand } from './cairn.mjs'
import { startMcp } from './mcp-client.mjs'
import { fileOf, filesOf, mcpStore, randomRank, wordOf, workspaceOf } from './mcp-store.mjs'
import { median, percentile, randomNumbers } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'

const INITIALISED_MS = 500
const CALL_MS = 60
const MEMORY_MIB = 300
const ENTRIES = 200

/**
 * Measures starts and calls of the MCP server over a copy of a store of so many messages.
 * @param {{ messages: number, starts: number, calls: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function mcpSpeed({ messages, starts, calls, log }) {
  const folder = scratchFolder('mcp')
  try {
    // What is written here must not exist in the next run.
    const store = join(folder, 'store.db')
    copyFileSync(await mcpStore({ messages, log }), store)
    const command = cairnCommand(['mcp', '--store', `file:${store}`])
    return [...(await startUps(command, starts, log)), ...(await toolCalls(command, messages, calls, log))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures how long the server takes to start, answer first, and end; the first two are not counted. */
async function startUps(command, starts, log) {
  log(`mcp: ${starts} starts…`)
  const initialised = []
  const first = []
  const gone = []
  for (let index = -2; index < starts; index += 1) {
    const session = await startMcp(command)
    const { ms } = await session.ask('tools/call', { name: 'recall', arguments: { query: 'start', workspace: '*' } })
    const closed = await session.close()
    if (index < 0) continue
    initialised.push(session.initialisedMs)
    first.push(ms)
    gone.push(closed)
  }
  return [
    {
      name: 'mcp: initialised after spawn',
      value: median(initialised),
      spread: percentile(initialised, 0.95),
      unit: 'ms',
      target: { most: INITIALISED_MS },
    },
    { name: 'mcp: first call, store opened by it', value: median(first), spread: percentile(first, 0.95), unit: 'ms' },
    { name: 'mcp: gone after its client', value: median(gone), spread: percentile(gone, 0.95), unit: 'ms' },
  ]
}

/** Arguments of the n-th call of each tool. */
function callsOf(random, messages) {
  const phrase = (least, most) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => wordOf(randomRank(random))).join(
      ' ',
    )
  const session = () => `generic:s${String(Math.floor((random() * messages) / 100)).padStart(6, '0')}`
  const workspace = () => workspaceOf(Math.floor(random() * 5))
  return {
    'recall, all projects': () => ['recall', { query: phrase(3, 20), workspace: '*' }],
    'recall, a project': () => ['recall', { query: phrase(3, 20), workspace: workspace() }],
    'recall, by session': () => ['recall', { query: phrase(3, 20), workspace: '*', by: 'session' }],
    // Four messages are five entries of the log: one of them edits a file.
    get_message: () => ['get_message', { id: `${session()}#${5 * Math.floor(random() * 25)}`, around: 2 }],
    'get_session, summary': () => ['get_session', { id: session() }],
    'get_session, messages': () => ['get_session', { id: session(), view: 'messages', from: 40 }],
    'remember, add': () => [
      'remember',
      { operation: 'add_discovery', text: phrase(8, 20), workspace: workspace(), examples: [`${fileOf(3)}:12`] },
    ],
    'memory, search': () => ['memory', { operation: 'search', query: phrase(2, 5), workspace: workspace() }],
    'memory, list': () => ['memory', { operation: 'list', workspace: workspace() }],
    'notes, set': () => [
      'notes',
      { operation: 'set', key: `plan ${Math.floor(random() * 50)}`, text: phrase(20, 80), workspace: workspace() },
    ],
    'notes, search': () => ['notes', { operation: 'search', query: phrase(2, 5), workspace: workspace() }],
    files: () => ['files', { path: fileOf(Math.floor(random() * filesOf(messages))) }],
    session_context: () => ['session_context', { request: phrase(5, 20), workspace: workspace() }],
  }
}

/** Measures calls of each tool over one connection. */
async function toolCalls(command, messages, calls, log) {
  const session = await startMcp(command)
  const random = randomNumbers(7)
  const kinds = callsOf(random, messages)
  const call = async (kind) => {
    const [name, args] = kind()
    return (await session.ask('tools/call', { name, arguments: args })).ms
  }
  for (let index = 0; index < ENTRIES; index += 1) await call(kinds['remember, add'])
  for (const kind of Object.values(kinds)) for (let index = 0; index < 3; index += 1) await call(kind)
  log(`mcp: ${calls} calls of each of ${Object.keys(kinds).length} kinds over ${messages} messages…`)
  const times = new Map(Object.keys(kinds).map((kind) => [kind, []]))
  // In turns, as an agent's calls come: none benefits from a cache that the previous one filled.
  for (let index = 0; index < calls; index += 1)
    for (const [name, kind] of Object.entries(kinds)) times.get(name).push(await call(kind))
  const peak = session.peakBytes()
  if (peak === null) log('mcp: this system does not tell how much memory the server held; it is left out')
  await session.close()
  const all = [...times.values()].flat()
  return [
    ...[...times].map(([name, ms]) => ({
      name: `mcp: ${name}`,
      value: median(ms),
      spread: percentile(ms, 0.95),
      unit: 'ms',
    })),
    { name: 'mcp: all tool calls, p95', value: percentile(all, 0.95), unit: 'ms', target: { most: CALL_MS } },
    ...(peak === null
      ? []
      : [{ name: 'mcp: peak memory', value: peak / 1024 / 1024, unit: 'MiB', target: { most: MEMORY_MIB } }]),
  ]
}
