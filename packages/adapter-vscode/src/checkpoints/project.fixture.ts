/** A folder of a project with an engine that keeps checkpoints of it, for tests. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEngine } from '@cairn/core'
import type { Checkpoint, Engine } from '@cairn/core'
import { createFileSystem, createHasher } from '@cairn/core/node'
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'
import { createInMemoryStore, createSequentialIds, createTestClock } from '@cairn/core/testing'

export const START = Date.UTC(2026, 5, 1)
export const MINUTE = 60_000

export interface TestProject {
  readonly root: string
  readonly engine: Engine
  write(files: Readonly<Record<string, string>>): void
  remove(path: string): void
  read(path: string): string
  /** Makes a checkpoint a minute after what was made or noted before. */
  checkpoint(label?: string, sessionId?: string): Promise<Checkpoint>
  /** Notes an edit of a file by an agent, a minute later; makes its session. */
  edited(path: string, sessionId: string): Promise<void>
  close(): void
}

/** Makes an empty project in a temporary folder; several share an engine where one is given. */
export const createTestProject = (): TestProject => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-checkpoints-')))
  const root = join(base, 'shop')
  mkdirSync(root)
  const clock = createTestClock(START)
  let now = START
  const tick = (): number => {
    now += MINUTE
    clock.set(now)
    return now
  }
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
    snapshots: async () => createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') }),
  })
  return {
    root,
    engine,
    write: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
    },
    remove: (path) => rmSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    checkpoint: async (label, sessionId) => {
      tick()
      const input = {
        root,
        ...(label === undefined ? {} : { label }),
        ...(sessionId === undefined ? {} : { sessionId }),
      }
      return (await engine.checkpoints.create(input)).checkpoint
    },
    edited: async (path, sessionId) => {
      const at = tick()
      const agent = sessionId.split(':')[0] ?? sessionId
      const call = {
        type: 'tool_call',
        id: `c${at}`,
        name: 'Write',
        input: { file_path: join(root, path), content: '' },
      } as const
      const known = await engine.store.sessions.get(sessionId)
      await engine.sessions.append(
        { id: sessionId, agent, externalId: sessionId, workspace: root },
        known === undefined ? 0 : 'end',
        [{ entry: { kind: 'message', id: `m${at}`, at, role: 'assistant', content: [call] } }],
      )
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  }
}
