import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import {
  AT,
  SESSION,
  claudeRequest,
  codexReply,
  exportOf,
  writeClaudeLines,
  writeClaudeTranscript,
  writeCodexRollout,
} from './telemetry.fixture.ts'

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

  it('counts a reply of Codex once that comes again, though its rollout has it once', async () => {
    writeCodexRollout(home)
    const recorder = recorderOver()
    const [first] = (await send(recorder, codexReply())).requests
    expect(first?.fact.callId).not.toContain('telemetry:')
    expect((await send(recorder, codexReply())).requests).toMatchObject([{ kept: 'again' }])
    expect((await send(recorder, codexReply(), codexReply())).requests).toMatchObject([
      { kept: 'again' },
      { kept: 'again' },
    ])
    expect(await total()).toMatchObject({ requests: 1, outputTokens: 640 })
  })

  it('gives a reply of Codex the id of its rollout where it could be written only the second time', async () => {
    writeCodexRollout(home)
    const { sessions } = store
    let asked = 0
    store = {
      ...store,
      sessions: {
        ...sessions,
        append: (...given) =>
          (asked += 1) === 1 ? Promise.reject(new Error('the disk is full')) : sessions.append(...given),
      },
    }
    const recorder = recorderOver()
    await expect(send(recorder, codexReply())).rejects.toThrow('the disk is full')
    const { requests } = await send(recorder, codexReply())
    expect(requests).toMatchObject([{ kept: 'recorded' }])
    expect(requests[0]?.fact.callId).not.toContain('telemetry:')
  })

  it('counts an event once whose transcript was there only when it came again', async () => {
    await send(recorderOver(), claudeRequest())
    writeClaudeTranscript(home, 'req_010', 'req_011')
    expect((await send(recorderOver(), claudeRequest())).requests).toMatchObject([{ kept: 'again' }])
    expect(await total()).toMatchObject({ requests: 1, outputTokens: 77 })
  })

  it('writes what another process was not faster with', async () => {
    await send(recorderOver(), claudeRequest())
    const { idsAmong } = store.sessions
    let asked = 0
    store = {
      ...store,
      sessions: {
        ...store.sessions,
        idsAmong: (...given) => ((asked += 1) === 1 ? Promise.resolve(new Set()) : idsAmong(...given)),
      },
    }
    await send(recorderOver(), claudeRequest(), claudeRequest({ request_id: 'req_012', output_tokens: '500' }))
    expect(await total()).toMatchObject({ requests: 2, outputTokens: 577 })
    expect((await store.sessions.get(`claude-code:${SESSION}`))?.entries).toBe(2)
  })

  it('lets other exports have their turn while a long one is written, in few appends', async () => {
    const appended: number[] = []
    const { sessions } = store
    store = {
      ...store,
      sessions: {
        ...sessions,
        append: (facts, seq, writes) => {
          appended.push(writes.length)
          return sessions.append(facts, seq, writes)
        },
      },
    }
    const recorder = recorderOver()
    const answered: string[] = []
    const long = Array.from({ length: 450 }, (_, index) => claudeRequest({ request_id: `req_${index}` }))
    await Promise.all([
      send(recorder, ...long).then(({ requests }) => answered.push(`long: ${requests.length}`)),
      send(recorder, codexReply()).then(({ requests }) => answered.push(`short: ${requests.length}`)),
    ])
    expect(answered).toEqual(['short: 1', 'long: 450'])
    expect(appended).toEqual([200, 1, 200, 50])
    expect((await total()).requests).toBe(451)
  })

  it('waits for all that a rollout does not have together, not for each', async () => {
    writeCodexRollout(home)
    const unknown = [1, 2, 3, 4].map((count) => codexReply({ output_token_count: count }))
    const before = performance.now()
    expect((await send(recorderOver(), ...unknown)).requests).toHaveLength(4)
    // Each by itself would take five seconds.
    expect(performance.now() - before).toBeLessThan(15_000)
  }, 60_000)

  it.each([
    ['leads elsewhere', '../../outside'],
    ['is a part of names', 'r'],
  ])('looks for no transcript of a session whose id %s', async (_what, session) => {
    writeClaudeLines(join(home, '.claude', 'outside.jsonl'), 'req_011')
    writeClaudeTranscript(home, 'req_010')
    writeCodexRollout(home)
    const { requests } = await send(
      recorderOver(),
      claudeRequest({ 'session.id': session }),
      codexReply({ 'conversation.id': session }),
    )
    expect(requests.map(({ fact }) => fact.callId)).toEqual([
      'telemetry:req_011',
      expect.stringMatching(/^telemetry:[0-9a-f]{24}$/),
    ])
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

  it('keeps nothing of a session whose own folder is incognito, whatever --workspace names', async () => {
    const folder = join(home, 'private')
    mkdirSync(join(folder, '.cairn'), { recursive: true })
    const session = { id: `claude-code:${SESSION}`, agent: 'claude-code', externalId: SESSION, workspace: folder }
    await store.sessions.append(session, 0, [{ entry: { kind: 'title', at: AT, title: 'Before' } }])
    writeFileSync(join(folder, '.cairn', 'config.json'), '{"hooks":{"incognito":true}}')
    const { requests } = await send(recorderOver(join(home, 'elsewhere')), claudeRequest())
    expect(requests).toMatchObject([{ kept: 'incognito' }])
    expect((await total()).requests).toBe(0)
  })

  it('says which requests it could not use, and takes the others', async () => {
    const { requests, refused } = await send(recorderOver(), claudeRequest({ model: '' }), codexReply())
    expect([requests.length, refused]).toEqual([1, [expect.stringContaining('no model')]])
  })
})
