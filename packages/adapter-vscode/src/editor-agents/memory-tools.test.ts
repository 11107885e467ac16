import { createEngine } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '@cairn/core/testing'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { runEditorTool, type EditorToolName } from './memory-tools.ts'

describe("tools for the editor's agents", () => {
  let engine: Engine
  const run = (name: EditorToolName, input: Record<string, string>): Promise<string> =>
    runEditorTool(name, input, { engine, workspace: '/w', folder: '/w' }, new AbortController().signal)

  beforeEach(() => {
    engine = createEngine({
      store: createInMemoryStore(),
      clock: createTestClock(),
      ids: createSequentialIds(),
      hasher: createHasher(),
      fileSystem: createInMemoryFileSystem({}),
    })
  })

  it('find what was said, and say so where nothing was', async () => {
    expect(await run('cairn_recall', { query: 'redis' })).not.toContain('running Redis')
    await engine.store.sessions.append({ id: 'x:1', agent: 'x', externalId: '1', workspace: '/w' }, 0, [
      {
        entry: {
          kind: 'message',
          at: 1,
          id: 'm',
          role: 'user',
          content: [{ type: 'text', text: 'The tests need a running Redis' }],
        },
      },
    ])
    expect(await run('cairn_recall', { query: 'redis' })).toContain('running Redis')
  })

  it('tell what is remembered, all of it or by words', async () => {
    expect(await run('cairn_memory', {})).toBe('Nothing is remembered of this project.')
    await engine.memory.add({ workspace: '/w', kind: 'discovery', text: 'The tests need a running Redis' })
    await engine.memory.add({ workspace: '/w', kind: 'workflow', text: 'Deploy with make ship' })
    const all = await run('cairn_memory', {})
    expect(all).toContain('Redis')
    expect(all).toContain('make ship')
    expect(await run('cairn_memory', { query: 'deploy' })).toMatch(/^- workflow \(.+\): Deploy with make ship$/)
    expect(await run('cairn_memory', { query: 'kubernetes' })).toMatch(/^Nothing that is remembered/)
  })

  it('refuse an input that is wrong in one sentence', async () => {
    await expect(run('cairn_recall', {})).rejects.toMatchObject({ code: expect.any(String) })
    await expect(run('cairn_related_files', { text: 'login' })).rejects.toMatchObject({ code: 'unsupported' })
  })
})
