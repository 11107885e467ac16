// One measurement of streams of a model, in a process of its own: `node providers-worker.mjs <what> <url> <runs>`.
import { createRequire } from 'node:module'
import { createLanguageModel } from '@cairn/core/providers'

// The library is core's.
const { Anthropic } = createRequire(new URL('../../packages/core/package.json', import.meta.url))('@anthropic-ai/sdk')

const [what, url, runs] = process.argv.slice(2)
const MESSAGES = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]

const model = createLanguageModel({ provider: 'anthropic', baseUrl: url, apiKey: 'none' })
const ask = (size) => model.stream({ model: size, messages: MESSAGES, maxOutputTokens: 100_000 })
const library = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })

const WAYS = {
  library: async () => {
    let characters = 0
    const stream = await library.messages.create({
      model: 'large',
      messages: MESSAGES,
      max_tokens: 100_000,
      stream: true,
    })
    for await (const event of stream)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        characters += event.delta.text.length
    return characters
  },
  port: async () => {
    let characters = 0
    for await (const event of ask('large')) if (event.type === 'text') characters += event.text.length
    return characters
  },
}

/** CPU of one stream of 50,000 deltas after some to warm up, ms each. */
async function cpuTimes(way) {
  for (let run = 0; run < 3; run += 1) await way()
  const times = []
  for (let run = 0; run < Number(runs); run += 1) {
    const before = process.cpuUsage()
    const characters = await way()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    if (characters === 0) throw new Error('the stream was empty')
  }
  return times
}

/** From the server's write of the first delta until it is here, ms: the delta says when it was written. */
async function firstDeltas() {
  const times = []
  for (let run = 0; run < Number(runs); run += 1)
    for await (const event of ask('first'))
      if (event.type === 'text') times.push(performance.timeOrigin + performance.now() - Number(event.text))
  return times
}

/** The most memory that the process had with 100 streams at once, MiB. */
async function manyStreams() {
  const read = async () => {
    let count = 0
    for await (const event of ask('slow')) if (event.type === 'text') count += 1
    return count
  }
  const counts = await Promise.all(Array.from({ length: 100 }, read))
  if (counts.some((count) => count === 0)) throw new Error('a stream was empty')
  return [process.resourceUsage().maxRSS / 1024]
}

const measured =
  what === 'first' ? await firstDeltas() : what === 'many' ? await manyStreams() : await cpuTimes(WAYS[what])
console.log(JSON.stringify(measured))
