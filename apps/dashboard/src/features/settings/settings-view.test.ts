import { describe, expect, it } from '@jest/globals'
import { emptyTotals } from '@cairn/core'
import type { FileSetting } from '../../store/settings-in-force.ts'
import { fileSettingRows, keptRows, priceRow, storedSettingRows } from './settings-view.ts'

const totals = { ...emptyTotals, key: 'm', requests: 3, costNano: 1_250_000_000n }

describe('fileSettingRows', () => {
  it('says where each comes from, and shows any kind of value on one line', () => {
    const rows = fileSettingRows([
      {
        key: 'timezone',
        what: 'zone',
        value: 'Europe/Berlin',
        origin: { from: 'user', file: '/home/ann/config.json' },
      },
      {
        key: 'watch.exclude',
        what: 'agents',
        value: ['codex', 'pi'],
        origin: { from: 'workspace', file: '/a/c.json' },
      },
      { key: 'store', what: 'store', value: 'file:/a.db', origin: { from: 'environment', name: 'CAIRN_DATABASE_URL' } },
      { key: 'trustedStores', what: 'stores', value: [], origin: { from: 'default' } },
      { key: 'budget.day', what: 'USD', value: 0, origin: { from: 'default' } },
      { key: 'dashboard.port', what: 'port', value: 0, origin: { from: 'default' } },
      { key: 'hooks.recall', what: 'recall', value: false, origin: { from: 'flag' } },
      { key: 'prices', what: 'prices', value: { m: { input: 3, output: 15 } }, origin: { from: 'default' } },
    ])
    expect(rows.map(({ value, from }) => [value, from])).toEqual([
      ['Europe/Berlin', 'your file /home/ann/config.json'],
      ['codex, pi', 'the project’s file /a/c.json'],
      ['file:/a.db', 'environment variable CAIRN_DATABASE_URL'],
      ['–', 'default'],
      ['–', 'default'],
      ['0', 'default'],
      ['false', 'an option of the command'],
      ['{"m":{"input":3,"output":15}}', 'default'],
    ])
    expect(rows.map(({ isDefault }) => isDefault)).toEqual([false, false, false, true, true, true, false, true])
  })
})

describe('plans among the settings', () => {
  it('are told by provider, with their terms', () => {
    const valueOf = (key: string, value: FileSetting['value']): string | undefined =>
      fileSettingRows([{ key, what: 'plans', value, origin: { from: 'user' } }])[0]?.value
    expect(
      valueOf('subscriptions', {
        anthropic: [
          { name: 'Max 5x', monthlyUsd: 100, since: '2026-01-10', until: '2026-03-14' },
          { name: 'Max 20x', monthlyUsd: 199.99, since: '2026-03-15', agents: ['claude-code'], people: ['Ada', 'Bo'] },
        ],
        google: [{ name: 'Free', monthlyUsd: 0, since: '2026-01-01' }],
      }),
    ).toBe(
      'anthropic: Max 5x, $100.00 a month, from 2026-01-10, to 2026-03-14; Max 20x, $199.99 a month, from 2026-03-15, only claude-code, Ada, Bo · google: Free, $0.00 a month, from 2026-01-01',
    )
    expect(valueOf('discounts', { openai: [{ percent: 12.5 }] })).toBe('openai: 12.5% off')
    expect(valueOf('discounts', {})).toBe('–')
    expect(valueOf('discounts', { openai: 12.5 })).toBe('{"openai":12.5}')
  })
})

describe('storedSettingRows', () => {
  it('leaves out what only other agents use, unless it is set', () => {
    const rows = storedSettingRows({
      settings: [
        { name: 'model', value: null, from: 'default' },
        { name: 'todo.enabled', value: true, from: 'default' },
        { name: 'todo.remindEvery', value: 7, from: 'workspace' },
      ],
    })
    expect(rows.map(({ key, value, from }) => [key, value, from])).toEqual([
      ['model', '–', 'not set'],
      ['todo.remindEvery', '7', 'the project'],
    ])
  })
})

describe('priceRow', () => {
  it('has prices without zeros at their end, and says whose they are', () => {
    const prices = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: null, output: 15.00001 }
    expect(priceRow({ id: 'm', prices, isOwnPrice: true }, totals)).toMatchObject({
      input: '$3',
      cacheRead: '$0.3',
      cacheWrite: '$3.75',
      cacheWrite1h: '–',
      output: '$15',
      from: 'your own',
      cost: { text: '$1.25' },
    })
    expect(priceRow({ id: 'm', prices: null, isOwnPrice: false }, totals)).toMatchObject({
      input: '–',
      from: 'no price is known',
    })
  })
})

describe('keptRows', () => {
  it('has the limits in words', () => {
    const backups = { newest: 3, daily: 7, weekly: 1, migrations: 3, damaged: 1, maximumBytes: 4_000_000_000 }
    const checkpoints = { maximumCount: 20, maximumAgeDays: 5, maximumBytes: 1_500_000 }
    const rows = keptRows({ backups, checkpoints, healthQuarters: 192 })
    expect(rows.map(({ howLong }) => howLong)).toEqual([
      expect.stringContaining('until you delete them'),
      'the newest 3, one a day for 7 days, one a week for 1 week; 4.0 GB together',
      '20 checkpoints, 5 days, 1.5 MB',
      '2 days',
    ])
  })
})
