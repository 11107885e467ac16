import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createEngine, type EngineEvent } from '@cairn/core'
import type { ImportReport } from '@cairn/core/importers'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { openStore } from '../open-store.ts'
import { INDEX_SIZES } from '../search/index-sizes.ts'
import { contentOf } from '../testing/import-together.ts'
import { writeMixedTranscripts } from '../testing/mixed-transcripts.ts'
import { tableRows } from '../testing/table-rows.ts'
import type { ReadAheadThreads } from './thread-pool.ts'

const NOW = Date.UTC(2026, 1, 3)
const threadFile = new URL('./thread-file.ts', import.meta.url)
const dyingThread = new URL('../testing/dying-thread.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'cairn-read-ahead-'))
const transcripts = join(folder, 'transcripts')
const pathOf = (name: string): string => join(folder, `${name}.db`)

/** When segments are merged depends on the pauses of an import, so on the machine. */
const WITHOUT_MERGES = { ...INDEX_SIZES, merge: 10_000 }

interface Run {
  readonly from?: string
  readonly readAhead?: ReadAheadThreads
  readonly listener?: (event: EngineEvent) => void
  readonly signal?: AbortSignal
}

/** Imports a folder into the store of a name; times of the run stand still. */
const importInto = async (name: string, { from = transcripts, readAhead, listener, signal }: Run = {}) => {
  const clock = { ...createSystemClock(), now: () => NOW }
  const store = await openStore(`file:${pathOf(name)}`, {
    indexSizes: WITHOUT_MERGES,
    ...(readAhead === undefined ? {} : { readAhead }),
  })
  const engine = createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
  try {
    const environment = { home: join(folder, 'home'), platform: 'linux' as const, variables: {} }
    return await engine.imports.run({ from: [from], environment }, listener, signal)
  } finally {
    await engine.close()
  }
}

const countsOf = ({ files, sessions, messages, requests, skipped }: ImportReport) => ({
  files,
  sessions,
  messages,
  requests,
  skipped,
})

/** The file of a thread that ends at once. */
const brokenThread = (): URL => {
  const path = join(folder, 'broken.mjs')
  writeFileSync(path, 'throw new Error("no such thing")')
  return pathToFileURL(path)
}

let serial: ImportReport

beforeAll(async () => {
  writeMixedTranscripts(transcripts, 1)
  serial = await importInto('serial')
})

// What one import marks as incognito is not for the next.
afterEach(() => rmSync(join(folder, 'home'), { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an import with threads that read ahead', () => {
  it('writes the rows that an import without them writes', async () => {
    const report = await importInto('threads', { readAhead: { file: threadFile, count: 2 } })
    expect(countsOf(report)).toEqual(countsOf(serial))
    expect(report.messages).toBeGreaterThan(1_000)
    expect(tableRows(pathOf('threads'))).toEqual(tableRows(pathOf('serial')))
  })

  it.each([
    [2, 1],
    [3, 3],
  ])('does so for other content (%i), with %i threads', async (seed, count) => {
    const from = join(folder, `transcripts-${seed}`)
    writeMixedTranscripts(from, seed)
    const plain = await importInto(`serial-${seed}`, { from })
    const report = await importInto(`seed-${seed}`, { from, readAhead: { file: threadFile, count } })
    expect(countsOf(report)).toEqual(countsOf(plain))
    expect(tableRows(pathOf(`seed-${seed}`))).toEqual(tableRows(pathOf(`serial-${seed}`)))
  })

  it('imports everything when its threads end too early, and says so once for each', async () => {
    const report = await importInto('dying', { readAhead: { file: dyingThread, count: 2 } })
    const told = report.skipped.filter(({ reason }) => reason.includes('the thread that read it had ended'))
    expect(told.length).toBeGreaterThan(0)
    expect(told.length).toBeLessThanOrEqual(2)
    expect(told[0]?.reason).toContain('exit code 7')
    expect({ ...countsOf(report), skipped: report.skipped.filter((skip) => !told.includes(skip)) }).toEqual(
      countsOf(serial),
    )
    expect(await contentOf(`file:${pathOf('dying')}`)).toEqual(await contentOf(`file:${pathOf('serial')}`))
  })

  it('imports everything when no thread can be started', async () => {
    const report = await importInto('broken', { readAhead: { file: brokenThread(), count: 1 } })
    expect(report.skipped.filter(({ reason }) => reason.includes('no such thing'))).toHaveLength(1)
    expect(await contentOf(`file:${pathOf('broken')}`)).toEqual(await contentOf(`file:${pathOf('serial')}`))
  })

  it('stops when it is told to, and goes on from there', async () => {
    const stop = new AbortController()
    let commits = 0
    const listener = (event: EngineEvent): void => {
      if (event.type === 'import-progress' && (commits += 1) === 4) stop.abort(new Error('stopped by the test'))
    }
    const readAhead = { file: threadFile, count: 2 }
    await expect(importInto('stopped', { readAhead, listener, signal: stop.signal })).rejects.toThrow(
      'stopped by the test',
    )
    await importInto('stopped', { readAhead })
    expect(await contentOf(`file:${pathOf('stopped')}`)).toEqual(await contentOf(`file:${pathOf('serial')}`))
  })

  it('keeps nothing of a session that a setting of its folder makes incognito', async () => {
    const project = join(folder, 'project')
    mkdirSync(join(project, '.cairn'), { recursive: true })
    writeFileSync(join(project, '.cairn', 'config.json'), '{"hooks":{"incognito":true}}')
    const from = join(folder, 'partly-hidden')
    writeMixedTranscripts(from, 7)
    const hidden = join(from, 'projects', '-work-project-1', '00000000-0000-4000-8000-000000000001.jsonl')
    writeFileSync(hidden, readFileSync(hidden, 'utf8').replaceAll('/work/project-1', project))
    const plain = await importInto('hidden-serial', { from })
    rmSync(join(folder, 'home'), { recursive: true, force: true })
    const report = await importInto('hidden', { from, readAhead: { file: threadFile, count: 2 } })
    expect(report.skipped.map(({ reason }) => reason)).toContain('incognito')
    expect(countsOf(report)).toEqual(countsOf(plain))
    expect(tableRows(pathOf('hidden'))).toEqual(tableRows(pathOf('hidden-serial')))
    expect(readFileSync(join(folder, 'home', '.local/share/cairn/incognito.jsonl'), 'utf8')).toContain('000000000001')
  })

  it('starts no thread for little, or where none is wanted', async () => {
    const from = join(folder, 'little')
    mkdirSync(from)
    writeFileSync(join(from, 'chat.jsonl'), '{"session":"s","at":null,"role":"user","id":"m1","text":"walrus"}\n')
    const readAhead = { file: brokenThread(), count: 2 }
    expect(await importInto('little', { from, readAhead })).toMatchObject({ messages: 1, skipped: [] })
    const none = await importInto('none', { readAhead: { file: dyingThread, count: 0 } })
    expect(countsOf(none)).toEqual(countsOf(serial))
  })
})
