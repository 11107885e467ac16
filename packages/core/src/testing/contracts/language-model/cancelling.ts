/** Cancelling at each moment: a `cancelled` error, never success, and the connection is free. */
import type { Moment } from '../../model-server/index.ts'
import { LONG_REPLY, MOMENTS } from './failures.ts'
import { outcomeOf } from './outcome.ts'
import { TOOLS } from './requests.ts'
import type { Fixture, Suite } from './subject.ts'

const asked = async ({ server }: Fixture): Promise<void> => {
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** Defines the tests of requests that are cancelled, at every moment of a reply. */
export const runCancelling = ({ test, expect, subject }: Suite): void => {
  const tools = subject.capabilities.tools === true ? { tools: TOOLS } : {}
  const moments: readonly Moment[] = ['before-headers', ...MOMENTS]
  for (const at of moments)
    test(`can be cancelled while nothing comes, ${at}`, async (fixture) => {
      const { server, model, request, untilClosed } = fixture
      server.script({ reply: LONG_REPLY, fault: { kind: 'stall', at } })
      const controller = new AbortController()
      const outcome = outcomeOf(model, request({ ...tools, signal: controller.signal }))
      await asked(fixture)
      // What was sent until the stall may still be on its way.
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.abort()
      const { end, error } = await outcome
      expect([end, error?.isRetryable]).toEqual(['cancelled', false])
      await untilClosed()
      expect(server.ledger.every(({ isComplete }) => !isComplete)).toBe(true)
    })

  test('can be cancelled at any event but the last', async ({ server, model, request, ask }) => {
    server.script({ reply: LONG_REPLY })
    const whole = await ask(model, request(tools))
    for (let count = 1; count < whole.events.length; count++) {
      // Slowly, so that the answer is not all there at the first event.
      server.script({ reply: LONG_REPLY, fault: { kind: 'slow', at: 'after-headers', delayMs: 1 } })
      const controller = new AbortController()
      let seen = 0
      const outcome = await ask(model, request({ ...tools, signal: controller.signal }), () => {
        seen += 1
        if (seen === count) controller.abort()
      })
      expect([count, outcome.end]).toEqual([count, 'cancelled'])
    }
  })

  test('asks nothing when it was cancelled before', async ({ server, model, request }) => {
    const outcome = await outcomeOf(model, request({ signal: AbortSignal.abort() }))
    expect([outcome.end, server.requests.length]).toEqual(['cancelled', 0])
  })

  test('stays done when it is cancelled afterwards', async ({ server, model, request, ask }) => {
    const controller = new AbortController()
    const outcome = await ask(model, request({ signal: controller.signal }), (event) => {
      if (event.type === 'done') controller.abort()
    })
    expect(outcome.end).toBe('done')
    expect(server.ledger[0]?.isComplete).toBe(true)
  })

  test('frees the connection of whoever stops reading', async ({ server, model, request, untilClosed }) => {
    for (const type of ['text', 'usage', 'block', 'done']) {
      server.script({
        reply: LONG_REPLY,
        ...(type !== 'done' && { fault: { kind: 'stall', at: 'before-last-event' } }),
      })
      for await (const event of model.stream(request(tools))) if (event.type === type || event.type === 'block') break
      await untilClosed()
    }
  })

  test('can be cancelled as one of many at once', async ({ server, model, request }) => {
    const controllers = Array.from({ length: 12 }, () => new AbortController())
    server.script(
      ...controllers.map(() => ({ reply: LONG_REPLY, fault: { kind: 'slow', at: 'in-text', delayMs: 5 } }) as const),
    )
    const outcomes = await Promise.all(
      controllers.map((controller, index) =>
        outcomeOf(model, request({ ...tools, signal: controller.signal }), (event) => {
          if (event.type === 'text' && index % 3 === 0) controller.abort()
        }),
      ),
    )
    expect(outcomes.map(({ end }) => end)).toEqual(
      controllers.map((_, index) => (index % 3 === 0 ? 'cancelled' : 'done')),
    )
  })
}
