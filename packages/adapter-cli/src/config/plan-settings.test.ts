import { describe, expect, it } from '@jest/globals'
import { problemOf } from './config-schema.ts'
import { parsePlans, plansInForce } from './plan-settings.ts'
import { parseSetting, settingPath } from './settings.ts'

const max = { name: 'Max', monthlyUsd: 100, since: '2026-01-31' }

describe('plans on the command line', () => {
  it('are short texts, or JSON for everything else', () => {
    expect(parseSetting('subscriptions.anthropic', 'Max,100,2026-01-31')).toEqual({
      path: ['subscriptions', 'anthropic'],
      value: [max],
    })
    expect(
      parsePlans('subscriptions', 'anthropic', 'Max, 100, 2026-01-31, 2026-03-14; Max 20x,199.99,2026-03-15'),
    ).toEqual([
      { ...max, until: '2026-03-14' },
      { name: 'Max 20x', monthlyUsd: 199.99, since: '2026-03-15' },
    ])
    expect(parsePlans('discounts', 'openai', '12.5')).toEqual([{ percent: 12.5 }])
    expect(parsePlans('discounts', 'openai', '15,2026-01-01,2026-06-30')).toEqual([
      { percent: 15, since: '2026-01-01', until: '2026-06-30' },
    ])
    const json = { ...max, agents: ['claude-code'], people: ['Ada'] }
    expect(parsePlans('subscriptions', 'anthropic', JSON.stringify(json))).toEqual([json])
    expect(parsePlans('subscriptions', 'anthropic', JSON.stringify([json, max]))).toEqual([json, max])
    expect(settingPath('discounts.openai')).toEqual(['discounts', 'openai'])
  })

  it.each([
    ['subscriptions.anthropic', 'Max,100', /'since' that is a date from 2000 to 2099 .*; it takes name,USD a month/],
    ['subscriptions.anthropic', 'Max,a lot,2026-01-31', /'monthlyUsd' that is an amount in USD/],
    ['subscriptions.anthropic', 'Max,100,2026-01-31,2026-02-01,5', /must not have '5' in plan 1/],
    ['subscriptions.anthropic', 'Max,100,2026-01-31;', /plan 2 a 'name'/],
    ['subscriptions.anthropic', '[{"name":', /or a list as JSON, which this is not/],
    ['subscriptions.unknown', 'Max,100,2026-01-31', /must be named after a provider/],
    ['discounts.openai', '', /'percent' that is a number/],
    ['discounts.openai', '15;20', /15 % and 20 % overlap/],
    ['discounts.__proto__', '15', /can't be the name of a provider/],
    ['subscriptions', 'Max,100,2026-01-31', /no setting 'subscriptions'; there are .*subscriptions\.<provider>/],
  ])('that are wrong are told in one sentence: %s %s', (key, text, problem) => {
    expect(() => parseSetting(key, text)).toThrow(problem)
  })
})

describe('plans in a settings file', () => {
  it('are checked with the other settings', () => {
    expect(problemOf({ subscriptions: { anthropic: [max] }, discounts: { openai: [{ percent: 5 }] } })).toBeUndefined()
    expect(problemOf({ subscriptions: { anthropic: [{ ...max, until: 'soon' }] } })).toEqual({
      name: 'subscriptions.anthropic',
      what: expect.stringContaining(`must give plan 1 a 'until' that is a date`),
    })
    expect(problemOf({ discounts: 15 })).toEqual({
      name: 'discounts',
      what: expect.stringContaining('must be lists of plans by provider'),
    })
  })

  it('of a project replace the user’s for a provider that they name, in either setting', () => {
    const project = { discounts: { anthropic: [{ percent: 40 }] } }
    const user = {
      subscriptions: { anthropic: [max], openai: [max] },
      discounts: { anthropic: [{ percent: 5 }], google: [{ percent: 7 }] },
    }
    expect(plansInForce([project, user], 'subscriptions')).toEqual({ openai: [max] })
    expect(plansInForce([project, user], 'discounts')).toEqual({
      anthropic: [{ percent: 40 }],
      google: [{ percent: 7 }],
    })
    expect(plansInForce([], 'discounts')).toEqual({})
  })
})
