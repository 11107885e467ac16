// `cairn gateway` in front of the checking server: what it adds to the time until the first byte, whether bytes and totals are
// equal, its memory; then connections that are cut at random moments on either side.
import { fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment, cairnJson } from './cairn.mjs'
import { median, percentile, randomNumbers } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'

const worker = fileURLToPath(new URL('gateway-worker.mjs', import.meta.url))
const MODEL = 'claude-sonnet-5-5'
const AT_ONCE = 100
/** Streams that go to the server itself at the same time, to be compared with. */
const DIRECT_AT_ONCE = 10
/** Between the events of a reply, ms: streams of models are slow. */
const PACE_MS = 150
const FIRST_BYTE_MS = 3
const CLASSES = ['inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens', 'outputTokens']
const MOMENTS = ['before-headers', 'after-headers', 'after-first-event', 'in-text', 'before-last-event']

/**
 * Measures a gateway in its own process, with whole streams and with streams that are cut.
 * @param {{ requests: number, cuts: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function gateway({ requests, cuts, log }) {
  const folder = scratchFolder('gateway')
  const provider = await startProvider()
  try {
    const whole = await startGateway(provider.url, join(folder, 'whole.db'))
    const results = await wholeStreams(provider, whole, requests, log)
    const cut = await startGateway(provider.url, join(folder, 'cut.db'))
    return [...results, ...(await cutStreams(provider, cut, cuts, log))]
  } finally {
    provider.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs streams through the gateway and some without it, and compares what arrived, what was billed, times and memory.
 */
async function wholeStreams(provider, subject, requests, log) {
  const direct = Math.round((requests * DIRECT_AT_ONCE) / AT_ONCE)
  log(`gateway: ${requests} streams, ${AT_ONCE} at once, and ${direct} without it…`)
  await provider.script(Array(requests + direct).fill({ kind: 'slow', at: 'after-first-event', delayMs: PACE_MS }))
  const memory = []
  const through = []
  const beside = []
  const random = randomNumbers(5)
  const run = (url, kept) => async (index) => {
    // Streams begin one by one, not all in the same moment.
    await sleep(random() * 20 * PACE_MS * Number(kept.length === 0))
    const answer = await streamed(url, index)
    kept.push(answer)
    if (kept === through) memory.push(subject.residentBytes())
  }
  await Promise.all([
    inParallel(AT_ONCE, requests, run(subject.url, through)),
    inParallel(DIRECT_AT_ONCE, direct, (index) => run(provider.url, beside)(requests + index)),
  ])
  await subject.untilRecorded(requests)
  const { digests, received, ledger } = await provider.report()
  const all = [...through, ...beside]
  const isEqual =
    isSame(
      digests,
      all.map(({ digest }) => digest),
    ) &&
    isSame(
      received,
      all.map(({ sent }) => sent),
    )
  const { total } = (await cairnJson(['usage', '--store', `file:${subject.store}`])).json
  // What went there directly is told by the same server, and recorded by nobody.
  const besideTokens = beside.reduce((sum, { usage }) => plus(sum, usage), NOTHING)
  const billed = minus(
    ledger.reduce((sum, { tokens }) => plus(sum, tokens), NOTHING),
    besideTokens,
  )
  const differences =
    CLASSES.filter((name) => total[name] !== billed[name]).length + Number(total.requests !== requests)
  await subject.stop()
  const times = through.map(({ firstMs }) => firstMs)
  const besideTimes = beside.map(({ firstMs }) => firstMs)
  log(`gateway: first byte ${median(times).toFixed(2)} ms through it, ${median(besideTimes).toFixed(2)} ms without`)
  const quarter = Math.floor(memory.length / 4)
  return [
    {
      name: 'gateway: added until first byte, p50',
      value: median(times) - median(besideTimes),
      unit: 'ms',
      target: { most: FIRST_BYTE_MS },
      spread: percentile(times, 0.95) - percentile(besideTimes, 0.95),
    },
    { name: 'gateway: bodies that differ', value: isEqual ? 0 : 1, unit: 'count', target: { most: 0 } },
    { name: 'gateway: sums that differ from the bill', value: differences, unit: 'count', target: { most: 0 } },
    {
      name: 'gateway: memory, last / second quarter',
      value: median(memory.slice(-quarter)) / median(memory.slice(quarter, 2 * quarter)),
      unit: 'ratio',
      target: { most: 1.2 },
    },
    { name: 'gateway: most memory', value: Math.max(...memory) / 2 ** 20, unit: 'MiB' },
  ]
}

/** Cuts streams at random moments on either side, and counts what was recorded wrongly, not recorded, or left open. */
async function cutStreams(provider, subject, cuts, log) {
  log(`gateway: ${cuts} streams that are cut on either side…`)
  const random = randomNumbers(11)
  await provider.script(Array(5).fill({ kind: 'comments' }))
  await inParallel(5, 5, (index) => streamed(subject.url, index))
  await subject.untilRecorded(5)
  const atRest = await subject.filesBeyond(0)
  const before = (await provider.report()).received.length
  // The order in which requests arrive is their own; what counts is how many of each there are.
  const isClient = Array.from({ length: cuts }, () => random() < 0.5)
  await provider.script(
    isClient.map((ofClient) =>
      ofClient
        ? { kind: 'slow', at: 'after-headers', delayMs: 5 }
        : { kind: 'cut', at: MOMENTS[Math.floor(random() * MOMENTS.length)] },
    ),
  )
  let ended = 0
  await inParallel(20, cuts, async (index) => {
    const answer = await streamed(subject.url, index, isClient[index] ? random() * 60 : undefined).catch(
      () => undefined,
    )
    ended += Number(answer?.isWhole === true)
  })
  // Provider's sockets are all closed when it reports.
  const { received } = await provider.report()
  // What was cut before it was sent on reached nobody.
  const recorded = (await subject.untilSettled()).slice(5)
  const partial = recorded.filter(({ error }) => error !== undefined).length
  const leaked = await subject.filesBeyond(atRest)
  await subject.stop()
  const reached = received.length - before
  log(
    `gateway: ${ended} whole at the client, ${partial} recorded as cut, ${recorded.length} in all, of ${reached} that reached the provider`,
  )
  return [
    {
      name: 'gateway: cut, recorded as whole',
      value: Math.max(0, recorded.length - partial - ended),
      unit: 'count',
      target: { most: 0 },
    },
    {
      name: 'gateway: cut, not recorded',
      value: Math.max(0, reached - recorded.length),
      unit: 'count',
      target: { most: 0 },
    },
    { name: 'gateway: cut, connections left open', value: leaked, unit: 'count', target: { most: 0 } },
  ]
}

const NOTHING = Object.fromEntries(CLASSES.map((name) => [name, 0]))
const plus = (sum, tokens) => Object.fromEntries(CLASSES.map((name) => [name, sum[name] + (tokens[name] ?? 0)]))
const minus = (sum, tokens) => Object.fromEntries(CLASSES.map((name) => [name, sum[name] - (tokens[name] ?? 0)]))
const isSame = (left, right) => left.toSorted().join() === right.toSorted().join()

/** Runs `work` for 0, 1, …, so many at once. */
const inParallel = (atOnce, count, work) => {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  return Promise.all(Array.from({ length: atOnce }, lane))
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** One stream, read to its end or cut after so many ms. Rejects where the connection breaks. */
function streamed(base, index, cutAfterMs) {
  const { hostname, port } = new URL(base)
  const text = `Question ${index}: ${'what does the tide do? '.repeat(1 + (index % 90))}`
  const body = JSON.stringify({
    model: MODEL,
    max_tokens: 4000,
    stream: true,
    messages: [{ role: 'user', content: text }],
  })
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      hostname,
      port,
      agent,
      method: 'POST',
      path: '/v1/messages',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'anthropic-version': '2023-06-01',
        authorization: 'Bearer test-key',
      },
    })
    let beganAt = 0
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const hash = createHash('sha256')
      const pieces = []
      let firstMs
      response.on('data', (piece) => {
        firstMs ??= performance.now() - beganAt
        hash.update(piece)
        pieces.push(piece)
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          firstMs,
          isWhole: response.complete && response.statusCode === 200,
          digest: hash.digest('hex'),
          sent: createHash('sha256').update(body).digest('hex'),
          usage: usageIn(Buffer.concat(pieces).toString()),
        }),
      )
    })
    outgoing.on('socket', () => {
      beganAt = performance.now()
    })
    outgoing.end(body)
    if (cutAfterMs !== undefined) setTimeout(() => outgoing.destroy(new Error('cut')), cutAfterMs)
  })
}

/** What a stream of Anthropic's says that it used. */
const usageIn = (text) => {
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data))
  const start = events.find(({ type }) => type === 'message_start')?.message.usage ?? {}
  const end = events.findLast(({ type }) => type === 'message_delta')?.usage ?? {}
  return {
    inputTokens: start.input_tokens,
    cacheReadTokens: start.cache_read_input_tokens,
    cacheWrite5mTokens: start.cache_creation?.ephemeral_5m_input_tokens ?? start.cache_creation_input_tokens,
    cacheWrite1hTokens: start.cache_creation?.ephemeral_1h_input_tokens,
    outputTokens: end.output_tokens ?? start.output_tokens,
  }
}

async function startProvider() {
  const child = fork(worker, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ url }] = await once(child, 'message')
  const ask = async (message) => {
    child.send(message)
    return (await once(child, 'message'))[0]
  }
  return {
    url,
    script: (faults) => ask({ faults }),
    report: () => ask({ report: true }),
    close: () => child.disconnect(),
  }
}

/**
 * Starts a gateway as a process, and waits until it listens. Its memory and open files are read from `/proc`, so only
 * on Linux.
 */
async function startGateway(upstream, store) {
  const args = ['gateway', '--json', '--port', '0', '--upstream', upstream, '--store', `file:${store}`]
  const [program, ...words] = cairnCommand(args)
  const child = spawn(program, words, {
    env: { ...process.env, ...cairnEnvironment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const events = []
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line)))
  const told = (name) => events.filter(({ event }) => event === name)
  while (told('listening').length === 0) {
    if (child.exitCode !== null) throw new Error(`cairn gateway ended with ${child.exitCode}`)
    await sleep(10)
  }
  const [{ url, pid }] = told('listening')
  const openFiles = () => readdirSync(`/proc/${pid}/fd`).length
  return {
    url,
    store,
    openFiles,
    residentBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    untilRecorded: async (count) => {
      for (const end = Date.now() + 120_000; told('request').length < count; await sleep(20))
        if (Date.now() > end || told('trouble').length > 0)
          throw new Error(`${told('request').length} of ${count} were recorded: ${JSON.stringify(told('trouble'))}`)
    },
    /** What was recorded when nothing has come for a second. */
    untilSettled: async () => {
      for (let before = -1; before !== told('request').length; await sleep(1000)) before = told('request').length
      if (told('trouble').length > 0) throw new Error(JSON.stringify(told('trouble')))
      return told('request')
    },
    /** How many more files and sockets are open than at rest; idle connections get time to close. */
    filesBeyond: async (atRest) => {
      agent.destroy()
      for (const end = Date.now() + 20_000; openFiles() > atRest && Date.now() < end;) await sleep(100)
      return Math.max(0, openFiles() - atRest)
    },
    stop: async () => {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
