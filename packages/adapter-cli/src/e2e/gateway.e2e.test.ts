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

  it('leaves out with --policy what is dead, keeps it in the session, and says how much it was', async () => {
    const gateway = await start('--policy', 'cache-aware', '--preset', 'lean')
    const output = (step: number): string =>
      Array.from({ length: 150 }, (_, line) => `run ${step}: case_${step}_${line} passed in ${line * 3} ms`).join('\n')
    const messages = [
      { role: 'user', content: 'Mend the tests.' },
      ...Array.from({ length: 24 }, (_, step) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `toolu_${step}`, name: 'Bash', input: { command: `npm test -- ${step}` } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${step}`, content: output(step) }] },
      ]).flat(),
    ]
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': 'test-key' },
      body: JSON.stringify({ model: MODEL, max_tokens: 200, messages }),
    })
    expect([response.status, server.requests.at(-1)?.problem]).toEqual([200, undefined])
    const sent = server.requests.at(-1)?.text ?? ''
    expect(sent.includes('[cleared]')).toBe(true)
    expect(sent.length).toBeLessThan(JSON.stringify(messages).length * 0.8)
    const [told] = await gateway.until('request', 1)
    expect(told).toMatchObject({ kept: 'messages', leftOutTokens: expect.any(Number) })
    expect(Number(told?.['leftOutTokens'])).toBeGreaterThan(1000)
    expect(await gateway.stop()).toBe(0)
    const { results } = (await box.json('recall', 'case_2_77')) as { results: readonly { sessionId: string }[] }
    expect(results[0]?.sessionId).toBe(told?.['sessionId'])
  })

  it('refuses --policy where nothing is kept, and --preset without a policy', async () => {
    const incognito = await box.cairn('gateway', '--policy', 'clio', '--incognito')
    expect([incognito.code, incognito.stderr]).toEqual([2, expect.stringContaining('--incognito keeps nothing')])
    const preset = await box.cairn('gateway', '--preset', 'lean')
    expect([preset.code, preset.stderr]).toEqual([2, expect.stringContaining('--preset goes with --policy')])
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
