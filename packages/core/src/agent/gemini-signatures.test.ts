/** The signatures of Gemini 3's calls, which its API wants back: against the server that refuses a request without them. */
import { describe, expect, it } from '@jest/globals'
import { arrayOf, objectOf, parseJson, stringOf } from '../json.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { createLanguageModel } from '../providers/index.ts'
import {
  DEFAULT_MODELS,
  startModelServer,
  type ModelServer,
  type Reply,
  type ReplyBlock,
} from '../testing/model-server/index.ts'
import { createAgent } from './create-agent.ts'
import { createBench } from './scripted-agent.fixture.ts'

const TIMEOUT_MS = 60_000

const read = (path: string): ReplyBlock => ({ type: 'tool-call', name: 'read', input: { path } })
const calls = (...paths: readonly string[]): { readonly reply: Reply } => ({
  reply: { blocks: [{ type: 'thinking', text: `About ${paths.join()}.` }, ...paths.map(read)] },
})
const says = (words: string): { readonly reply: Reply } => ({ reply: { blocks: [{ type: 'text', text: words }] } })

const modelOf = (server: ModelServer, provider: string): LanguageModel =>
  createLanguageModel({
    provider,
    apiKey: 'test-key',
    baseUrl: provider === 'openai-chat' ? `${server.url}/v1` : server.url,
    retries: { maximumAttempts: 1 },
  })

/** What a request sent back of each call: the path that is read, and its signature. */
const signaturesIn = (text = '{}'): readonly (readonly [path: string, signature: string | undefined])[] =>
  arrayOf(objectOf(parseJson(text)?.value).contents).flatMap((content) =>
    arrayOf(objectOf(content).parts).flatMap((part) => {
      const { functionCall, thoughtSignature } = objectOf(part)
      if (functionCall === undefined) return []
      return [[stringOf(objectOf(objectOf(functionCall).args).path) ?? '', stringOf(thoughtSignature)] as const]
    }),
  )

const FOREIGN = 'skip_thought_signature_validator'

describe('thought signatures of Gemini 3', () => {
  it(
    'go back with their calls in the same turn, also after a restart in the middle of it, and in later ones',
    async () => {
      const server = await startModelServer()
      try {
        const bench = createBench()
        for (const path of ['a', 'b', 'c', 'd']) bench.files.set(path, `text of ${path}`)
        const asked = { model: 'gemini-3-pro' }
        server.script(calls('a', 'b'), calls('c'), calls('d'), says('Four.'), says('Five.'))
        const google = (): LanguageModel => modelOf(server, 'google')
        const first = await createAgent(bench.options(google(), { ...asked, limits: { turns: 2 } })).run('Read all')
        expect(first).toMatchObject({ end: 'max-turns', turns: 2 })
        // Another process: nothing but the log is left.
        const resumed = createAgent(bench.options(google(), { ...asked, session: first.sessionId }))
        expect(await resumed.resume()).toMatchObject({ end: 'done', text: 'Four.' })
        expect(await resumed.run('And five?')).toMatchObject({ end: 'done', text: 'Five.' })
        expect(server.requests.map(({ problem }) => problem)).toEqual(server.requests.map(() => undefined))
        const sent = server.requests.map(({ text }) => signaturesIn(text))
        expect(sent.at(-1)?.map(([path]) => path)).toEqual(['a', 'b', 'c', 'd'])
        // The first call of a reply is signed; each signature is sent as it came, with every request.
        expect(sent.at(-1)?.map(([, signature]) => signature !== undefined)).toEqual([true, false, true, true])
        for (const request of sent) expect(sent.at(-1)?.slice(0, request.length)).toEqual(request)
        expect(JSON.stringify(sent)).not.toContain(FOREIGN)
      } finally {
        await server.close()
      }
    },
    TIMEOUT_MS,
  )

  it(
    'are left out for another model, whose own calls go to Gemini without one, and are valid again after it',
    async () => {
      const server = await startModelServer()
      try {
        const bench = createBench()
        for (const path of ['a', 'b', 'c']) bench.files.set(path, `text of ${path}`)
        server.script(calls('a'), says('A.'), calls('b'), says('B.'), calls('c'), says('C.'))
        const gemini = { model: 'gemini-3-pro' }
        const { sessionId: session } = await createAgent(bench.options(modelOf(server, 'google'), gemini)).run('Read a')
        const claude = { model: 'claude-sonnet-5', session }
        await createAgent(bench.options(modelOf(server, 'anthropic'), claude)).run('Read b')
        const back = await createAgent(bench.options(modelOf(server, 'google'), { ...gemini, session })).run('Read c')
        expect(back).toMatchObject({ end: 'done', text: 'C.' })
        expect(server.requests.map(({ problem }) => problem)).toEqual(server.requests.map(() => undefined))
        const wires = server.requests.map(({ wire }) => wire)
        expect(wires).toEqual(['gemini', 'gemini', 'anthropic', 'anthropic', 'gemini', 'gemini'])
        const [, own = ''] = signaturesIn(server.requests[1]?.text)[0] ?? []
        expect(own).not.toBe('')
        for (const { wire, text } of server.requests) if (wire === 'anthropic') expect(text).not.toContain(own)
        const last = signaturesIn(server.requests.at(-1)?.text)
        expect(last.slice(0, 2)).toEqual([
          ['a', own],
          ['b', FOREIGN],
        ])
        expect(last[2]?.[1]).not.toBe(FOREIGN)
      } finally {
        await server.close()
      }
    },
    TIMEOUT_MS,
  )

  it(
    'go back over Google’s API in the form of OpenAI’s, too, and not to another model there',
    async () => {
      const gemini = DEFAULT_MODELS.find(({ name }) => name === 'gemini-3-pro')
      if (gemini === undefined) throw new Error('no Gemini')
      const models = [...DEFAULT_MODELS, { ...gemini, name: 'gemini-3-flash', wires: ['openai-chat'] as const }]
      const server = await startModelServer({ models })
      try {
        const bench = createBench()
        for (const path of ['a', 'b', 'c', 'd']) bench.files.set(path, `text of ${path}`)
        server.script(calls('a', 'b'), calls('c'), says('Three.'), says('Hm.'), calls('d'), says('Four.'))
        const chat = (): LanguageModel => modelOf(server, 'openai-chat')
        const asked = { model: 'gemini-3-flash' }
        const first = await createAgent(bench.options(chat(), { ...asked, limits: { turns: 1 } })).run('Read all')
        const session = first.sessionId
        expect(await createAgent(bench.options(chat(), { ...asked, session })).resume()).toMatchObject({
          text: 'Three.',
        })
        await createAgent(bench.options(chat(), { model: 'qwen-local', session })).run('And you?')
        const last = await createAgent(bench.options(chat(), { ...asked, session })).run('And d?')
        expect(last).toMatchObject({ end: 'done', text: 'Four.' })
        expect(server.requests.map(({ problem }) => problem)).toEqual(server.requests.map(() => undefined))
        const signed = server.requests.map(({ text }) => text.match(/thought_signature/g)?.length ?? 0)
        expect(signed).toEqual([0, 1, 2, 0, 2, 3])
        expect(server.requests.at(-1)?.text).not.toContain(FOREIGN)
      } finally {
        await server.close()
      }
    },
    TIMEOUT_MS,
  )
})
