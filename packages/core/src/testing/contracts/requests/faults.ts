/** Requests that fail on the way: each attempt is counted once, as a failure or as a request that was billed. */
import type { SentRequest } from '../../../requests/send-input.ts'
import type { Fault, Step } from '../../model-server/index.ts'
import { randomText } from '../../random-text.ts'
import { longText } from '../language-model/requests.ts'
import { rejectionOf } from '../test-api.ts'
import { ASKED, countsIn, type RequestSuite } from './workbench.ts'

const UNBILLED: readonly Fault[] = [
  { kind: 'refuse', as: 'rate-limit' },
  { kind: 'refuse', as: 'server-error' },
  { kind: 'cut', at: 'before-headers' },
]
const BILLED: readonly Fault[] = [
  { kind: 'cut', at: 'in-text' },
  { kind: 'end', at: 'in-text' },
  { kind: 'error-event', at: 'in-text', as: 'overloaded' },
]
/** Stands in every reply that breaks off. */
const BROKEN = 'BROKEN-OFF'
const SENDS = 12

/** Up to four attempts that fail, before the one that does not. */
const faultsBefore = (index: number): readonly Fault[] => {
  const random = randomText(index)
  return Array.from({ length: random.below(5) }, () => {
    const kind = random.below(2) === 0 ? UNBILLED : BILLED
    return kind[random.below(kind.length)] ?? { kind: 'empty' }
  })
}

/** A fault with a reply that tells by its text that it was broken. */
const stepOf = (fault: Fault): Step => ({
  fault,
  reply: { blocks: [{ type: 'text', text: `${BROKEN} ${longText('word', 60)}` }] },
})

/** Defines the tests of requests that fail, are cancelled or made again: each attempt is billed once. */
export const runFaults = ({ test, expect }: RequestSuite): void => {
  for (const asked of ASKED)
    test('counts every attempt once', asked, async ({ store, server, clock, model, engine }) => {
      const { requests } = engine()
      const faults: Fault[] = []
      const sent: SentRequest[] = []
      for (let index = 0; index < SENDS; index += 1) {
        const own = faultsBefore(index)
        faults.push(...own)
        server.script(...own.map(stepOf))
        sent.push(
          await requests.send({
            session: sent[0]?.sessionId ?? {},
            message: longText(`question${index}_`, 5 + index * 7),
            languageModel: model,
            model: asked.model,
            onEvent: () => clock.advance(40),
          }),
        )
        expect(sent.at(-1)?.attempt).toBe(own.length + 1)
      }
      await server.untilNoSockets()
      const sessionId = sent[0]?.sessionId ?? ''
      const failed = faults.filter((fault) => UNBILLED.includes(fault)).length
      const broken = faults.length - failed
      expect(broken).toBeGreaterThan(3)
      expect(failed).toBeGreaterThan(3)

      const failures = await store.usage.failures({ sessionId })
      expect(failures.reduce((sum, { failures: count }) => sum + count, 0)).toBe(failed)
      const made = await store.usage.requests(sessionId)
      expect(made.length).toBe(SENDS + broken)
      expect(made.length).toBe(server.ledger.length)
      expect(made.map(countsIn)).toEqual(
        server.ledger.map(({ isComplete, tokens, reported }) => countsIn(isComplete ? tokens : (reported ?? {}))),
      )
      expect(made.map(({ partial }) => partial)).toEqual(server.ledger.map(({ isComplete }) => !isComplete))
      const whole = server.ledger.filter(({ isComplete }) => isComplete)
      const full = made.filter(({ partial }) => !partial)
      expect(full.map(({ costNano }) => costNano)).toEqual(whole.map(({ costNano }) => costNano))
      expect(full.map(({ attempt }) => attempt)).toEqual(sent.map(({ attempt }) => attempt))

      // A person can read what came; no model is sent it.
      expect(server.requests.filter(({ text }) => text.includes(BROKEN))).toEqual([])
      expect(server.requests.filter(({ problem }) => problem !== undefined)).toEqual([])
      const log = await store.sessions.read(sessionId)
      expect(log.filter(({ kind }) => kind === 'truncation').length).toBe(broken)
      expect(JSON.stringify(log).includes(BROKEN.slice(0, 5))).toBe(true)
      expect(await store.verify()).toEqual([])
    })

  for (const asked of ASKED)
    test('records what was cancelled, and goes on', asked, async ({ store, server, model, engine }) => {
      const { requests } = engine()
      const controller = new AbortController()
      server.script({ reply: { blocks: [{ type: 'text', text: `${BROKEN} ${longText('word', 400)}` }] } })
      const settings = { languageModel: model, model: asked.model }
      let session = ''
      const cancelled = await rejectionOf(
        requests.send({
          ...settings,
          session: {},
          message: 'A long answer, please.',
          signal: controller.signal,
          onEvent: (event) => {
            if (event.type === 'stored') session = event.sessionId
            if (event.type === 'text') controller.abort()
          },
        }),
      )
      expect(cancelled).toMatchObject({ code: 'cancelled' })
      await server.untilNoSockets()
      const [request, another] = await store.usage.requests(session)
      expect([request?.partial, another]).toEqual([true, undefined])
      expect(await store.usage.failures()).toEqual([])
      const sent = await requests.send({ ...settings, session, message: 'Shorter.' })
      expect(sent.attempt).toBe(1)
      expect(server.requests.at(-1)?.text.includes('A long answer, please.')).toBe(true)
      expect(server.requests.at(-1)?.text.includes(BROKEN)).toBe(false)
    })
}
