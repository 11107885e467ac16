import { afterEach, describe, expect, it } from '@jest/globals'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createAccess } from '../gateway/access.ts'
import type { CopyAllowance } from '../gateway/body-copy.ts'
import type { OtlpLogRecord } from './otlp-logs.ts'
import { startReceiver, type Receiver, type ReceiverInput } from './receiver.ts'
import { claudeRequest, codexReply, exportOf } from './telemetry.fixture.ts'

const TOKEN = 'a-token-of-the-tests'

describe('the receiver of telemetry', () => {
  const receivers: Receiver[] = []
  const taken: OtlpLogRecord[] = []
  const troubles: string[] = []
  const turnedAway: string[] = []
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
    taken.splice(0)
    troubles.splice(0)
    turnedAway.splice(0)
  })

  const start = async (
    refuse: (records: readonly OtlpLogRecord[]) => Promise<readonly string[]>,
    allowance?: CopyAllowance,
  ): Promise<string> => {
    const input: ReceiverInput = {
      host: '127.0.0.1',
      port: 0,
      access: (port) =>
        createAccess({ hostNames: new Set([`127.0.0.1:${port}`]), token: TOKEN, server: "Cairn's receiver" }),
      take: (records) => {
        taken.push(...records)
        return refuse(records)
      },
      trouble: (sentence) => void troubles.push(sentence),
      turnedAway: (address, why) => void turnedAway.push(`${address}: ${why}`),
    }
    const receiver = await startReceiver(input, allowance)
    receivers.push(receiver)
    return `http://127.0.0.1:${receiver.port}`
  }
  const startWilling = (): Promise<string> => start(() => Promise.resolve([]))
  const post = (
    url: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-cairn-token': TOKEN, ...headers },
    })

  it('takes logs in, packed or not, with its token in a header or in the path', async () => {
    const url = await startWilling()
    const body = exportOf(claudeRequest(), codexReply())
    const plain = await post(`${url}/v1/logs`, body)
    expect([plain.status, await plain.json()]).toEqual([200, {}])
    const packed = await post(`${url}/token/${TOKEN}/v1/logs`, new Uint8Array(gzipSync(body)), {
      'content-encoding': 'gzip',
      'x-cairn-token': '',
    })
    expect(packed.status).toBe(200)
    expect(taken).toHaveLength(4)
  })

  it('says how many records it could not use', async () => {
    const url = await start(() => Promise.resolve(['One names no session.', 'One names no session.']))
    const answer = await post(`${url}/v1/logs`, exportOf(claudeRequest()))
    expect(await answer.json()).toEqual({
      partialSuccess: { rejectedLogRecords: '2', errorMessage: 'One names no session.' },
    })
  })

  it('acknowledges metrics and traces, and keeps nothing of them', async () => {
    const url = await startWilling()
    for (const path of ['/v1/metrics', '/v1/traces'])
      expect((await post(`${url}${path}`, '{"resourceMetrics":[]}')).status).toBe(200)
    expect(taken).toEqual([])
  })

  it.each([
    ['without a token', 401, { 'x-cairn-token': '' }, '{}', /wants its token/],
    ['with another one', 401, { 'x-cairn-token': 'b-token-of-the-tests' }, '{}', /not the token of Cairn's receiver/],
    ['of a page', 403, { origin: 'https://elsewhere.example' }, '{}', /Pages of other places/],
    ['in another form', 415, { 'content-type': 'text/plain' }, '{}', /Only application\/json and/],
    ['that is cut off', 400, {}, '{"resourceLogs":[{"scopeLo', /no JSON object/],
    ['that is no export', 400, {}, '{"resourceLogs":{}}', /no export of logs/],
    ['that can not be unpacked', 400, { 'content-encoding': 'gzip' }, 'not packed', /can not be unpacked/],
    ['in an unknown packing', 400, { 'content-encoding': 'lzma' }, '{}', /lzma, is not known/],
  ])('refuses an export %s with %i and one sentence', async (_what, status, headers, body, sentence) => {
    const url = await startWilling()
    const answer = await post(`${url}/v1/logs`, body, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(sentence) })
    expect(taken).toEqual([])
  })

  it('refuses what is too large, also when it is packed', async () => {
    const url = await startWilling()
    const large = exportOf(claudeRequest({ prompt: 'x'.repeat(33 << 20) }))
    expect((await post(`${url}/v1/logs`, large)).status).toBe(413)
    const packed = await post(`${url}/v1/logs`, new Uint8Array(gzipSync(large)), { 'content-encoding': 'gzip' })
    expect([packed.status, await packed.json()]).toEqual([
      413,
      expect.objectContaining({ message: expect.stringContaining('unpacks to more than 32 MiB') }),
    ])
    expect(taken).toEqual([])
  })

  it('says which address sends without its token', async () => {
    const url = await startWilling()
    await post(`${url}/v1/logs`, '{}', { 'x-cairn-token': 'b-token-of-the-tests' })
    expect(turnedAway).toEqual(["127.0.0.1: That is not the token of Cairn's receiver."])
  })

  it('counts elements that are no log records, and takes the others', async () => {
    const url = await start(() => Promise.resolve(['One names no session.']))
    const answer = await post(
      `${url}/v1/logs`,
      `{"resourceLogs":[7,{"scopeLogs":[{"logRecords":[null,${JSON.stringify(claudeRequest())}]}]}]}`,
    )
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedLogRecords: '3',
          errorMessage: 'An element of the export is no log record. One names no session.',
        },
      },
    ])
    expect(taken).toHaveLength(1)
    expect(troubles).toEqual(['An element of the export is no log record.'])
  })

  it('refuses what is too much at once, to be sent again, and forgets uploads that broke off', async () => {
    const url = await start(() => Promise.resolve([]), { left: 3_000 })
    const large = `{"x":"${'x'.repeat(1_500)}"}`
    const untilAnswered = async (status: number): Promise<void> => {
      for (let tries = 0; tries < 1_000; tries += 1) if ((await post(`${url}/v1/logs`, large)).status === status) return
      throw new Error(`It never answered ${status}.`)
    }
    const { port, host } = new URL(url)
    const head = `POST /v1/logs HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Cairn-Token: ${TOKEN}\r\n`
    const upload = connect(Number(port), '127.0.0.1')
    upload.on('error', () => undefined)
    upload.write(`${head}Content-Length: 4000\r\n\r\n${' '.repeat(2_000)}`)
    await untilAnswered(503)
    upload.destroy()
    await untilAnswered(200)
    expect(taken).toEqual([])
  }, 60_000)

  it('knows its paths and POST alone', async () => {
    const url = await startWilling()
    expect((await post(`${url}/v2/logs`, '{}')).status).toBe(404)
    expect((await fetch(`${url}/v1/logs`, { headers: { 'x-cairn-token': TOKEN } })).status).toBe(405)
  })

  it('asks for what could not be recorded again, and says so', async () => {
    const url = await start(() => Promise.reject(new Error('the disk is full')))
    const answer = await post(`${url}/v1/logs`, exportOf(claudeRequest()))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('the disk is full') })
    expect(troubles).toEqual([expect.stringContaining('asked to send it again')])
  })
})
