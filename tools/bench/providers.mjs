// Streams of models: what the port costs beside the provider's library alone, when the first piece is there, and memory.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from './numbers.mjs'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('providers-worker.mjs', import.meta.url))

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const delta = (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
const usage = { input_tokens: 20, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const OPENING =
  event({
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'large', content: [], usage },
  }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
const ENDING =
  event({ type: 'content_block_stop', index: 0 }) +
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 50_000 } }) +
  event({ type: 'message_stop' })

const DELTAS = 50_000
/** Deltas of several sizes, as many in a piece as arrive together from a fast server. */
const PIECES = Array.from({ length: DELTAS / 50 }, (_, piece) =>
  Array.from({ length: 50 }, (_, index) => delta(' word'.repeat(1 + ((piece + index) % 4)))).join(''),
)

/** What the server sends for each name of a model. */
const BODIES = {
  large: async (write) => {
    for (const piece of PIECES) await write(piece)
  },
  first: async (write) => {
    await write(delta(String(performance.timeOrigin + performance.now())))
  },
  slow: async (write) => {
    for (let round = 0; round < 40; round += 1) {
      await write(PIECES[round])
      await sleep(50)
    }
  },
}

/** Answers a request with a stream of pieces, as slowly as it is read. */
async function answer(request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const { model } = JSON.parse(Buffer.concat(parts).toString())
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = async (text) => {
    if (!response.write(text)) await once(response, 'drain')
  }
  await write(OPENING)
  if (model === 'first') await sleep(5)
  await BODIES[model](write)
  response.end(ENDING)
}

/**
 * Measures streams of a provider's library beside those of the port, against a server of its own.
 * @param {{ runs: number, rounds: number, firsts: number, log: (text: string) => void }} options
 *   `rounds`: processes of each kind; `runs`: streams in each; `firsts`: requests whose first piece is timed
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function providers({ runs, rounds, firsts, log }) {
  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  const measured = async (what, times = runs) =>
    JSON.parse(
      (await runWell([process.execPath, '--conditions=@cairn/source', worker, what, url, String(times)])).stdout,
    )
  try {
    const times = { library: [], port: [] }
    // In turns: whatever else the computer does, it does to both.
    for (let round = 0; round < rounds; round += 1)
      for (const what of ['library', 'port']) times[what].push(...(await measured(what)))
    const [library, port] = [median(times.library), median(times.port)]
    log(`providers: ${DELTAS} deltas: the library ${library.toFixed(0)} ms CPU, the port ${port.toFixed(0)} ms CPU`)
    const first = (await measured('first', firsts)).sort((left, right) => left - right)
    const [memory] = await measured('many')
    return [
      { name: `${DELTAS} deltas, port / library, CPU`, value: port / library, unit: 'ratio', target: { most: 1.05 } },
      { name: 'the same, port, CPU', value: port, unit: 'ms' },
      {
        name: 'first delta passed on',
        value: median(first) * 1000,
        unit: 'µs',
        target: { most: 2000 },
        spread: (first[Math.floor(first.length * 0.95)] ?? 0) * 1000,
      },
      { name: '100 streams at once, memory', value: memory, unit: 'MiB', target: { most: 200 } },
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
