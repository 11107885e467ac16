// Many processes of `cairn run` on one store at once: totals are those of the provider, every session is whole, and of several
// runs on one session one works at a time. On SQLite and on PostgreSQL.
import { spawn } from 'node:child_process'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '@cairn/core/testing'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { cairnCommand, cairnEnvironment, cairnJson } from '../bench/cairn.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { assertSound } from './state.mjs'

const AGENTS = 50
const FEW = 8
const PROJECTS = 3
/** Runs that go on with one session at once. */
const TOGETHER = 4
const NANO = 1e9

/** @type {Record<string, import('./index.mjs').Check>} */
export const agentsAtOnce = {
  'agents-at-once': async ({ quick, log }) => {
    const folder = scratchFolder('agents-at-once')
    try {
      return await check({ agents: quick ? FEW : AGENTS, store: `file:${join(folder, 'store.db')}`, folder, log })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  'agents-at-once-postgresql': async ({ log }) => {
    const folder = scratchFolder('agents-at-once')
    const server = await startPostgres()
    try {
      return await check({ agents: FEW, store: await server.database(), folder, log })
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** How many files the agent of a number writes, one a request; different ones end at different times. */
const stepsOf = (number) => 1 + (number % 4)
const fileOf = (number, step) => `task-${number}-${step}.txt`
const contentOf = (number, step) => `${number} ${'word '.repeat(1 + step * number)}\n`

/** Runs agents at once on one store, and asserts that requests, costs, files and logs are exact; returns a sentence. */
async function check({ agents, store, folder, log }) {
  const server = await startModelServer({ makeReply })
  try {
    const projects = Array.from({ length: PROJECTS }, (_, index) => project(folder, `project-${index}`))
    const projectOf = (number) => projects[number % PROJECTS]
    const startedAt = performance.now()
    const ends = await Promise.all(
      Array.from({ length: agents }, async (_, number) => {
        const result = await run([`Task ${number}: ${'detail '.repeat(number)}`], projectOf(number), { server, store })
        assert.equal(result.code, 0, `agent ${number}: ${result.stderr.slice(0, 1_000)}`)
        return result.ended
      }),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    log(`agents-at-once: ${agents} ended after ${seconds.toFixed(0)} s`)
    for (const [number, { turns }] of ends.entries()) {
      assert.equal(turns, stepsOf(number) + 1, `agent ${number} made another number of requests`)
      for (let step = 0; step < stepsOf(number); step += 1) {
        const path = join(projectOf(number), fileOf(number, step))
        assert.ok(existsSync(path), `${path} is missing`)
        assert.equal(readFileSync(path, 'utf8'), contentOf(number, step))
      }
    }
    await assertTotals({ store, server, ends })
    const { worked, refused } = await onOneSession({ store, server, session: ends[0].sessionId, where: projectOf(0) })
    await assertSound(store, 'at the end')
    assert.deepEqual(
      server.requests.flatMap(({ problem }) => problem ?? []),
      [],
      'a request broke a rule',
    )
    return `${agents} processes with ${server.ledger.length} requests in ${seconds.toFixed(0)} s: totals, costs and files are exact, every session is whole; of ${TOGETHER} on one session at once ${worked} worked one after another and ${refused} were refused`
  } finally {
    await server.close()
  }
}

/** Tokens and costs are the provider's, and each session's what its process said. */
async function assertTotals({ store, server, ends }) {
  const { rows, total } = (await cairnJson(['usage', '--by', 'session', '--store', store])).json
  const sum = (pick) => server.ledger.reduce((all, call) => all + Number(pick(call)), 0)
  assert.equal(rows.length, ends.length, 'another number of sessions')
  assert.equal(total.requests, server.ledger.length, 'another number of requests')
  assert.equal(
    total.outputTokens,
    sum(({ tokens }) => tokens.outputTokens),
    'other tokens of output',
  )
  assert.equal(
    total.inputTokens,
    sum(({ tokens }) => tokens.inputTokens),
    'other tokens of input',
  )
  assert.equal(
    Math.round(total.costUsd * NANO),
    sum(({ costNano }) => costNano),
    'another cost',
  )
  const { sessions } = (await cairnJson(['session', 'list', '--limit', String(ends.length + 1), '--store', store])).json
  const byId = new Map(sessions.map((session) => [session.id, session]))
  for (const [number, { sessionId, costUsd }] of ends.entries()) {
    const session = byId.get(sessionId)
    assert.ok(session !== undefined, `the session of agent ${number} is missing`)
    assert.equal(session.requests, stepsOf(number) + 1, `the session of agent ${number} has other requests`)
    // The task, then a reply and a result for each file, then the last reply.
    assert.equal(session.messages, 2 + 2 * stepsOf(number), `the session of agent ${number} has other messages`)
    assert.equal(Math.round(session.costUsd * NANO), Math.round(costUsd * NANO), `agent ${number} cost another sum`)
  }
}

/**
 * Lets several runs go on with one session, and asserts that each works on it alone, or says who is at work and leaves
 * nothing.
 */
async function onOneSession({ store, server, session, where }) {
  const results = await Promise.all(
    Array.from({ length: TOGETHER }, (_, index) =>
      run([`Once more, ${index}`, '--resume', session], where, { server, store }),
    ),
  )
  const worked = results.filter(({ code }) => code === 0).length
  assert.ok(worked > 0, `nobody worked: ${results[0].stderr}`)
  for (const { code, stderr } of results)
    if (code !== 0) {
      assert.equal(code, 3, stderr)
      assert.match(stderr, /^A run of process \d+ is at work on the session /m)
    }
  const { messages } = (await cairnJson(['session', 'list', '--limit', '1000', '--store', store])).json.sessions.find(
    ({ id }) => id === session,
  )
  assert.equal(messages, 2 + 2 * stepsOf(0) + 2 * worked, 'a run that was refused left something')
  return { worked, refused: TOGETHER - worked }
}

/** Writes the files of the task, then says that it is done; further messages are answered at once. */
function makeReply({ body }) {
  const blocks = body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
  const task = blocks.map(({ text }) => /^Task (\d+):/.exec(text ?? '')).find((found) => found)
  const number = Number(task?.[1])
  const step = blocks.filter(({ type }) => type === 'tool_result').length
  const words = { type: 'text', text: `${'so '.repeat(1 + number)}it is.` }
  if (step >= stepsOf(number)) return { blocks: [words] }
  const input = { path: fileOf(number, step), content: contentOf(number, step) }
  return { blocks: [words, { type: 'tool-call', name: 'write_file', input }] }
}

/** A new, empty project. */
function project(folder, name) {
  const path = join(folder, name)
  mkdirSync(join(path, '.git'), { recursive: true })
  writeFileSync(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  return path
}

/** Runs the command; resolves with its exit code, what it said, and how its turn ended. */
function run(task, workspace, { server, store }) {
  const more = ['--model', 'claude-sonnet-5', '--base-url', server.url, '--approve', 'all', '--no-ltm', '--json']
  const [program, ...rest] = cairnCommand(['run', ...task, ...more, '--workspace', workspace, '--store', store])
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...cairnEnvironment, ANTHROPIC_API_KEY: 'test-key', NODE_OPTIONS: '' },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => (stdout += piece))
  child.stderr.setEncoding('utf8').on('data', (piece) => (stderr += piece))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? ''
      resolve({ code, stderr, ended: last === '' ? undefined : JSON.parse(last) })
    })
  })
}
