/** `cairn gateway` as a process, between a client and a model server on loopback. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { startGatewayProcess, type RunningGateway } from '../testing/run-gateway.ts'

const MODEL = 'claude-sonnet-5-5'

describe('cairn gateway', () => {
  let box: Sandbox
  let server: ModelServer
  const running: RunningGateway[] = []
  beforeEach(async () => {
    box = createSandbox()
    server = await startModelServer()
  })
  afterEach(async () => {
    for (const gateway of running.splice(0)) await gateway.stop()
    await server.close()
    box.remove()
  })

  const start = async (...args: readonly string[]): Promise<RunningGateway> => {
    const gateway = await startGatewayProcess(box, ['--upstream', server.url, ...args])
    running.push(gateway)
    return gateway
  }
  const ask = (base: string, text: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${base}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        authorization: 'Bearer test-key',
        ...headers,
      },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 200,
        stream: true,
        messages: [{ role: 'user', content: text }],
      }),
    })

  it('records a session with its messages and what it cost, and says so', async () => {
    const gateway = await start('--workspace', '/code/harbour')
    const answer = await (await ask(gateway.url, 'What is two times two?')).text()
    expect(answer).toContain('message_stop')
    const [told] = await gateway.until('request', 1)
    const [billed] = server.ledger
    expect(told).toMatchObject({
      kept: 'messages',
      messages: 2,
      model: MODEL,
      outputTokens: billed?.tokens.outputTokens,
      costUsd: expect.any(Number),
    })
    expect(await gateway.stop()).toBe(0)
    expect(gateway.lines.at(-1)).toMatchObject({ event: 'end', requests: 1, failed: 0 })
    const usage = await box.json('usage', '--by', 'workspace')
    expect(usage).toMatchObject({
      rows: [{ key: '/code/harbour', requests: 1, outputTokens: billed?.tokens.outputTokens }],
    })
    const shown = await box.cairn('session', 'show', String(told?.['sessionId']))
    expect(shown.stdout).toContain('What is two times two?')
    expect(shown.stdout).toContain('2 × 2 = 4')
  })

  it('sends nothing more when the budget is spent, and says which in the form of the provider', async () => {
    const gateway = await start('--budget', '0.0001', '--budget-per', 'run')
    expect((await ask(gateway.url, 'One?')).status).toBe(200)
    await gateway.until('request', 1)
    const refused = await ask(gateway.url, 'Two?')
    expect(refused.status).toBe(402)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'billing_error',
        message: expect.stringMatching(/of the budget of \$0\.0001 for this run is spent/),
      },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('keeps nothing with --incognito', async () => {
    const gateway = await start('--incognito')
    await (await ask(gateway.url, 'Psst')).text()
    expect(await gateway.until('request', 1)).toMatchObject([{ kept: 'incognito' }])
    await gateway.stop()
    expect(await box.json('session', 'list')).toMatchObject({ sessions: [] })
  })

  it('asks for its token where it is told to, and takes it before the path', async () => {
    const gateway = await start('--token')
    const token = String(gateway.lines[0]?.['token'])
    expect((await ask(gateway.url, 'Hm?')).status).toBe(401)
    expect((await ask(`${gateway.url}/token/${'x'.repeat(token.length)}`, 'Hm?')).status).toBe(401)
    expect((await ask(`${gateway.url}/token/${token}`, 'Hm?')).status).toBe(200)
    expect((await ask(gateway.url, 'Hm?', { 'x-cairn-token': token })).status).toBe(200)
    expect(JSON.stringify(server.requests)).not.toContain(token)
  })

  it('says in one sentence that its port is taken, and that the provider is not to be reached', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await box.cairn('gateway', '--port', String(port))
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Port \d+ of 127\.0\.0\.1 is taken; choose another with --port \(0 takes a free one\)\.\n$/,
      ),
    ])
    await new Promise((resolve) => {
      other.close(resolve)
    })
    const gateway = await startGatewayProcess(box, ['--upstream', `http://127.0.0.1:${port}`])
    running.push(gateway)
    const unreachable = await ask(gateway.url, 'Hm?')
    expect(unreachable.status).toBe(502)
    expect(await unreachable.json()).toMatchObject({
      error: { message: expect.stringMatching(/can't reach http:\/\/127\.0\.0\.1:\d+: nothing listens there/) },
    })
  })
})
