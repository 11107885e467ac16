import { describe, expect, it } from '@jest/globals'
import type { SessionSummary } from '@cairn/core'
import type { LiveSession } from '@cairn/core/insights'
import { nowView } from './now-view.ts'

const summary = (id: string, startedAt: number): SessionSummary => ({
  id,
  agent: 'claude-code',
  externalId: id,
  workspace: '/code/shop',
  branch: null,
  title: null,
  startedAt,
  updatedAt: 9_000 - startedAt,
  entries: 4,
  messages: 4,
  favourite: false,
  redactions: 0,
  requests: 2,
  costNano: 1_234_000_000n,
  unpricedRequests: 0,
  missingOutputCostNano: 0n,
})
const live = (id: string, startedAt: number, facts: Partial<LiveSession> = {}): LiveSession => ({
  session: summary(id, startedAt),
  model: null,
  context: null,
  costNanoPerHour: null,
  activity: null,
  cache: null,
  budget: null,
  ...facts,
})
const contextOf = (tokens: number, window: number) =>
  nowView({ now: 0, sessions: [live('a', 1, { context: { tokens, window, windowFrom: 'model' } })] }).sessions[0]
    ?.context

describe('nowView', () => {
  it('has the last begun first, whichever was written to last', () => {
    const view = nowView({ now: 5, sessions: [live('b', 10), live('a', 300), live('c', 20)] })
    expect(view.sessions.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect(view.now).toBe(5)
  })

  it('names what was active last where nothing is at work', () => {
    const newest = { ...summary('z', 2_000), title: 'Fix the build' }
    expect(nowView({ now: 5, sessions: [] }, undefined, newest).latest).toEqual({
      id: 'z',
      title: 'Fix the build',
      updatedAt: 7_000,
    })
    expect(nowView({ now: 5, sessions: [] }, undefined, { ...newest, updatedAt: null }).latest).toBeNull()
    expect(nowView({ now: 5, sessions: [] }).latest).toBeNull()
    expect(nowView({ now: 5, sessions: [live('a', 1)] }, undefined, newest).latest).toBeNull()
  })

  it('tells how full a context is, and never draws more than all of it', () => {
    expect(contextOf(119_000, 200_000)).toMatchObject({ percent: '60 %', text: '119K of 200K tokens', fill: 'ok' })
    expect(contextOf(120_000, 200_000)).toMatchObject({ share: 0.6, fill: 'filling' })
    expect(contextOf(171_000, 200_000)).toMatchObject({ percent: '86 %', fill: 'full' })
    expect(contextOf(260_000, 200_000)).toMatchObject({ share: 1, percent: '130 %', fill: 'full' })
  })

  it('has a dash for what is not known, and says how sure a window is', () => {
    const context = { tokens: 5, window: 10, windowFrom: 'assumed' } as const
    const sessions = [live('a', 2), live('b', 1, { context, costNanoPerHour: 2_500_000_000n, model: 'm' })]
    const [first, second] = nowView({ now: 0, sessions }).sessions
    expect(first).toMatchObject({ model: 'unknown model', anHour: '–', cost: { text: '$1.23' }, context: null })
    expect(second).toMatchObject({ model: 'm', anHour: '$2.50' })
    expect(second?.context?.note).toContain('a guess')
  })
})
