/** What a person reads when a model can't be asked: one sentence on each wire, with a key that `cairn secret` keeps. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer, type Step } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

const KEY = 'test-key'
const WRONG_KEY = 'sk-wrong-key-that-nobody-may-see-1234'

interface Wire {
  readonly provider: string
  readonly secret: string
  readonly title: string
  readonly path: string
  readonly model: string
  readonly misspelt: string
}

const WIRES: readonly Wire[] = [
  {
    provider: 'anthropic',
    secret: 'anthropic',
    title: 'Anthropic',
    path: '',
    model: 'claude-sonnet-5',
    misspelt: 'claude-sonet-5',
  },
  { provider: 'openai', secret: 'openai', title: 'OpenAI', path: '/v1', model: 'gpt-5.1', misspelt: 'gtp-5.1' },
  { provider: 'openai-chat', secret: 'openai', title: 'OpenAI', path: '/v1', model: 'gpt-5.1', misspelt: 'gtp-5.1' },
  {
    provider: 'google',
    secret: 'google',
    title: 'Google',
    path: '',
    model: 'gemini-2.5-flash',
    misspelt: 'gemini-2.5-falsh',
  },
]

/** The address of a server that has gone. */
const closedAddress = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe.each(WIRES)(
  'a model of $provider that can not be asked',
  ({ provider, secret, title, path, model, misspelt }) => {
    let box: Sandbox
    let server: ModelServer
    beforeEach(async () => {
      box = createSandbox()
      server = await startModelServer()
      const line = claudeLine({
        session: 'talk',
        model,
        id: 'a1',
        at: '2026-01-31T08:00:05.000Z',
        text: 'A file cache.',
      })
      const from = box.file('home/.claude/projects/app/talk.jsonl', `${line}\n`)
      expect((await box.cairn('import', '--from', from)).code).toBe(0)
      await keep(KEY)
    })
    afterEach(async () => {
      box.remove()
      await server.close()
    })

    const keep = async (key: string): Promise<void> => {
      const { code } = await box.shell(`printf %s '${key}' | cairn secret set ${secret} --file`)
      expect(code).toBe(0)
    }
    const send = (more: { readonly model?: string; readonly url?: string; readonly json?: boolean } = {}) =>
      box.cairn(
        ...['context', 'send', 'talk', 'What did we decide?', '--provider', provider, '--model', more.model ?? model],
        ...['--base-url', (more.url ?? server.url) + path, ...(more.json === true ? ['--json'] : [])],
      )
    /** What the sentences call a provider: a server that only speaks as OpenAI does is not OpenAI. */
    const named = (url = server.url): string => (provider === 'openai-chat' ? new URL(url).host : title)
    /** Without the stored key anywhere: one sentence that begins so, and then where the message is. */
    const sentenceOf = async (sent: ReturnType<typeof send>): Promise<string> => {
      const { code, stdout, stderr } = await sent
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).not.toContain(KEY)
      expect(stderr).not.toContain(WRONG_KEY)
      const lines = stderr.trimEnd().split('\n')
      const [, sentence, rest] = /^(.*?\.) (Your message is in the session .*)$/.exec(lines.at(-1) ?? '') ?? []
      expect(rest).toMatch(/the same command asks again/)
      return sentence ?? ''
    }

    it('answers with the stored key, when nothing is wrong', async () => {
      expect(await send()).toMatchObject({ code: 0, stdout: expect.stringContaining(`Reply 0 of ${model}`) })
    })

    it('names the key that is not accepted, by where it is kept', async () => {
      await keep(WRONG_KEY)
      const start = `${named()} does not accept the key (HTTP ${secret === 'google' ? 400 : 401}): check`
      const end = `, and whether it may use ${model}.`
      expect(await sentenceOf(send())).toBe(`${start} the stored key (cairn secret set ${secret})${end}`)
      const { code, stdout } = await send({ json: true })
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'auth', message: expect.stringContaining(start) } })
      expect(stdout).not.toContain(WRONG_KEY)
    })

    it('names the nearest models', async () => {
      expect(await sentenceOf(send({ model: misspelt }))).toMatch(
        new RegExp(
          `^${named()} has no model named ${misspelt}, or the key may not use it \\(HTTP 404\\): check the name\\. Nearest: .*\\b${model}\\b.*\\.$`,
        ),
      )
    })

    const hasCounter = provider !== 'openai-chat'
    ;(hasCounter ? it : it.skip)('names them, too, when a request is counted', async () => {
      const asked = ['talk', '--provider', provider, '--base-url', server.url + path, '--model', misspelt]
      const { code, stderr } = await box.cairn('context', 'count', ...asked)
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`has no model named ${misspelt}.* Nearest: .*\\b${model}\\b`))
      expect(stderr).not.toContain(KEY)
    })

    const REFUSAL: Step = { reply: { blocks: [{ type: 'text', text: 'I' }], stop: 'refusal' } }
    it.each<[string, Step, RegExp]>([
      [
        'no credit',
        { fault: { kind: 'refuse', as: 'quota' } },
        /^The account with [\w.:]+ has no credit left or has reached its limit.*: add credit or raise the limit there, then ask again\.$/,
      ],
      ['a refusal', REFUSAL, /^\S+ declined to answer.*: ask in another way, or another model\.$/],
    ])('says what to do: %s', async (_what, step, sentence) => {
      server.script(step)
      expect(await sentenceOf(send())).toMatch(sentence)
    })

    it('says that there is no connection, and where to', async () => {
      const url = await closedAddress()
      expect(await sentenceOf(send({ url }))).toMatch(
        new RegExp(
          `^There is no connection to ${provider === 'openai-chat' ? '' : `${title} at `}${new URL(url).host}, or it broke.*: check the network and the address, then ask again\\.$`,
        ),
      )
    })
  },
)
