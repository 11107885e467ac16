// A real Claude Code with its telemetry on, and `cairn otel`, in front of the server that checks the provider's rules and bills: what is
// recorded from telemetry alone is what was billed, and an import of its transcript counts nothing twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startModelServer } from '@cairn/core/testing'
import { claudeCode } from './agents/claude-code.mjs'
import { waitFor } from './run-program.mjs'
import { programOf, startServer } from './start-gateway.mjs'
import { createWorkstation } from './workstation.mjs'

const CLASSES = ['inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens', 'outputTokens']
const ANSWERS = ['The lock opens at nine.', 'Every boat waits.', 'By night it is closed.']

const isChosen = process.env.CAIRN_AGENTS?.split(',').includes(claudeCode.name) !== false
const program = isChosen ? programOf(claudeCode) : undefined

describe(
  `${claudeCode.title} ${claudeCode.version} tells cairn otel of its requests`,
  { skip: program === undefined },
  () => {
    let server
    let workstation
    let receiver

    before(async () => {
      server = await startModelServer({ keys: ['sk-ant-none'] })
      workstation = await createWorkstation(claudeCode.name)
      for (const [path, text] of Object.entries(claudeCode.settings(''))) workstation.write(path, text)
      receiver = await startServer(workstation, ['otel'])
    })
    after(async () => {
      await receiver?.stop()
      await server?.close()
      await workstation?.remove()
    })

    const variables = () => ({
      ...claudeCode.variables(server.url),
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/token/${receiver.token}`,
    })
    const work = async (words, answer) => {
      server.script({ reply: { blocks: [{ type: 'text', text: answer }] } })
      const output = await workstation.done([...program, ...words], variables())
      assert.equal(output.trim(), answer)
      await waitFor('telemetry of all requests', async () =>
        receiver.told('request').length >= server.ledger.length ? true : undefined,
      )
      assert.deepEqual(receiver.told('trouble'), [])
    }
    const billed = () =>
      Object.fromEntries(CLASSES.map((name) => [name, server.ledger.reduce((sum, each) => sum + each.tokens[name], 0)]))
    const recorded = async () => {
      const { total } = await workstation.cairnJson('usage')
      assert.equal(total.requests, server.ledger.length)
      return Object.fromEntries(CLASSES.map((name) => [name, total[name]]))
    }

    it('and what is recorded is what was billed, without any transcript being read in', async () => {
      await work(['-p', 'When does the lock open?'], ANSWERS[0])
      await work(['--continue', '-p', 'And who waits?'], ANSWERS[1])
      assert.deepEqual(await recorded(), billed())
      const { sessions } = await workstation.cairnJson('session', 'list')
      assert.deepEqual(
        sessions.map(({ agent, workspace, messages }) => [agent, workspace, messages]),
        [[claudeCode.name, workstation.project, 0]],
      )
    })

    it('and an import of its transcript counts nothing twice, before or after', async () => {
      await workstation.cairnJson('import', '--agent', claudeCode.name)
      assert.deepEqual(await recorded(), billed())
      await work(['--continue', '-p', 'And by night?'], ANSWERS[2])
      assert.deepEqual(await recorded(), billed())
      await workstation.cairnJson('import', '--agent', claudeCode.name)
      assert.deepEqual(await recorded(), billed())
    })
  },
)
