import { expect, it } from '@jest/globals'
import { createEngine } from '../engine.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { stringOf } from '../json.ts'
import { createHasher } from '../node/hasher.ts'
import { createTestClock } from '../testing/fakes/clock.ts'
import { createInMemoryFileSystem } from '../testing/fakes/file-system.ts'
import { createSequentialIds } from '../testing/fakes/ids.ts'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { call, scriptedModel, text } from './scripted-agent.fixture.ts'

it('tells the model once, with the next message, of files that others changed since it read them', async () => {
  const clock = createTestClock()
  const fileSystem = createInMemoryFileSystem()
  for (const name of ['a.ts', 'b.ts', 'c.ts']) fileSystem.write(`/w/${name}`, `${name}\n`, clock.now())
  const engine = createEngine({
    store: createInMemoryStore(),
    clock,
    fileSystem,
    ids: createSequentialIds(),
    hasher: createHasher(),
  })
  const read: AgentTool = {
    definition: { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
    prepare: async ({ path }) => ({
      effect: 'none',
      title: 'read',
      paths: [],
      run: async () => ({
        content: [{ type: 'text', text: (await fileSystem.readText(`/w/${stringOf(path) ?? ''}`)) ?? '' }],
      }),
    }),
  }
  const model = scriptedModel(
    [{ blocks: [call('c1', 'read_file', { path: 'a.ts' }), call('c2', 'read_file', { path: 'b.ts' })] }],
    () => ({ blocks: [text('Seen.')] }),
  )
  const agent = createAgent({
    engine,
    languageModel: model,
    model: 'claude-sonnet-5',
    workspace: '/w',
    tools: [read],
    clock,
    learns: false,
  })
  const tellings = async (message: string): Promise<readonly string[]> => {
    clock.advance(60_000)
    await agent.run(message)
    const sent = model.requests.at(-1)?.messages.at(-1)?.content ?? []
    return sent.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  }
  await tellings('Read')
  expect(await tellings('Nothing has changed')).toEqual(['Nothing has changed'])
  clock.advance(60_000)
  fileSystem.write('/w/a.ts', 'by a person\n', clock.now())
  fileSystem.write('/w/c.ts', 'never read\n', clock.now())
  expect(await tellings('And now?')).toEqual([
    '<file_changes>\nChanged by others since you read them: a.ts.\n</file_changes>',
    'And now?',
  ])
  expect(await tellings('Still?')).toEqual(['Still?'])
  fileSystem.remove('/w/b.ts')
  expect((await tellings('Gone?'))[0]).toContain('b.ts (removed).')
})
