import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { createFileSystem } from '../node/file-system.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const claudeLine = `${JSON.stringify({
  type: 'user',
  uuid: 'u1',
  sessionId: 'claude',
  timestamp: '2026-01-03T09:00:00.000Z',
  cwd: '/code/app',
  message: { role: 'user', content: 'Fix the login' },
})}\n`

describe('an import', () => {
  it('leaves out agents that are excluded, of files that are named, too', async () => {
    const claude = bench.write('.claude/projects/p/a.jsonl', claudeLine)
    const other = bench.write('b.jsonl', `${generic('one')}\n${generic('two')}\n`)
    const from = [claude, other]
    expect(await bench.import({ from, exclude: ['claude-code', 'pi'] })).toMatchObject({ files: 1, messages: 2 })
    expect(await bench.import({ from, changed: [claude], exclude: ['claude-code'] })).toMatchObject({ files: 0 })
    expect(await bench.import({ from })).toMatchObject({ files: 1, sessions: 1, messages: 1 })
    await expect(bench.import({ from, exclude: 'pi' as unknown as string[] })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('names a file that could not be read in an event of its own, and takes the others', async () => {
    const closed = bench.write('.claude/projects/p/closed.jsonl', claudeLine.replaceAll('claude', 'closed'))
    bench.write('.claude/projects/p/open.jsonl', claudeLine)
    const files = createFileSystem()
    const read: FileSystem['read'] = (path, ...rest) => {
      if (path === closed) throw new CairnError('read-failed', `${path}: permission denied`)
      return files.read(path, ...rest)
    }
    expect(await bench.import({ fileSystem: { read } })).toMatchObject({
      files: 1,
      messages: 1,
      skipped: [{ file: closed, reason: 'permission denied' }],
    })
    const unread = { type: 'import-unread', file: closed }
    expect(bench.events.filter(({ type }) => type === 'import-unread')).toEqual([unread])
    expect(await bench.import()).toMatchObject({ files: 1, messages: 1, skipped: [] })
    expect(bench.events.filter(({ type }) => type === 'import-unread')).toEqual([unread])
  })
})
