// A real Claude Code at work, with a context policy in the gateway and without one, in front of the server that checks the
// provider's rules and bills: it does the same, nothing that it sends is refused for what the policy did, and what is recorded is what
// was billed, also after an import of its transcript.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startModelServer } from '@cairn/core/testing'
import { claudeCode } from './agents/claude-code.mjs'
import { waitFor } from './run-program.mjs'
import { programOf, startGateway } from './start-gateway.mjs'
import { createWorkstation } from './workstation.mjs'

const RUNS = 30
const ANSWER = 'All of them passed.'
const CLASSES = ['inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens', 'outputTokens']
/** How many lines a run prints. */
const linesOf = (run) => 200 + run * 2
const SCRIPT = `const [run] = process.argv.slice(2).map(Number)
for (let line = 0; line < 200 + run * 2; line += 1)
  console.log(\`run \${run}: case_\${run}_\${line} passed in \${line * 3} ms, tried \${1 + (line % 7)} times\`)
`

const isChosen = process.env.CAIRN_AGENTS?.split(',').includes(claudeCode.name) !== false
const program = isChosen ? programOf(claudeCode) : undefined
const title = `${claudeCode.title} ${claudeCode.version} at work through cairn gateway`

for (const options of [[], ['--policy', 'cache-aware', '--preset', 'lean']])
  describe([title, ...options].join(' '), { skip: program === undefined }, () => {
    const hasPolicy = options.length > 0
    let server
    let workstation
    let gateway

    before(async () => {
      server = await startModelServer({ keys: ['sk-ant-none'] })
      workstation = await createWorkstation(claudeCode.name)
      writeFileSync(join(workstation.project, 'run.mjs'), SCRIPT)
      for (const [path, text] of Object.entries(claudeCode.settings(''))) workstation.write(path, text)
      gateway = await startGateway(workstation, server.url, options)
    })
    after(async () => {
      await gateway?.stop()
      await server?.close()
      await workstation?.remove()
    })

    const billed = () =>
      Object.fromEntries(CLASSES.map((name) => [name, server.ledger.reduce((sum, each) => sum + each.tokens[name], 0)]))
    const recorded = async () => {
      const { total } = await workstation.cairnJson('usage')
      assert.equal(total.requests, server.ledger.length)
      return Object.fromEntries(CLASSES.map((name) => [name, total[name]]))
    }
    const work = async (words, steps) => {
      server.script(...steps, { reply: { blocks: [{ type: 'text', text: ANSWER }] } })
      const output = await workstation.done(
        [...program, '--allowedTools', 'Bash', ...words],
        claudeCode.variables(gateway.url),
      )
      assert.equal(output.trim(), ANSWER)
      assert.equal(server.stepsLeft(), 0)
      await waitFor('record of all requests', async () =>
        gateway.told('request').filter(({ model }) => model !== undefined).length === server.ledger.length
          ? true
          : undefined,
      )
      assert.deepEqual(gateway.told('trouble'), [])
    }
    const runStep = (run) => {
      const input = { command: `node run.mjs ${run}`, description: 'Runs the cases' }
      return { reply: { blocks: [{ type: 'tool-call', name: 'Bash', input }] } }
    }

    it('does its work, and no rule is broken by what was left out', async () => {
      await work(
        ['-p', 'Run all of it.'],
        Array.from({ length: RUNS }, (_, run) => runStep(run)),
      )
      // Beta fields that the server does not know are the agent's own; it leaves them out then.
      const refused = server.requests.flatMap(({ problem }) => problem?.message ?? [])
      assert.deepEqual(
        refused.filter((message) => !/^context_management: Extra inputs/.test(message)),
        [],
      )
      const leftOut = gateway.told('request').at(-1).leftOutTokens
      if (hasPolicy) assert.ok(leftOut > 10_000, `${leftOut} tokens were left out`)
      else assert.equal(leftOut, undefined)
      const newest = server.requests.at(-1).text
      assert.equal(newest.includes('case_0_150 passed'), !hasPolicy)
      // A long result keeps its ends.
      const last = RUNS - 1
      for (const line of [0, linesOf(last) - 1]) assert.ok(newest.includes(`case_${last}_${line} passed`))
    })

    it('is recorded as it was billed, and an import of its transcript counts nothing twice', async () => {
      assert.deepEqual(await recorded(), billed())
      await workstation.cairnJson('import', '--agent', claudeCode.name)
      assert.deepEqual(await recorded(), billed())
      const { sessions } = await workstation.cairnJson('session', 'list')
      assert.deepEqual(
        sessions.map(({ agent, messages }) => [agent, messages]),
        [[claudeCode.name, 2 * RUNS + 2]],
      )
      const { results } = await workstation.cairnJson('recall', 'case_0_150')
      assert.equal(results[0]?.sessionId, sessions[0].id)
    })

    it('goes on with its own history, which is whole', async () => {
      await work(['--continue', '-p', 'Once more, the last one.'], [runStep(RUNS)])
      assert.deepEqual(await recorded(), billed())
      await workstation.cairnJson('import', '--agent', claudeCode.name)
      assert.deepEqual(await recorded(), billed())
    })
  })
