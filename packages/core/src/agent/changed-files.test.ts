import { expect, it } from '@jest/globals'
import { createEngine } from '../engine.ts'
import { StorageError } from '../errors.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { stringOf } from '../json.ts'
import { createHasher } from '../node/hasher.ts'
import { createTestClock } from '../testing/fakes/clock.ts'
import { createInMemoryFileSystem } from '../testing/fakes/file-system.ts'
import { createSequentialIds } from '../testing/fakes/ids.ts'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { call, scriptedModel, text } from './scripted-agent.fixture.ts'

/** An agent that has read a.ts and b.ts; `tellings` gives what its next request tells the model. */
const readingAgent = async () => {
  const clock = createTestClock()
  const fileSystem = createInMemoryFileSystem()
  for (const name of ['a.ts', 'b.ts', 'c.ts']) fileSystem.write(`/w/${name}`, `${name}\n`, clock.now())
  const store = createInMemoryStore()
  const failing = { isFailing: false }
  const append: typeof store.sessions.append = async (session, seq, writes) => {
    if (failing.isFailing) throw new StorageError('storage-failed', 'The disk is full.')
    return store.sessions.append(session, seq, writes)
  }
  const engine = createEngine({
    store: { ...store, sessions: { ...store.sessions, append } },
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
  /** What a request tells the model; nothing where none was sent. */
  const tellings = async (message: string): Promise<readonly string[]> => {
    clock.advance(60_000)
    const before = model.requests.length
    await agent.run(message)
    const sent = model.requests.slice(before).at(-1)?.messages.at(-1)?.content ?? []
    return sent.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  }
  await tellings('Read')
  return { clock, fileSystem, failing, tellings }
}

it('tells the model once, with the next message, of files that others changed since it read them', async () => {
  const { clock, fileSystem, tellings } = await readingAgent()
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

it('tells the model again when the message that told it could not be kept', async () => {
  const { clock, fileSystem, failing, tellings } = await readingAgent()
  clock.advance(60_000)
  fileSystem.write('/w/a.ts', 'by a person\n', clock.now())
  failing.isFailing = true
  expect(await tellings('And now?')).toEqual([])
  failing.isFailing = false
  expect(await tellings('Again, please')).toEqual([
    '<file_changes>\nChanged by others since you read them: a.ts.\n</file_changes>',
    'Again, please',
  ])
  expect(await tellings('Still?')).toEqual(['Still?'])
})
