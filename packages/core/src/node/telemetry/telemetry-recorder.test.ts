import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { incognitoLine, incognitoPath } from '../../incognito/incognito-record.ts'
import { createInMemoryStore } from '../../in-memory/index.ts'
import type { ImportEnvironment } from '../../importers/importer.ts'
import type { Store } from '../../ports/store.ts'
import { createSystemClock } from '../clock.ts'
import { createFileSystem } from '../file-system.ts'
import { createHasher } from '../hasher.ts'
import { readOtlpLogs } from './otlp-logs.ts'
import { createTelemetryRecorder, type RecordedExport, type TelemetryRecorder } from './telemetry-recorder.ts'
import { AT, SESSION, claudeRequest, codexReply, exportOf, writeClaudeTranscript } from './telemetry.fixture.ts'

describe('recording telemetry', () => {
  let home: string
  let environment: ImportEnvironment
  let store: Store
  const recorders: TelemetryRecorder[] = []
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cairn-telemetry-'))
    environment = { home, platform: 'linux', variables: { CAIRN_HOME: join(home, 'data') } }
    store = createInMemoryStore()
  })
  afterEach(() => {
    for (const recorder of recorders.splice(0)) recorder.end()
    rmSync(home, { recursive: true, force: true })
  })

  const recorderOver = (workspace?: string): TelemetryRecorder => {
    const recorder = createTelemetryRecorder({
      store,
      clock: createSystemClock(),
      hasher: createHasher(),
      fileSystem: createFileSystem(),
      prices: {},
      environment,
      workspace,
    })
    recorders.push(recorder)
    return recorder
  }
  const send = (recorder: TelemetryRecorder, ...records: readonly object[]): Promise<RecordedExport> => {
    const read = readOtlpLogs(Buffer.from(exportOf(...records)), 'json')
    return recorder.record('records' in read ? read.records : [])
  }
  const total = async () => (await store.usage.report({ by: 'day' })).total

  it('writes a request with what it cost, in the session and project that it is of', async () => {
    const { requests } = await send(recorderOver('/code/harbour'), claudeRequest())
    expect(requests).toMatchObject([{ sessionId: `claude-code:${SESSION}`, kept: 'recorded' }])
    const [stored] = await store.usage.requests(`claude-code:${SESSION}`)
    expect(stored).toMatchObject({
      at: AT,
      inputTokens: 10,
      cacheReadTokens: 2300,
      outputTokens: 77,
      costNano: 3_412_500n,
      costState: 'recorded',
    })
    expect(await store.sessions.get(`claude-code:${SESSION}`)).toMatchObject({ workspace: '/code/harbour' })
  })

  it('counts an event once, however often it comes, also after a restart', async () => {
    const recorder = recorderOver()
    await send(recorder, claudeRequest(), claudeRequest({ request_id: 'req_012', output_tokens: '500' }))
    expect((await send(recorder, claudeRequest())).requests).toMatchObject([{ kept: 'again' }])
    expect((await send(recorderOver(), claudeRequest())).requests).toMatchObject([{ kept: 'again' }])
    expect(await total()).toMatchObject({ requests: 2, outputTokens: 577 })
  })

  it('gives a request the id, project, branch and cache lifetimes that its transcript tells', async () => {
    writeClaudeTranscript(home, 'req_010', 'req_011')
    const { requests } = await send(recorderOver('/elsewhere'), claudeRequest())
    expect(requests[0]?.fact).toMatchObject({
      callId: 'msg_of_req_011',
      workspace: '/code/harbour',
      branch: 'tides',
      cacheWrite5mTokens: 110,
      cacheWrite1hTokens: 300,
      // The transcript has only the beginning of it.
      outputTokens: 77,
    })
  })

  it('waits for a transcript that is written a moment later', async () => {
    writeClaudeTranscript(home, 'req_010')
    const recording = send(recorderOver(), claudeRequest({ request_id: 'req_late' }))
    // After the first looks.
    setTimeout(() => writeClaudeTranscript(home, 'req_010', 'req_late'), 250)
    const { requests } = await recording
    expect(requests[0]?.fact.callId).toBe('msg_of_req_late')
  })

  it('finds the lifetime of cache writes by the cost where there is no transcript', async () => {
    // At $3, $0.30, $3.75 or $6, and $15 a million.
    const [base, fiveMinutes, hour] = [0.00003 + 0.00069 + 0.001155, 410 * 3.75e-6, 410 * 6e-6]
    const { requests } = await send(
      recorderOver(),
      claudeRequest({ request_id: 'five', cost_usd: base + fiveMinutes }),
      claudeRequest({ request_id: 'hour', cost_usd: base + hour }),
      claudeRequest({ request_id: 'other', cost_usd: 1.5 }),
    )
    expect(requests.map(({ fact }) => [fact.cacheWrite5mTokens, fact.cacheWrite1hTokens])).toEqual([
      [410, 0],
      [0, 410],
      [410, 0],
    ])
  })

  it('prices what the agent tells no cost of', async () => {
    await send(recorderOver(), codexReply())
    const [stored] = await store.usage.requests(`codex:${SESSION}`)
    expect(stored).toMatchObject({ costState: 'computed', inputTokens: 1_100, cacheReadTokens: 8_000 })
    expect(stored?.costNano).toBeGreaterThan(0n)
  })

  it('keeps nothing of incognito sessions', async () => {
    mkdirSync(join(home, 'data'), { recursive: true })
    appendFileSync(incognitoPath(environment), incognitoLine({ agent: 'claude-code', session: SESSION }, AT))
    expect((await send(recorderOver(), claudeRequest())).requests).toMatchObject([{ kept: 'incognito' }])
    expect(await store.sessions.get(`claude-code:${SESSION}`)).toBeUndefined()
    expect((await total()).requests).toBe(0)
  })

  it('says which requests it could not use, and takes the others', async () => {
    const { requests, refused } = await send(recorderOver(), claudeRequest({ model: '' }), codexReply())
    expect([requests.length, refused]).toEqual([1, [expect.stringContaining('no model')]])
  })
})
