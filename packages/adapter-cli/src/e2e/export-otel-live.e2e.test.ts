/** `--otel` of watch, gateway and run: a collector receives what they record, once, also from two at a time. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { join } from 'node:path'
import { startModelServer, type ModelServer } from '@cairn/core/testing'
import { appendClaude } from '../testing/grown-transcripts.ts'
import { startCollector, type OtlpCollector } from '../testing/otlp-collector.ts'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { startGatewayProcess, type RunningGateway } from '../testing/run-gateway.ts'
import { createWatches, hasTold } from '../testing/run-watch.ts'

const MOST_MS = 180_000
const MODEL = 'claude-sonnet-5'

let box: Sandbox
let collector: OtlpCollector
let server: ModelServer
let gateway: RunningGateway | undefined
const watches = createWatches(() => box)

beforeEach(async () => {
  box = createSandbox({ ANTHROPIC_API_KEY: 'test-key' })
  collector = await startCollector()
  server = await startModelServer()
})
afterEach(async () => {
  gateway?.child.kill('SIGKILL')
  gateway = undefined
  await watches.end()
  await server.close()
  await collector.close()
  box.remove()
})

const append = (session: string, number: number): string => appendClaude(join(box.folder, 'home'), session, number)
/** Of requests; one whose sender was killed before it noted that it was sent comes again, with the same id. */
const chatIds = (): readonly string[] => {
  const chats = collector.spans().filter(({ name }) => name.startsWith('chat '))
  return [...new Set(chats.map(({ spanId }) => spanId))]
}
const received = (count: number): Promise<void> => watches.until(`${count} requests`, () => chatIds().length >= count)
const outputTokens = (): number =>
  collector
    .points()
    .filter(({ attributes }) => attributes['gen_ai.token.type'] === 'output')
    .reduce((sum, point) => sum + point.sum, 0)
const counted = async (): Promise<Readonly<Record<string, number>>> =>
  ((await box.json('usage')) as { readonly total: Readonly<Record<string, number>> }).total
/** What is left for a later export; nothing, where all was noted as sent. */
const left = async (): Promise<unknown> =>
  ((await box.json('export', 'otel', '--endpoint', collector.url, '--dry-run')) as { readonly requests: number })
    .requests

describe('--otel', () => {
  it(
    'of two watches one sends what arrives, once each, and the other goes on when that one is killed',
    async () => {
      append('old', 1)
      const first = watches.start('--otel', collector.url)
      await watches.until('first follows', () => hasTold(first, 'following'))
      await received(1)
      const second = watches.start('--otel', collector.url)
      await watches.until('second waits', () => hasTold(second, 'standby'))
      append('old', 2)
      append('new', 1)
      await received(3)
      first.child.kill('SIGKILL')
      await first.ended
      await watches.until('second follows', () => hasTold(second, 'following'))
      append('new', 2)
      await received(4)
      await watches.until('the sums', async () => outputTokens() === (await counted())['outputTokens'])
      expect(chatIds()).toHaveLength(4)
      second.child.kill('SIGTERM')
      expect(await second.ended).toBe(0)
      expect(await left()).toBe(0)
      expect(first.errors()).toContain(`Requests are sent to ${collector.url} as they are recorded.\n`)
    },
    MOST_MS,
  )

  it(
    'says once that the collector is not there, and sends everything when it is',
    async () => {
      append('one', 1)
      collector.answer = () => ({ status: 400 })
      const watch = watches.start('--otel', collector.url)
      await watches.until('the sentence', () => watch.errors().includes('refused an export (400)'))
      append('one', 2)
      collector.answer = undefined
      await received(2)
      expect(watch.errors().match(/refused an export/g)).toHaveLength(1)
      expect(chatIds()).toHaveLength(2)
    },
    MOST_MS,
  )

  it(
    'of the gateway sends the last request as it ends, with what was billed and without its text',
    async () => {
      gateway = await startGatewayProcess(box, ['--upstream', server.url, '--otel', collector.url])
      const response = await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: 'Bearer test-key',
        },
        body: JSON.stringify({
          model: MODEL,
          max_tokens: 200,
          messages: [{ role: 'user', content: 'Two times two?' }],
        }),
      })
      expect(response.status).toBe(200)
      await response.text()
      await gateway.until('request', 1)
      expect(await gateway.stop()).toBe(0)
      const [chat, ...more] = collector.spans().filter(({ name }) => name === `chat ${MODEL}`)
      expect(more).toEqual([])
      expect(chat?.attributes['gen_ai.usage.output_tokens']).toBe(server.ledger[0]?.tokens.outputTokens)
      expect(Buffer.concat(collector.received.map(({ body }) => body)).toString()).not.toContain('Two times two')
      expect(await left()).toBe(0)
    },
    MOST_MS,
  )

  it(
    'of a run sends its requests before it ends, and a run fails for no collector',
    async () => {
      const run = (...args: readonly string[]) =>
        box.cairn('run', 'Two times two?', '--model', MODEL, '--base-url', server.url, ...args)
      expect((await run('--otel', collector.url)).code).toBe(0)
      expect(chatIds()).toHaveLength((await counted())['requests'] ?? 0)
      expect(outputTokens()).toBe((await counted())['outputTokens'])
      await collector.close()
      const alone = await run('--otel', collector.url)
      expect(alone.code).toBe(0)
      expect(alone.stderr).toContain("can't be reached")
    },
    MOST_MS,
  )

  it(
    'is refused in a sentence where nothing is kept or no collector is named',
    async () => {
      const sentence = async (...args: readonly string[]): Promise<unknown> => {
        const { code, stderr } = await box.cairn(...args)
        return [code, stderr]
      }
      expect(await sentence('gateway', '--incognito', '--otel', collector.url)).toEqual([
        2,
        '--otel sends what is recorded, and --incognito records nothing: give one of them.\n',
      ])
      expect(await sentence('watch', '--otel')).toEqual([
        2,
        'Where is it sent? Name a collector with --otel http://127.0.0.1:4318, or in OTEL_EXPORTER_OTLP_ENDPOINT.\n',
      ])
      // A task that the option took for its address.
      expect(await sentence('run', '--otel', 'why')).toEqual([2, expect.stringMatching(/--otel [^\n]*'why'[^\n]*\n$/)])
      expect(await sentence('watch', '--otel', 'not an address')).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)])
      expect(collector.received).toEqual([])
    },
    MOST_MS,
  )
})
