import { describe, expect, it } from '@jest/globals'
import type { SettingOrigin } from '@cairn/core/node'
import { watchDecision } from './watch-decision.ts'

const settings = (origin: SettingOrigin, watch = true) => ({
  store: { value: 'file:/data/cairn.db', origin, workspace: origin.from === 'workspace' ? '/code/shop' : undefined },
  'dashboard.watch': { value: watch, origin: { from: 'default' } as const },
})
const OWN: readonly SettingOrigin[] = [
  { from: 'default' },
  { from: 'user', file: '/home/ann/.config/cairn/config.json' },
  { from: 'environment', name: 'CAIRN_DATABASE_URL' },
]
const FOREIGN: readonly SettingOrigin[] = [
  { from: 'flag' },
  { from: 'workspace', file: '/code/shop/.cairn/config.json' },
]

describe('whether the dashboard takes in what agents write', () => {
  it('is so for the user’s own store', () => {
    for (const origin of OWN) expect(watchDecision(settings(origin), undefined, {})).toEqual({ follows: true })
  })

  it('is not so for a store that was named for this call, or by a project, unless that is asked for', () => {
    for (const origin of FOREIGN) {
      expect(watchDecision(settings(origin), undefined, {})).toMatchObject({
        follows: false,
        reason: expect.stringContaining('--watch'),
      })
      expect(watchDecision(settings(origin), true, {})).toEqual({ follows: true })
    }
  })

  it('is switched off by the flag, the environment and the setting, each with its name', () => {
    const own = settings({ from: 'default' })
    expect(watchDecision(own, false, {})).toMatchObject({ reason: expect.stringContaining('--no-watch') })
    expect(watchDecision(own, undefined, { CAIRN_WATCH: 'Off' })).toMatchObject({
      reason: expect.stringContaining('CAIRN_WATCH'),
    })
    expect(watchDecision(own, undefined, { CAIRN_WATCH: '' })).toEqual({ follows: true })
    expect(watchDecision(settings({ from: 'default' }, false), undefined, {})).toMatchObject({
      reason: expect.stringContaining('dashboard.watch'),
    })
    expect(watchDecision(settings({ from: 'default' }, false), true, { CAIRN_WATCH: 'off' })).toEqual({ follows: true })
  })
})
