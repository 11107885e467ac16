/** What a tool prints while it runs, as the listener hears it. */
import { expect, it } from '@jest/globals'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { call, createBench, scriptedModel, text } from './scripted-agent.fixture.ts'

const printing: AgentTool = {
  definition: { name: 'run_command', description: 'Prints.', inputSchema: { type: 'object' } },
  prepare: (_input, { onOutput }) =>
    Promise.resolve({
      effect: 'none',
      title: 'run print',
      paths: [],
      run: () => {
        for (const line of ['one', 'two', 'three']) onOutput(line)
        return Promise.resolve({ content: [{ type: 'text', text: 'one two three' }] })
      },
    }),
}
const printingModel = () => scriptedModel([{ blocks: [call('c1', 'run_command', {})] }, { blocks: [text('Seen.')] }])

it('is told in order before the end of the call, however slow the listener is', async () => {
  const heard: string[] = []
  const options = createBench().options(printingModel(), {
    tools: [printing],
    onEvent: async (event) => {
      if (event.type !== 'tool-output' && event.type !== 'tool-finished') return
      // The first of them takes the longest.
      for (let turns = heard.length === 0 ? 20 : 1; turns > 0; turns -= 1) await new Promise(setImmediate)
      heard.push(event.type === 'tool-output' ? event.text : 'finished')
    },
  })
  await createAgent(options).run('Print')
  expect(heard).toEqual(['one', 'two', 'three', 'finished'])
})

it('ended the process when the listener threw at it: it ends the turn, and the call keeps its result', async () => {
  const bench = createBench()
  let session = ''
  const options = bench.options(printingModel(), {
    tools: [printing],
    onEvent: (event) => {
      if (event.type === 'session') session = event.sessionId
      if (event.type === 'tool-output') throw new Error('nobody listens')
    },
  })
  await expect(createAgent(options).run('Print')).rejects.toThrow('nobody listens')
  const log = await bench.engine().sessions.log(session)
  const results = log.flatMap((entry) =>
    entry.kind === 'message' ? entry.content.filter(({ type }) => type === 'tool_result') : [],
  )
  expect(results).toMatchObject([{ callId: 'c1', content: [{ type: 'text', text: 'one two three' }] }])
})
