import { expect, it } from '@jest/globals'
import { textOfBlock } from '../messages.ts'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { call, createBench, scriptedModel, text } from './scripted-agent.fixture.ts'

const WHOLE = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n')

const printing: AgentTool = {
  definition: { name: 'run_command', description: 'Prints a lot.', inputSchema: { type: 'object' } },
  prepare: () =>
    Promise.resolve({
      effect: 'none',
      title: 'run print',
      paths: [],
      run: () => Promise.resolve({ content: [{ type: 'text', text: 'line 0\n…\nline 2999' }], whole: WHOLE }),
    }),
}

it('a long output is whole in the log, and the model has what its tool gave it, also after a restart', async () => {
  const bench = createBench()
  const model = scriptedModel([
    { blocks: [call('c1', 'run_command', { command: 'print' })] },
    { blocks: [text('Seen.')] },
    { blocks: [text('Again.')] },
  ])
  const options = bench.options(model, { tools: [printing] })
  const { sessionId } = await createAgent(options).run('Print')
  await createAgent({ ...options, session: sessionId }).run('And now?')
  const log = await bench.engine().sessions.log(sessionId)
  const texts = log.flatMap((entry) => (entry.kind === 'message' ? entry.content.map(textOfBlock) : []))
  expect(texts.filter((one) => one.includes('line 1500'))).toEqual([WHOLE])
  for (const request of model.requests.slice(1)) {
    const results = request.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
    expect(results).toEqual([
      { type: 'tool_result', callId: 'c1', content: [{ type: 'text', text: 'line 0\n…\nline 2999' }] },
    ])
  }
})
