// Real agents with `cairn gateway` between them and their model: they work as without it, what it records is what the model
// billed, and an import of the transcripts that they leave counts nothing twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newWord } from './agent-on-workstation.mjs'
import { claudeCode } from './agents/claude-code.mjs'
import { codex } from './agents/codex.mjs'
import { waitFor } from './run-program.mjs'
import { startModelServer } from './server/model-server.mjs'
import { programOf, startGateway } from './start-gateway.mjs'
import { createWorkstation } from './workstation.mjs'

const chosen = process.env.CAIRN_AGENTS?.split(',')

const MODES = [[], ['--policy', 'cache-aware']]

const runs = [claudeCode, codex]
  .filter(({ name }) => chosen?.includes(name) !== false)
  .map((agent) => ({ agent, program: programOf(agent) }))
  .flatMap((installed) => MODES.map((options) => ({ ...installed, options })))

for (const { agent, program, options } of runs)
  describe(
    `${[agent.title, agent.version, 'through cairn gateway', ...options].join(' ')}`,
    { skip: program === undefined },
    () => {
      let server
      let workstation
      let gateway
      const prompt = `What does a ${newWord()} do in this harbour?`

      before(async () => {
        server = await startModelServer()
        workstation = await createWorkstation(agent.name)
        gateway = await startGateway(workstation, server.origin, options)
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
      const run = async (words, reply) => {
        server.answerWith(reply)
        const output = await workstation.done([...program, ...words], agent.variables(gateway.url))
        assert.ok(output.includes(reply), output)
        await waitFor('record of all requests', async () =>
          gateway.told('request').length === answered() ? true : undefined,
        )
        assert.deepEqual(gateway.told('trouble'), [])
      }
      const total = async () => (await workstation.cairnJson('usage')).total

      it('is answered, and every request is recorded to the token', async () => {
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
    },
  )
