// Real agents with `cairn gateway` between them and their model: they work as without it, what it records is what the model
// billed, and an import of the transcripts that they leave counts nothing twice.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newWord } from './agent-on-workstation.mjs'
import { claudeCode } from './agents/claude-code.mjs'
import { codex } from './agents/codex.mjs'
import { installAgent } from './install-agent.mjs'
import { waitFor } from './run-program.mjs'
import { startModelServer } from './server/model-server.mjs'
import { createWorkstation } from './workstation.mjs'

const command = fileURLToPath(new URL('../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const chosen = process.env.CAIRN_AGENTS?.split(',')

/** A gateway of the workstation's user. */
const startGateway = async ({ env, project }, upstream) => {
  const child = spawn(process.execPath, [command, 'gateway', '--json', '--port', '0', '--upstream', upstream], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const events = []
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line)))
  const told = (name) => events.filter(({ event }) => event === name)
  const { url } = await waitFor('gateway', async () => told('listening')[0])
  return {
    url,
    told,
    stop: async () => {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

for (const agent of [claudeCode, codex].filter(({ name }) => chosen?.includes(name) !== false))
  describe(`${agent.title} ${agent.version} through cairn gateway`, () => {
    let server
    let workstation
    let gateway
    let program
    const prompt = `What does a ${newWord()} do in this harbour?`

    before(async () => {
      program = agent.program(installAgent(agent))
      server = await startModelServer()
      workstation = await createWorkstation(agent.name)
      gateway = await startGateway(workstation, server.origin)
      for (const [path, text] of Object.entries(agent.settings(gateway.url))) workstation.write(path, text)
    })
    after(async () => {
      await gateway?.stop()
      await server?.close()
      await workstation?.remove()
    })

    /** Requests for replies that the model has answered. */
    const answered = () =>
      server.requests.filter(({ wire, path }) => wire !== undefined && !path.endsWith('/count_tokens')).length
    const run = async (words, reply, call) => {
      server.answerWith(reply, call)
      const output = await workstation.done([...program, ...words], agent.variables(gateway.url))
      assert.ok(output.includes(reply), output)
      await waitFor('record of all requests', async () =>
        gateway.told('request').length === answered() ? true : undefined,
      )
      assert.deepEqual(gateway.told('trouble'), [])
    }
    const total = async () => (await workstation.cairnJson('usage')).total

    it('is answered, with its tools, and every request is recorded to the token', async () => {
      await run(agent.turn(prompt), `It guards the ${newWord()} at night.`)
      const { requests, outputTokens } = await total()
      assert.equal(requests, answered())
      const expected = gateway.told('request').reduce((sum, request) => sum + request.outputTokens, 0)
      assert.equal(outputTokens, expected)
      const { sessions } = await workstation.cairnJson('session', 'list')
      assert.deepEqual(
        sessions.map((session) => [session.agent, session.workspace]),
        [[agent.name, workstation.project]],
      )
    })

    it('has nothing counted twice by an import of its transcript, nor by what comes after', async () => {
      const before = await total()
      await workstation.cairnJson('import', '--agent', agent.name)
      assert.deepEqual(await total(), before)

      await run(agent.nextTurn('And by day?'), `By day it guards the ${newWord()}.`)
      const next = await total()
      assert.equal(next.requests, answered())
      await workstation.cairnJson('import', '--agent', agent.name)
      assert.deepEqual(await total(), next)
    })

    it('has each of its messages once, as an import alone has them', async () => {
      const messagesIn = async (...options) => {
        const { sessions } = await workstation.cairnJson('session', 'list', ...options)
        return sessions.map(({ title, messages }) => [title, messages])
      }
      const other = ['--store', `file:${workstation.data}/other.db`]
      await workstation.cairnJson('import', '--agent', agent.name, ...other)
      assert.deepEqual(await messagesIn(), await messagesIn(...other))
    })
  })
