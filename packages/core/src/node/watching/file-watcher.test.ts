import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { EventEmitter } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FSWatcher } from 'chokidar'
import { createFileWatcher } from './file-watcher.ts'
import type { FileWatcher, FileWatcherOptions } from './file-watcher.ts'
import { stampOf } from './look-at-file.ts'

const PATIENCE_MS = 20_000
let folder: string
let watcher: FileWatcher | undefined
let events: string[]
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-watcher-')))
  events = []
})
afterEach(async () => {
  await watcher?.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (name: string, text: string): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
const watching = async (options: Partial<FileWatcherOptions>, ...paths: readonly string[]): Promise<FileWatcher> => {
  watcher = createFileWatcher({ onEvent: (path) => events.push(path.slice(folder.length + 1)), ...options })
  for (const path of paths) await watcher.add(path, await stampOf(path))
  return watcher
}
const until = async (isSo: () => boolean): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; !isSo() && Date.now() < end;) await wait(5)
  expect(isSo()).toBe(true)
}
/** Inotify instances of this process, and the like. */
const descriptors = (): readonly string[] =>
  (process.platform === 'linux' ? readdirSync('/proc/self/fd') : []).flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).includes('inotify') ? [name] : []
    } catch {
      return []
    }
  })
/** Watches that the kernel keeps for this process. */
const kernelWatches = (): number =>
  descriptors().reduce((sum, name) => {
    const info = readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    return sum + info.split('\n').filter((line) => line.startsWith('inotify')).length
  }, 0)

describe('a watcher of files', () => {
  // Only events: no look by the facts comes within the time of a test.
  const EVENTS_ONLY = { sweepMs: 3_600_000, pollMs: 3_600_000 }

  it('tells of files that are written, removed, rebuilt and replaced, and of no others', async () => {
    const [a, b] = [put('a', '1'), put('sub/b', '1')]
    put('other', '1')
    await watching(EVENTS_ONLY, a, b)
    await until(() => {
      put('other', String(Math.random()))
      put('a', String(Math.random()))
      put('sub/b', String(Math.random()))
      return events.includes('a') && events.includes('sub/b')
    })
    for (const change of [
      () => rmSync(a),
      () => put('a', 'again'),
      () => renameSync(put('fresh', 'new'), a),
      () => put('a', 'after the replacement'),
    ]) {
      await wait(100)
      events = []
      change()
      await until(() => events.includes('a'))
    }
    expect(events).not.toContain('other')
    expect(events).not.toContain('fresh')
  })

  it('looks at files by their facts where no event comes', async () => {
    const paths = ['a', 'b', 'c'].map((name) => put(name, '1'))
    const made = await watching({ mostWatched: 1, sweepMs: 20, pollMs: 20 }, ...paths, join(folder, 'd'))
    expect(made.counts()).toEqual({ watched: 1, polled: 3 })
    put('b', '22')
    put('d', 'now it is there')
    await until(() => events.includes('b') && events.includes('d'))
    rmSync(join(folder, 'c'))
    await until(() => events.includes('c'))
  })

  it('looks at files by their facts once the system allows no more watches', async () => {
    const fake = Object.assign(new EventEmitter(), {
      add: () => fake,
      unwatch: () => fake,
      close: async () => undefined,
    })
    const told: unknown[] = []
    const made = await watching(
      {
        createWatcher: async () => fake as unknown as FSWatcher,
        onPolling: (error) => told.push(error),
        pollMs: 20,
        sweepMs: 3_600_000,
      },
      put('a', '1'),
    )
    const error = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    fake.emit('error', error)
    fake.emit('error', error)
    expect(told).toEqual([error])
    expect(made.counts()).toEqual({ watched: 0, polled: 1 })
    put('a', '22')
    await until(() => events.includes('a'))
  })

  it('leaves no watch behind, also when it is ended while it starts', async () => {
    const before = kernelWatches()
    const paths = Array.from({ length: 50 }, (_, index) => put(`f${index % 7}/${index}`, '1'))
    const made = await watching({}, ...paths)
    if (process.platform === 'linux') await until(() => kernelWatches() > before)
    await made.close()
    expect(kernelWatches()).toBe(before)
    const early = createFileWatcher({ onEvent: () => undefined })
    const adding = early.add(paths[0] ?? '', undefined)
    await Promise.all([early.close(), adding])
    await until(() => kernelWatches() === before)
  })

  it('tells nothing of a file that is not watched any more', async () => {
    const [a, b] = [put('a', '1'), put('b', '1')]
    const made = await watching({ ...EVENTS_ONLY }, a, b)
    made.remove(a)
    await until(() => {
      put('a', String(Math.random()))
      put('b', String(Math.random()))
      return events.includes('b')
    })
    expect(events).not.toContain('a')
    expect(made.counts()).toEqual({ watched: 1, polled: 0 })
  })
})
