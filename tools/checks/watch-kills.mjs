// `cairn watch`, killed twenty times at random moments while twenty transcripts grow: its store ends as that of one import.
import { spawn } from 'node:child_process'
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cairnCommand, cairnEnvironment, cairnJson } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { assertSameState, assertSound, stateOf } from './state.mjs'

const FILES = 20
/** A transcript grows about so often, ms. */
const EVERY_MS = 40
/** The longest life of a watch, ms: some are killed before they follow, most while they take in. */
const LONGEST_MS = 2_500
const MODELS = ['claude-sonnet-4-5-20250929', 'claude-opus-4-5-20251101', 'claude-haiku-4-5-20251001']

/**
 * Proves that a watch that is killed again and again leaves the store of one import.
 * @type {import('./index.mjs').Check}
 */
export async function watchKills({ quick, log }) {
  const kills = quick ? 5 : 20
  const seed = Date.now() % 1_000_000
  log(`watch-kills: seed ${seed}`)
  const random = randomNumbers(seed)
  const folder = scratchFolder('watch-kills')
  const logs = join(folder, 'projects')
  const watched = `file:${join(folder, 'watched.db')}`
  const plain = `file:${join(folder, 'plain.db')}`
  const from = ['--agent', 'claude-code', '--from', logs]
  const growing = grow(logs, random)
  const told = { messages: 0, following: 0, trouble: [] }
  for (let index = 0; index < kills; index += 1) {
    await killAfter([...from, '--store', watched], folder, START_UP_MS + random() * LONGEST_MS, told)
    if (index % 5 === 4) await assertSound(watched, `after kill ${index + 1}`)
  }
  const written = await growing.end()
  // The last one is left to take in what is missing.
  await endWhenFollowing([...from, '--store', watched], folder, told)
  await cairnJson(['import', ...from, '--store', plain])
  const expected = await stateOf(plain)
  assert.equal(expected.counts.requests, written, 'the import lost requests')
  assertSameState(await stateOf(watched), expected, 'watched and killed')
  await assertSound(watched, 'watched and killed')
  assert.equal((await cairnJson(['import', ...from, '--store', watched])).json.messages, 0, 'an import found more')
  assert.deepEqual(told.trouble, [], 'a watch told of trouble')
  rmSync(folder, { recursive: true, force: true })
  return `${kills} kills, ${told.following} of them while it followed (${told.messages} messages live); ${FILES} transcripts, ${expected.counts.sessions} sessions, ${written} requests, ${expected.usage.model.total.costUsd.toFixed(2)} USD: all as by one import`
}

const START_UP_MS = 150

/** Lets transcripts grow until `end`, which resolves with how many replies were written: some lines in two writes. */
function grow(logs, random) {
  const numbers = Array.from({ length: FILES }, () => 0)
  let isEnding = false
  const running = (async () => {
    while (!isEnding) {
      const file = Math.floor(random() * FILES)
      const session = `live${file}`
      const path = join(logs, `p${file % 7}`, `${session}.jsonl`)
      mkdirSync(dirname(path), { recursive: true })
      const text = line(session, (numbers[file] += 1), random)
      const cut = random() < 0.2 ? Math.floor(random() * text.length) : text.length
      appendFileSync(path, text.slice(0, cut))
      await wait(EVERY_MS * random())
      if (cut < text.length) appendFileSync(path, text.slice(cut))
    }
  })()
  return {
    end: async () => {
      isEnding = true
      await running
      return numbers.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** A line of a made transcript; equal arguments give the same ids, but another text. */
function line(session, number, random) {
  const words = 'words of an answer, ä and 字 too '.repeat(1 + Math.floor(random() * 120))
  return `${JSON.stringify({
    type: 'assistant',
    uuid: `${session}-${number}`,
    sessionId: session,
    timestamp: new Date(Date.UTC(2026, 0, 1, 8) + number * 61_000).toISOString(),
    cwd: `/code/${session.length % 3}`,
    requestId: `r-${session}-${number}`,
    message: {
      id: `m-${session}-${number}`,
      role: 'assistant',
      model: MODELS[number % MODELS.length],
      content: [{ type: 'text', text: `answer ${number} of ${session}: ${words}` }],
      usage: {
        input_tokens: Math.floor(random() * 900),
        cache_read_input_tokens: Math.floor(random() * 90_000),
        cache_creation_input_tokens: Math.floor(random() * 4_000),
        output_tokens: 1 + Math.floor(random() * 700),
      },
    },
  })}\n`
}

/** Starts the watch; `onLine` is given each line as it comes. */
function start(args, folder, onLine) {
  const [program, ...rest] = cairnCommand(['watch', '--json', ...args])
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...cairnEnvironment, CAIRN_HOME: folder, NODE_OPTIONS: '' },
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const parts = `${text}${chunk}`.split('\n')
    text = parts.pop()
    for (const part of parts) onLine(JSON.parse(part))
  })
  return { child, ended: new Promise((resolve) => child.once('close', resolve)) }
}

const counting = (told, onFollowing) => (document) => {
  if (document.event === 'import') told.messages += document.messages
  if (document.event === 'trouble') told.trouble.push(document.message)
  if (document.event === 'following') onFollowing()
}

/** Kills the watch after so many ms, and waits until it has ended. */
async function killAfter(args, folder, ms, told) {
  const { child, ended } = start(
    args,
    folder,
    counting(told, () => {
      told.following += 1
    }),
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await ended
  clearTimeout(timer)
}

/** Starts it once more, and ends it as Ctrl-C does once all that is there is in. */
async function endWhenFollowing(args, folder, told) {
  const { child, ended } = start(
    args,
    folder,
    counting(told, () => child.kill('SIGINT')),
  )
  assert.equal(await ended, 0, 'Ctrl-C did not end it well')
}
