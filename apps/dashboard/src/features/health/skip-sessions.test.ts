import { describe, expect, it } from '@jest/globals'
import type { ImportedFile, ImportSkip } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { withSessions } from './skip-sessions.ts'

const UUID = '4799f814-b4e5-4026-a103-c25a2d038398'

describe('what was left out of imports', () => {
  it('leads to the session that the path names, of the agent whose file it is', async () => {
    const { sessions } = createInMemoryStore()
    for (const externalId of [UUID, 'chat-7'])
      await sessions.append({ id: `claude-code:${externalId}`, agent: 'claude-code', externalId }, 0, [])
    const imported: Partial<ImportedFile> = { agent: 'claude-code' }
    const imports = {
      file: (path: string) =>
        Promise.resolve(
          path.startsWith('/codex')
            ? ({ ...imported, agent: 'codex' } as ImportedFile)
            : path === '/gone.jsonl'
              ? undefined
              : (imported as ImportedFile),
        ),
    }
    const skip = (file: string): ImportSkip => ({ file, line: 500, reason: 'not valid JSON', count: 1 })
    const files = [
      `/a/${UUID}.jsonl`,
      `C:\\a\\${UUID}\\subagents\\agent-1.jsonl`,
      `/a/rollout-2026-01-31-${UUID}.jsonl`,
      '/a/chat-7.json',
      '/a/unknown.jsonl',
      `/codex/${UUID}.jsonl`,
      '/gone.jsonl',
    ]
    expect((await withSessions(files.map(skip), { imports, sessions })).map(({ sessionId }) => sessionId)).toEqual([
      `claude-code:${UUID}`,
      `claude-code:${UUID}`,
      `claude-code:${UUID}`,
      'claude-code:chat-7',
      null,
      null,
      null,
    ])
  })
})
