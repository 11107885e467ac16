// The plugin that `npm run plugin` builds, installed by a real Claude Code instead of `cairn setup`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newWord, rolesWith } from './agent-on-workstation.mjs'
import { claudeCode as agent } from './agents/claude-code.mjs'
import { installAgent } from './install-agent.mjs'
import { waitFor } from './run-program.mjs'
import { startModelServer } from './server/model-server.mjs'
import { createWorkstation } from './workstation.mjs'

const buildScript = fileURLToPath(new URL('../plugin/build.mjs', import.meta.url))

describe(`${agent.title} ${agent.version} with the plugin`, () => {
  let server
  let workstation

  before(async () => {
    server = await startModelServer()
    workstation = await createWorkstation(agent.name)
  })
  after(async () => {
    await server?.close()
    await workstation?.remove()
  })

  it('is given the memory, offers the tools, and has its turn taken into the store', async () => {
    const program = agent.program(installAgent(agent))
    const claude = (...words) => workstation.done([...program, ...words], agent.variables(server.origin))
    const folder = join(workstation.home, 'marketplace')
    await workstation.done([process.execPath, buildScript, folder])
    await claude('plugin', 'marketplace', 'add', folder)
    await claude('plugin', 'install', 'cairn@cairn')

    const learnt = `The ferry ${newWord()} leaves at nine`
    await workstation.cairnJson('memory', 'add', 'discovery', learnt)
    const prompt = `Who drives the ${newWord()}?`
    server.answerWith(`The ${newWord()} does.`)
    await claude(...agent.turn(prompt))
    assert.deepEqual(rolesWith(server.requests, learnt), [agent.memoryRole])
    assert.ok(server.requests.some(({ tools }) => tools.some((name) => /cairn.*recall$/.test(name))))
    await waitFor('session in the store', async () =>
      (await workstation.cairnJson('session', 'list')).sessions.find(({ title }) => title === prompt),
    )
  })
})
