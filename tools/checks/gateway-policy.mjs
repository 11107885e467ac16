// A context policy on the wire against `cairn replay`: recorded sessions, sent again to the server that checks the provider's rules
// and bills, cost what the replay of the policy says; through a gateway with the policy, and from an agent that applies it itself. What was read from the cache is the
// server's word; tokens are counted as the replay counts them, because the server's count includes what is around a block's text.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelFacts, policyOf, replyReserve, trajectoryOf } from '@cairn/core'
import { readTranscript } from '@cairn/core/importers'
import { createFileSystem, createHasher, createIds } from '@cairn/core/node'
import { createAccess, createRecorder, createRequestPolicy, startGateway } from '@cairn/core/node/gateway'
import { createInMemoryStore, startModelServer } from '@cairn/core/testing'
import { measuredInput } from '../../packages/core/src/node/gateway/policy/measured-bill.fixture.ts'
import { runOwnAgent, runRecordedAgent } from '../../packages/core/src/node/gateway/policy/recorded-agent.fixture.ts'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder } from '../bench/paths.mjs'

const MODEL = 'claude-sonnet-4-5'
const PREFIX = 20_000
const MAX_TOKENS = 8_000
const PRICES = { input: '3', output: '15', cacheWrite5m: '3.75', cacheWrite1h: '6', cacheRead: '0.30' }
/** Of all sessions together. */
const TOLERANCE = 0.02
/**
 * Of a single one. A replay takes it that the provider has a mark at each cut; a request has room for one or two, so that a rewrite
 * now and then is written from further ahead, which in a short session weighs more.
 */
const SESSION_TOLERANCE = 0.03

/**
 * Proves that the gateway's policy saves what its replay says.
 * @type {import('./index.mjs').Check}
 */
export async function gatewayPolicy({ quick, log }) {
  const data = dataFolder()
  const source = data === undefined ? undefined : join(data, 'trajectories')
  if (source === undefined || !existsSync(join(source, 'manifest.json')))
    return 'skipped: the recorded sessions are not beside the repository'
  const files = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'))
    .filter(({ format }) => format === 'claude')
    .map(({ file }) => file)
    .sort()
  const chosen = files.filter((_, index) => index % (quick ? 15 : 3) === 2)
  const rows = []
  for (const file of chosen) {
    const row = await compare(join(source, file))
    const difference = row.billedUsd / row.replayedUsd - 1
    const ownDifference = row.ownUsd / row.replayedUsd - 1
    rows.push({ file, difference, ownDifference, ...row })
    log(
      `gateway-policy: ${file}: ${row.requests} requests, ${row.rewrites} rewrites, $${row.noneUsd.toFixed(3)} of input without a policy; with it $${row.billedUsd.toFixed(3)}, from Cairn's agent $${row.ownUsd.toFixed(3)}, by the replay $${row.replayedUsd.toFixed(3)}`,
    )
  }
  const gateway = asserted('through the gateway', 'difference', 'billedUsd', rows)
  const own = asserted("from Cairn's agent", 'ownDifference', 'ownUsd', rows)
  return `${rows.length} sessions cost what their replays say: ${gateway}; ${own}`
}

/** What is to be told of a way to the provider. Throws where it costs anything else than the replay says. */
function asserted(way, difference, usd, rows) {
  const off = rows.filter((row) => Math.abs(row[difference]) > SESSION_TOLERANCE)
  const told = off.map((row) => `${row.file} ${way}: ${percent(row[difference])} off`)
  assert.equal(off.length, 0, told.join('\n'))
  const sumOf = (name) => rows.reduce((sum, row) => sum + row[name], 0)
  const together = sumOf(usd) / sumOf('replayedUsd') - 1
  assert.ok(Math.abs(together) <= TOLERANCE, `all sessions together ${way} are ${percent(together)} off`)
  const worst = Math.max(...rows.map((row) => Math.abs(row[difference])))
  return `${way} to ${percent(together)}, one by one to ${percent(worst)}`
}

const percent = (share) => `${(share * 100).toFixed(2)} %`

/** What the input costs in USD: with the policy as billed, and as replayed; and without one, as replayed. */
async function compare(path) {
  const { charsPerToken, contextWindow } = modelFacts(MODEL)
  const { json } = await cairnJson(
    [
      ['replay', path, '--policy', 'none,cache-aware'],
      ['--window', String(contextWindow), '--prefix', String(PREFIX), '--chars-per-token', String(charsPerToken)],
    ].flat(),
  )
  const [none, policy] = ['none', 'cache-aware'].map((name) => json.policies.find((each) => each.policy === name))
  const { sessions } = await readTranscript(path, { fileSystem: createFileSystem(), hasher: createHasher() })
  const { facts, entries, lines, requests } = sessions[0]
  const trajectory = trajectoryOf({
    session: facts.id,
    entries,
    lines,
    requests,
    charactersPerToken: charsPerToken,
  })
  const system = 'x'.repeat(Math.floor(PREFIX * charsPerToken))
  return {
    requests: policy.requests,
    rewrites: policy.rewrites,
    noneUsd: inputOf(none),
    replayedUsd: inputOf(policy),
    billedUsd: await billedInput(trajectory, system, charsPerToken),
    ownUsd: await ownInput(trajectory, system, charsPerToken, contextWindow),
  }
}

const inputOf = ({ costByClass: { read, fresh, rewritten, cold } }) => read + fresh + rewritten + cold

/** USD that the server bills for the input of all requests of a session. */
async function billedInput(trajectory, system, charactersPerToken) {
  let now = 0
  const server = await startModelServer({ clock: () => now, models: [servedModel()] })
  const gateway = await openGateway(server.url, () => now)
  try {
    await runRecordedAgent({
      trajectory,
      server,
      url: gateway.url,
      model: MODEL,
      system,
      maxTokens: MAX_TOKENS,
      setNow: (at) => (now = at),
      untilOver: (count) => gateway.untilRecorded(count),
    })
    assert.deepEqual(gateway.told, [])
    assert.equal(server.requests.filter(({ problem }) => problem !== undefined).length, 0)
    return measuredInput(server, { prefix: PREFIX, charactersPerToken, prices: { read: 0.3, write: 3.75 } })
  } finally {
    await gateway.close()
    await server.close()
  }
}

/** USD that the server bills for the input of all requests of a session when the agent itself applies the policy. */
async function ownInput(trajectory, system, charactersPerToken, window) {
  let now = 0
  const server = await startModelServer({ clock: () => now, models: [servedModel()] })
  try {
    const settings = {
      ...{ window, prefix: PREFIX, charactersPerToken, cacheLifetime: 300 },
      prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
      reply: replyReserve({ window, prefix: PREFIX }),
    }
    await runOwnAgent(
      { trajectory, server, url: server.url, model: MODEL, system, maxTokens: MAX_TOKENS, setNow: (at) => (now = at) },
      policyOf('cache-aware'),
      settings,
    )
    assert.equal(server.requests.filter(({ problem }) => problem !== undefined).length, 0)
    return measuredInput(server, { prefix: PREFIX, charactersPerToken, prices: { read: 0.3, write: 3.75 } })
  } finally {
    await server.close()
  }
}

/**
 * The model that is served, with a window so large that nothing is refused that the recorded agent would have
 * compacted.
 */
const servedModel = () => ({
  name: MODEL,
  wires: ['anthropic'],
  contextWindow: 1e8,
  maxOutputTokens: 1e6,
  minimumCacheableTokens: 1024,
  prices: PRICES,
  signature: 'text',
  // Some recorded replies follow each other.
  hasPrefill: true,
})

/** A gateway with the policy, whose clock is set. */
async function openGateway(upstream, now) {
  const home = mkdtempSync(join(tmpdir(), 'cairn-gateway-policy-'))
  const store = createInMemoryStore()
  const clock = { now }
  const hasher = createHasher()
  const fileSystem = createFileSystem()
  const told = []
  const recorder = createRecorder({
    store,
    clock,
    hasher,
    ids: createIds(clock),
    fileSystem,
    prices: {},
    environment: { home, platform: 'linux', variables: { CAIRN_HOME: join(home, 'data') } },
    folder: '/code/app',
  })
  let recorded = 0
  const waiting = []
  const url = new URL(upstream)
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    upstreams: { anthropic: url, responses: url, chat: url },
    access: (port) => createAccess({ hostNames: new Set([`127.0.0.1:${port}`]), token: undefined }),
    policy: createRequestPolicy({
      policy: 'cache-aware',
      recorder,
      store,
      hasher,
      prices: {},
      importTranscript: () => Promise.resolve(),
      tell: (sentence) => told.push(sentence),
      now,
    }),
    exchanged: async (exchange) => {
      await recorder.record(await exchange).written.catch((error) => told.push(String(error)))
      recorded += 1
      for (const look of waiting.splice(0)) look()
    },
    now,
  })
  return {
    url: `http://127.0.0.1:${gateway.port}`,
    told,
    untilRecorded: async (count) => {
      while (recorded < count) await new Promise((resolve) => waiting.push(resolve))
    },
    close: async () => {
      await gateway.close()
      await recorder.end()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
