import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentOf, importProcess, writeTranscripts } from './testing/import-together.ts'

const SESSIONS = 12
const TURNS = 150
const KILLS = 6
const MESSAGES = SESSIONS * TURNS * 3

const folder = mkdtempSync(join(tmpdir(), 'cairn-imports-'))
const transcripts = join(folder, 'claude')
const address = (name: string): string => `file:${join(folder, `${name}.db`)}`
let undisturbed: Awaited<ReturnType<typeof contentOf>>

beforeAll(async () => {
  writeTranscripts(transcripts, SESSIONS, TURNS)
  expect(await importProcess(address('undisturbed'), transcripts)).toMatchObject({
    sessions: SESSIONS,
    messages: MESSAGES,
    requests: SESSIONS * TURNS,
  })
  undisturbed = await contentOf(address('undisturbed'))
  expect(undisturbed.faults).toEqual([])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([0, 2])('an import with %i threads that read ahead', (threads) => {
  const [killedStore, sharedStore] = [address(`killed-${threads}`), address(`both-${threads}`)]

  it('that is killed again and again gives the same store as an undisturbed one', async () => {
    let killed = 0
    for (let index = 0; index < KILLS; index += 1) {
      // A few batches further each time: what is done is not done again.
      const report = await importProcess(killedStore, transcripts, {
        threads,
        killAfterSteps: 1 + Math.floor(Math.random() * 4),
      })
      if (report === undefined) killed += 1
    }
    expect(killed).toBeGreaterThan(0)
    await importProcess(killedStore, transcripts, { threads })
    expect(await contentOf(killedStore)).toEqual(undisturbed)
  })

  it('running beside another of the same folder gives the content of one', async () => {
    const reports = await Promise.all([
      importProcess(sharedStore, transcripts, { threads }),
      importProcess(sharedStore, transcripts, { threads }),
    ])
    expect(await contentOf(sharedStore)).toEqual(undisturbed)
    expect(reports.reduce((sum, report) => sum + (report?.messages ?? 0), 0)).toBe(MESSAGES)
    expect(reports.reduce((sum, report) => sum + (report?.requests ?? 0), 0)).toBe(SESSIONS * TURNS)
  })
})
