import { describe, expect, it } from '@jest/globals'
import { DAY_MS } from './calendar.ts'
import { isOn, parseDiscounts, parseSubscriptions } from './plans.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS
const max = { name: 'Max', monthlyUsd: 100, since: '2026-01-10' }

describe('parseSubscriptions', () => {
  it('reads plans by provider, in their order', () => {
    const parsed = parseSubscriptions({
      anthropic: [
        { ...max, until: '2026-03-14', agents: ['claude-code'] },
        { name: ' Max 20x ', monthlyUsd: 199.99, since: '2026-03-15', people: ['Ada', 'Bo'], machines: ['desk'] },
      ],
      Copilot: [{ name: 'Free', monthlyUsd: 0, since: '2024-02-29' }],
    })
    const anyone = { agents: null, people: null, machines: null }
    expect(parsed).toEqual({
      ok: true,
      value: [
        {
          provider: 'anthropic',
          name: 'Max',
          monthlyNano: 100_000_000_000n,
          firstDay: day('2026-01-10'),
          lastDay: day('2026-03-14'),
          ...anyone,
          agents: ['claude-code'],
        },
        {
          provider: 'anthropic',
          name: 'Max 20x',
          monthlyNano: 199_990_000_000n,
          firstDay: day('2026-03-15'),
          lastDay: null,
          agents: null,
          people: ['Ada', 'Bo'],
          machines: ['desk'],
        },
        {
          provider: 'github-copilot',
          name: 'Free',
          monthlyNano: 0n,
          firstDay: day('2024-02-29'),
          lastDay: null,
          ...anyone,
        },
      ],
    })
    expect(parseSubscriptions(undefined)).toEqual({ ok: true, value: [] })
  })

  it.each([
    [[], 'subscriptions', /lists of plans by provider/],
    [{ unknown: [max] }, 'subscriptions.unknown', /named after a provider/],
    [{ ' ': [max] }, 'subscriptions. ', /named after a provider/],
    [{ anthropic: max }, 'subscriptions.anthropic', /a list of 1 to 50 plans/],
    [{ anthropic: [] }, 'subscriptions.anthropic', /a list of 1 to 50 plans/],
    [{ anthropic: Array.from({ length: 51 }, () => max) }, 'subscriptions.anthropic', /a list of 1 to 50 plans/],
    [{ anthropic: [max, 100] }, 'subscriptions.anthropic', /must have an object as plan 2/],
    [{ anthropic: [{ ...max, price: 3 }] }, 'subscriptions.anthropic', /must not have 'price' in plan 1; a plan has /],
    [{ anthropic: [{ ...max, name: ' ' }] }, 'subscriptions.anthropic', /plan 1 a 'name' that is a name of at most/],
    [{ anthropic: [max, { ...max, monthlyUsd: -1 }] }, 'subscriptions.anthropic', /plan 2 a 'monthlyUsd' that is an/],
    [{ anthropic: [{ ...max, monthlyUsd: '100' }] }, 'subscriptions.anthropic', /'monthlyUsd' that is an amount/],
    [{ anthropic: [{ name: 'Max', monthlyUsd: 100 }] }, 'subscriptions.anthropic', /'since' that is a date/],
    [{ anthropic: [{ ...max, since: '2026-02-30' }] }, 'subscriptions.anthropic', /'since' that is a date/],
    [{ anthropic: [{ ...max, since: '2026-13-01' }] }, 'subscriptions.anthropic', /'since' that is a date/],
    [{ anthropic: [{ ...max, until: '9999-12-31' }] }, 'subscriptions.anthropic', /'until' that is a date/],
    [{ anthropic: [{ ...max, until: '2026-01-09' }] }, 'subscriptions.anthropic', /not let plan 1 end before it/],
    [{ anthropic: [{ ...max, agents: [] }] }, 'subscriptions.anthropic', /'agents' that is a list of 1 to 50 names/],
    [{ anthropic: [{ ...max, people: [7] }] }, 'subscriptions.anthropic', /'people' that is a list of 1 to 50 names/],
  ])('says what is wrong with %j', (value, name, what) => {
    expect(parseSubscriptions(value)).toEqual({ ok: false, error: { name, what: expect.stringMatching(what) } })
  })
})

describe('parseDiscounts', () => {
  it('takes one without days, and several that do not overlap', () => {
    expect(
      parseDiscounts({
        openai: [
          { percent: 12.5, until: '2026-02-28' },
          { percent: 15, since: '2026-03-01' },
        ],
        gemini: [
          { percent: 100, agents: ['gemini'] },
          { percent: 5, agents: ['cline'] },
        ],
      }),
    ).toEqual({
      ok: true,
      value: [
        { provider: 'openai', percent: 12.5, firstDay: null, lastDay: day('2026-02-28'), agents: null },
        { provider: 'openai', percent: 15, firstDay: day('2026-03-01'), lastDay: null, agents: null },
        { provider: 'google', percent: 100, firstDay: null, lastDay: null, agents: ['gemini'] },
        { provider: 'google', percent: 5, firstDay: null, lastDay: null, agents: ['cline'] },
      ],
    })
  })

  it.each([
    [{ openai: [{ percent: 0 }] }, /'percent' that is a number above 0/],
    [{ openai: [{ percent: 100.1 }] }, /'percent' that is a number above 0/],
    [{ openai: [{ percent: 10, monthlyUsd: 3 }] }, /must not have 'monthlyUsd' in plan 1/],
    [{ openai: [{ percent: 10 }, { percent: 20, since: '2026-01-01' }] }, /10 % and 20 % overlap/],
    [
      {
        openai: [
          { percent: 10, until: '2026-03-01' },
          { percent: 20, since: '2026-03-01' },
        ],
      },
      /10 % and 20 % overlap/,
    ],
    [{ openai: [{ percent: 10, agents: ['cline'] }, { percent: 20 }] }, /10 % and 20 % overlap/],
  ])('says what is wrong with %j', (value, what) => {
    expect(parseDiscounts(value)).toEqual({
      ok: false,
      error: { name: 'discounts.openai', what: expect.stringMatching(what) },
    })
  })
})

describe('isOn', () => {
  it('includes first and last day, and without a day only what applies always', () => {
    const plan = { firstDay: 10, lastDay: 12 }
    expect([9, 10, 12, 13, Number.NEGATIVE_INFINITY, undefined].map((one) => isOn(plan, one))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(isOn({ firstDay: null, lastDay: 12 }, Number.NEGATIVE_INFINITY)).toBe(true)
    expect(isOn({ firstDay: null, lastDay: null }, undefined)).toBe(true)
  })
})
