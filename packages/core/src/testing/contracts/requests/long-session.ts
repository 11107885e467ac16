/** A session of many turns with tools in a small window, over restarts: no rule is broken, and the store has the whole bill. */
import type { SendInput } from '../../../requests/send-input.ts'
import type { Reply, ReplyBlock, ServedModel } from '../../model-server/index.ts'
import { DEFAULT_MODELS } from '../../model-server/index.ts'
import { randomText } from '../../random-text.ts'
import { longText, TOOLS } from '../language-model/requests.ts'
import { ASKED, countsIn, resultsOf, type RequestSuite } from './workbench.ts'

const TURNS = 60
const WINDOW = 32_000
/** Turns after which the program is started again. */
const RESTART = 7
const NEW_SESSION: SendInput['session'] = { workspace: '/w', title: 'A long session' }
const MODELS: readonly ServedModel[] = DEFAULT_MODELS.map((model) => ({ ...model, contextWindow: WINDOW }))

/** The server's reply to a request: most call tools; which, and how long they are, hangs on the number only. */
const replyAt = (index: number, thinks: boolean): Reply => {
  const random = randomText(index)
  const blocks: ReplyBlock[] = []
  if (thinks && random.below(3) > 0)
    blocks.push({ type: 'thinking', text: longText('thought', 1 + random.below(50)), isHidden: random.below(5) === 0 })
  blocks.push({ type: 'text', text: longText('word', 1 + random.below(90)) })
  const calls = index % 3 < 2 ? 1 + random.below(3) : 0
  for (let call = 0; call < calls; call += 1)
    blocks.push({ type: 'tool-call', name: 'read_file', input: { path: `src/${index}-${call}.ts`, lines: [call] } })
  return { blocks }
}

/** Defines the test that the bill of a long session in the store is the server's, to the token and the nano-dollar. */
export const runLongSessions = ({ test, expect }: RequestSuite): void => {
  for (const asked of ASKED)
    test(
      `the bill of ${TURNS} turns with tools in a window of ${WINDOW} is in the store, to the token and the nano-dollar`,
      asked,
      async ({ store, server, clock, model, engine }) => {
        let { requests } = engine()
        const settings = {
          languageModel: model,
          model: asked.model,
          system: longText('system', 700),
          tools: TOOLS,
          window: WINDOW,
          mode: 'act',
          ...(asked.thinks ? { effort: 'medium' as const } : {}),
        }
        let sessionId: string | undefined
        let rewrites = 0
        for (let turn = 0; turn < TURNS; turn += 1) {
          if (turn % RESTART === RESTART - 1) ({ requests } = engine())
          const message = longText(`question${turn}_`, 30 + (turn % 7) * 20)
          let next: Pick<SendInput, 'message' | 'toolResults'> = { message }
          for (let isOver = false; !isOver;) {
            const sent = await requests.send({ ...settings, ...next, session: sessionId ?? NEW_SESSION })
            sessionId = sent.sessionId
            rewrites += sent.decisions.length
            clock.advance(20_000)
            isOver = sent.toolCalls.length === 0
            const number = server.ledger.length
            const text = (call: number) => longText(`line${call}_`, 40 + randomText(number * 31 + call).below(700))
            next = { toolResults: resultsOf(sent.content, text) }
          }
          // Now and then the caches of five minutes run out.
          if (turn % 10 === 9) clock.advance(400_000)
        }
        await server.untilNoSockets()
        expect(server.requests.filter(({ problem }) => problem !== undefined).map(({ problem }) => problem)).toEqual([])
        const made = await store.usage.requests(sessionId ?? '')
        expect(made.map(countsIn)).toEqual(server.ledger.map(({ tokens }) => countsIn(tokens)))
        expect(made.map(({ costNano }) => costNano)).toEqual(server.ledger.map(({ costNano }) => costNano))
        const { total } = await store.usage.report({ by: 'session', filter: { mode: 'act' } })
        expect(total.costNano).toBe(server.ledger.reduce((sum, { costNano }) => sum + costNano, 0n))
        expect(total.requests).toBe(server.ledger.length)
        expect(total.requests).toBeGreaterThan(TURNS)
        expect(total.partialRequests).toBe(0)
        expect(total.timedRequests).toBe(total.requests)
        expect(await store.usage.failures()).toEqual([])
        expect(rewrites).toBeGreaterThan(2)
        expect(total.cacheReadTokens).toBeGreaterThan(total.inputTokens)
        expect(await store.verify()).toEqual([])
      },
      { models: MODELS, makeReply: (_call, index) => replyAt(index, asked.thinks) },
    )
}
