/** A program that is killed while a request of a session runs: what holds then. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { createLanguageModel } from '@cairn/core/providers'
import { startModelServer } from '@cairn/core/testing'
import { openEngine } from './testing/process-engine.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const SENDER = fileURLToPath(new URL('./testing/request-sender.ts', import.meta.url))
const { newAddress } = temporaryStores()
const MODEL = 'claude-opus-5-5'

/** Runs a sender until it is killed; the signal that ended it. */
const killed = (...args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=@cairn/source', SENDER, ...args], (error) =>
      resolve(error?.signal ?? undefined),
    )
  })

describe.each(newAddress)('a request whose program is killed, on %s', (_, newStore) => {
  it('leaves its input, or its reply with the bill, and a session that goes on', async () => {
    const address = await newStore()
    const server = await startModelServer({
      makeReply: (_call, index) => ({
        blocks: [
          { type: 'thinking', text: `thought ${index}` },
          { type: 'text', text: `Reply ${index}.` },
        ],
      }),
    })
    try {
      const languageModel = createLanguageModel({ provider: 'anthropic', apiKey: 'test-key', baseUrl: server.url })
      const settings = { languageModel, model: MODEL }
      const first = await openEngine(address)
      const { sessionId: session } = await first.requests.send({ ...settings, session: {}, message: 'Begin.' })
      await first.close()
      // Before the reply was stored, and right after: `done` is told when it is on disk.
      for (const at of ['stored', 'text', 'done'])
        expect([at, await killed(address, session, server.url, `Killed at ${at}.`, at)]).toEqual([at, 'SIGKILL'])

      const engine = await openEngine(address)
      const log = await engine.sessions.log(session)
      const texts = log.flatMap((entry) =>
        entry.kind === 'message'
          ? [`${entry.role}: ${entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`]
          : [],
      )
      expect(texts).toEqual([
        'user: Begin.',
        'assistant: Reply 0.',
        'user: Killed at stored.',
        'user: Killed at text.',
        'user: Killed at done.',
        // Nobody took the reply to "Killed at text."; the provider billed it.
        'assistant: Reply 2.',
      ])
      expect(await engine.store.usage.requests(session)).toHaveLength(2)
      expect(await engine.store.verify()).toEqual([])
      await engine.requests.send({ ...settings, session, message: 'Go on.' })
      expect(server.requests.filter(({ problem }) => problem !== undefined)).toEqual([])
      expect(await engine.store.usage.requests(session)).toHaveLength(3)
      await engine.close()
    } finally {
      await server.close()
    }
  })
})
