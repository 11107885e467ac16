// A context policy in the gateway against `cairn replay`: recorded sessions, sent again through a gateway with the policy to the
// server that checks the provider's rules and bills, cost what the replay of the policy says. The server counts tokens in its own
// way, so that costs are compared with those of the same session without a policy: by the bill, and by the replay.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelFacts, trajectoryOf } from '@cairn/core'
import { readTranscript } from '@cairn/core/importers'
import { createFileSystem, createHasher, createIds } from '@cairn/core/node'
import { createAccess, createRecorder, createRequestPolicy, startGateway } from '@cairn/core/node/gateway'
import { createInMemoryStore, startModelServer } from '@cairn/core/testing'
import { runRecordedAgent } from '../../packages/core/src/node/gateway/policy/recorded-agent.fixture.ts'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder } from '../bench/paths.mjs'

const MODEL = 'claude-sonnet-4-5'
const PREFIX = 20_000
const MAX_TOKENS = 8_000
const PRICES = { input: '3', output: '15', cacheWrite5m: '3.75', cacheWrite1h: '6', cacheRead: '0.30' }
const TOLERANCE = 0.02

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
    const difference = row.billed / row.replayed - 1
    rows.push({ file, difference })
    log(
      `gateway-policy: ${file}: ${row.requests} requests, ${row.rewrites} rewrites; input costs ${percent(row.billed)} of what it does without a policy, by the replay ${percent(row.replayed)}`,
    )
  }
  const off = rows.filter(({ difference }) => Math.abs(difference) > TOLERANCE)
  assert.equal(off.length, 0, off.map(({ file, difference }) => `${file}: ${percent(difference)} off`).join('\n'))
  const worst = Math.max(...rows.map(({ difference }) => Math.abs(difference)))
  return `${rows.length} sessions through the gateway cost what their replay says, to ${percent(worst)} at most`
}

const percent = (share) => `${(share * 100).toFixed(2)} %`

/** What the policy's input costs as a share of the same without it: as billed, and as replayed. */
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
  const without = await billedInput(trajectory, system, undefined)
  const withPolicy = await billedInput(trajectory, system, 'cache-aware')
  return {
    requests: policy.requests,
    rewrites: policy.rewrites,
    billed: withPolicy / without,
    replayed: inputOf(policy) / inputOf(none),
  }
}

const inputOf = ({ costByClass: { read, fresh, rewritten, cold } }) => read + fresh + rewritten + cold

/** USD that the server bills for the input of all requests of a session. */
async function billedInput(trajectory, system, policy) {
  let now = 0
  const server = await startModelServer({ clock: () => now, models: [servedModel()] })
  const gateway = await openGateway(server.url, policy, () => now)
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
    return server.ledger.reduce((sum, { tokens }) => sum + inputCost(tokens), 0)
  } finally {
    await gateway.close()
    await server.close()
  }
}

/** So large that nothing is refused that the recorded agent would have compacted. */
const servedModel = () => ({
  name: MODEL,
  wires: ['anthropic'],
  contextWindow: 1e8,
  maxOutputTokens: 1e6,
  minimumCacheableTokens: 1024,
  prices: PRICES,
  signature: 'text',
})

const inputCost = ({ inputTokens, cacheReadTokens, cacheWrite5mTokens }) =>
  (inputTokens * Number(PRICES.input) +
    cacheReadTokens * Number(PRICES.cacheRead) +
    cacheWrite5mTokens * Number(PRICES.cacheWrite5m)) /
  1e6

/** A gateway whose clock is set; without a policy bytes pass. */
async function openGateway(upstream, policy, now) {
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
    policy:
      policy === undefined
        ? undefined
        : createRequestPolicy({
            policy,
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
