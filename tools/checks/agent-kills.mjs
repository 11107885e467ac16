// `cairn run`, killed at random moments and gone on with: the files end as those of a run that nobody killed.
import { spawn } from 'node:child_process'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '@cairn/core/testing'
import { stepFiles, stepReply } from '../../packages/adapter-cli/src/testing/agent-steps.ts'
import { cairnCommand, cairnEnvironment } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { assertSound } from './state.mjs'

const STEPS = 12
/** A run that was killed is killed again as it goes on, with this chance. */
const AGAIN = 0.3

/**
 * Proves that an agent that is killed loses nothing and does nothing twice that it need not.
 * @type {import('./index.mjs').Check}
 */
export async function agentKills({ quick, seed, log }) {
  const kills = quick ? 10 : 100
  log(`agent-kills: --seed ${seed}`)
  const random = randomNumbers(seed)
  const files = stepFiles(STEPS)
  const server = await startModelServer({ makeReply: (call) => stepReply(call, files) })
  const folder = scratchFolder('agent-kills')
  const store = `file:${join(folder, 'store.db')}`
  const told = { killed: 0, same: 0, interrupted: 0, asked: 0 }
  try {
    const whole = await run(['run', 'Write the files'], project(folder, 'whole'), { server, store })
    assert.equal(whole.code, 0, whole.stderr)
    for (let index = 0; told.killed < kills; index += 1) {
      assert.ok(index < kills * 3, 'most runs ended before they were killed')
      const where = project(folder, `project-${index}`)
      let task = ['Write the files']
      let isKilled = false
      for (;;) {
        const isLast = isKilled && random() >= AGAIN
        const { code, stderr } = await run(
          ['run', ...task],
          where,
          { server, store },
          isLast ? undefined : random() * whole.ms,
        )
        if (code === 0) break
        // Killed before the session was on disk: nothing was begun, so it is begun again.
        if (code !== null && !/No session of an agent/.test(stderr)) assert.fail(`project ${index}: ${stderr}`)
        isKilled ||= code === null
        task = code === null ? ['--resume'] : ['Write the files']
      }
      if (!isKilled) continue
      told.killed += 1
      const text = JSON.stringify(server.requests.at(-1)?.body)
      if (text.includes('Interrupted, effect unknown')) told.interrupted += 1
      const isSame = [...files].every(
        ([path, content]) => existsSync(join(where, path)) && readFileSync(join(where, path), 'utf8') === content,
      )
      if (isSame) told.same += 1
      assert.equal(text.split('Write the files').length, 2, `project ${index}: the task stands twice, or not at all`)
      if (told.killed % 20 === 0) {
        log(`agent-kills: ${told.killed} killed`)
        await assertSound(store, `after ${told.killed}`)
      }
    }
    assert.deepEqual(
      server.requests.flatMap(({ problem }) => problem ?? []),
      [],
      'a request broke a rule',
    )
    assert.ok(told.same >= kills * 0.9, `only ${told.same} of ${kills} have the files of an undisturbed run`)
    return `${kills} runs of ${STEPS} steps killed at random moments and resumed: ${told.same} with the same files, ${told.interrupted} of them told of an interruption; the store is sound`
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A new, empty project. */
function project(folder, name) {
  const path = join(folder, name)
  mkdirSync(join(path, '.git'), { recursive: true })
  writeFileSync(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  return path
}

/** Runs the command, kills it after so many ms (absent: never), and waits for its end; the code of one that was killed is null. */
function run(args, workspace, { server, store }, killAfter) {
  const more = ['--model', 'claude-sonnet-5', '--base-url', server.url, '--approve', 'all', '--no-ltm', '--json']
  const [program, ...rest] = cairnCommand([...args, ...more, '--workspace', workspace, '--store', store])
  const startedAt = performance.now()
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...cairnEnvironment, ANTHROPIC_API_KEY: 'test-key', NODE_OPTIONS: '' },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk))
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stderr, ms: performance.now() - startedAt })
    }),
  )
}
