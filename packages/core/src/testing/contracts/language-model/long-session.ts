/** A session of many turns with tools in a small window: no rule is broken, and every token that is billed is told. */
import type { ContentBlock, Message } from '../../../messages.ts'
import { objectOf } from '../../../json.ts'
import type { CacheBreakpoint } from '../../../ports/language-model.ts'
import { DEFAULT_MODELS, type ReplyBlock, type ServedModel, type WireName } from '../../model-server/index.ts'
import { randomText } from '../../random-text.ts'
import { countsOf, sumOf } from './outcome.ts'
import { callsIn, longText, textMessage, TOOLS } from './requests.ts'
import { modelNameOf, type LanguageModelSubject, type Suite } from './subject.ts'

const TURNS = 60
const WINDOW_TOKENS = 32_000
/** Above it, older turns are left out. */
const MOST_CHARACTERS = 80_000
const MODELS: readonly ServedModel[] = DEFAULT_MODELS.map((model) => ({ ...model, contextWindow: WINDOW_TOKENS }))

/** Models whose thinking is bound to what was before it. */
const NEWER_MODELS: Readonly<Partial<Record<WireName, readonly string[]>>> = { anthropic: ['claude-opus-5-5'] }

const can = (subject: LanguageModelSubject, capability: keyof LanguageModelSubject['capabilities']): boolean =>
  subject.capabilities[capability] === true

/** The reply to a request of the session: most call tools; which, and how long they are, hangs on the number only. */
const replyOf = (subject: LanguageModelSubject, index: number) => {
  const random = randomText(index)
  const blocks: ReplyBlock[] = []
  if (can(subject, 'signed-thinking') && random.below(3) > 0)
    blocks.push({ type: 'thinking', text: longText('thought', random.below(60) + 1), isHidden: random.below(5) === 0 })
  blocks.push({ type: 'text', text: longText('word', random.below(80) + 1) })
  const calls = can(subject, 'tools') && index % 3 < 2 ? 1 + random.below(can(subject, 'parallel-tools') ? 3 : 1) : 0
  for (let call = 0; call < calls; call++)
    blocks.push({ type: 'tool-call', name: 'read_file', input: { path: `src/${index}-${call}.ts`, lines: [call] } })
  return { blocks }
}

const isSpoken = ({ role, content }: Message): boolean =>
  role === 'user' && content.every(({ type }) => type !== 'tool_result')

/** Also thinking that came encrypted, and is kept as it came. */
const isThinking = (block: ContentBlock): boolean =>
  block.type === 'thinking' || (block.type === 'other' && objectOf(block.value).type === 'redacted_thinking')

const withoutThinking = (messages: readonly Message[]): Message[] =>
  messages
    .map(({ role, content }) => ({ role, content: content.filter((block) => !isThinking(block)) }))
    .filter(({ content }) => content.length > 0)

/** Leaves out whole turns from the front until the rest fits; thinking that is bound to them goes as well. */
const shortened = (messages: readonly Message[], isBound: boolean): readonly Message[] => {
  let kept = messages
  while (JSON.stringify(kept).length > MOST_CHARACTERS) {
    const next = kept.findIndex((message, index) => index > 0 && isSpoken(message))
    if (next < 0) throw new Error('one turn alone is too long')
    kept = kept.slice(next)
  }
  return kept === messages ? messages : isBound ? withoutThinking(kept) : kept
}

/** The results of a reply's calls; every seventh failed, and texts differ by `index`. */
const resultsOf = (blocks: readonly ContentBlock[], index: number): Message => ({
  role: 'tool',
  content: callsIn(blocks).map(({ id }, call) => ({
    type: 'tool_result',
    callId: id,
    isError: (index + call) % 7 === 0,
    content: [{ type: 'text', text: longText(`line${call}_`, 40 + randomText(index * 31 + call).below(700)) }],
  })),
})

/** Defines the test of a long session: every token of it is told as the server bills it. */
export const runLongSession = ({ test, expect, subject }: Suite): void => {
  let now = 0
  const options = {
    models: MODELS,
    clock: () => now,
    makeReply: (_call: unknown, index: number) => replyOf(subject, index),
  }
  for (const name of new Set([modelNameOf(subject), ...(NEWER_MODELS[subject.wire] ?? [])]))
    test(
      `tells every token of ${TURNS} turns of ${name} in a window of ${WINDOW_TOKENS}`,
      async ({ server, model, request, ask }) => {
        const isBound = MODELS.find((model) => model.name === name)?.signature === 'conversation'
        let messages: readonly Message[] = []
        const told = []
        let rewrites = 0
        for (let turn = 0; turn < TURNS; turn++) {
          messages = [...messages, textMessage('user', longText(`question${turn}_`, 30 + (turn % 7) * 20))]
          for (let hasCalls = true; hasCalls;) {
            const kept = shortened(messages, isBound)
            if (kept !== messages) rewrites += 1
            messages = kept
            const cacheBreakpoints: CacheBreakpoint[] = [
              { after: 'system', lifetime: '1h' },
              { after: messages.length - 1 },
            ]
            const whole = request({
              model: name,
              system: longText('system', 700),
              messages,
              cacheBreakpoints,
              cacheKey: 'session-1',
              effort: 'medium',
              ...(can(subject, 'tools') && { tools: TOOLS }),
            })
            const { end, error, done, blocks } = await ask(model, whole)
            expect([turn, end, error?.message]).toEqual([turn, 'done', undefined])
            told.push(countsOf(done?.usage))
            now += 20_000
            messages = [...messages, { role: 'assistant', content: blocks }]
            hasCalls = callsIn(blocks).length > 0
            if (hasCalls) messages = [...messages, resultsOf(blocks, told.length)]
          }
          // Now and then the caches of five minutes run out.
          if (turn % 10 === 9) now += 400_000
        }
        expect(server.requests.filter(({ problem }) => problem !== undefined)).toEqual([])
        expect(told).toEqual(server.ledger.map(({ tokens }) => tokens))
        const sum = sumOf(told)
        expect(sum).toEqual(sumOf(server.ledger.map(({ tokens }) => tokens)))
        expect(rewrites).toBeGreaterThan(2)
        const isCached = can(subject, 'cache-breakpoints') || can(subject, 'automatic-cache')
        if (isCached) expect(sum.cacheReadTokens).toBeGreaterThan(sum.inputTokens)
      },
      { server: options },
    )
}
