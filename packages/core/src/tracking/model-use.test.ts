import { describe, expect, it } from '@jest/globals'
import type { NewLogEntry } from '../session-log.ts'
import { numbered } from './log.fixture.ts'
import { modelUses } from './model-use.ts'

const reply = (at: number, model: string, mode?: string, subagent?: string): NewLogEntry => ({
  kind: 'message',
  at,
  id: `m${at}`,
  role: 'assistant',
  content: [],
  model,
  ...(mode === undefined ? {} : { mode }),
  ...(subagent === undefined ? {} : { subagent }),
})
const chosen = (at: number, model: string, provider: string, mode: string): NewLogEntry => ({
  kind: 'model',
  at,
  model,
  provider,
  mode,
})

describe('model use', () => {
  it('is a new one when model, provider or mode changes, and not when the same is used again', () => {
    const uses = modelUses(
      numbered([
        chosen(1, 'opus', 'anthropic', 'plan'),
        reply(2, 'opus'),
        chosen(30, 'opus', 'anthropic', 'plan'),
        chosen(40, 'opus', 'anthropic', 'act'),
        chosen(50, 'opus', 'bedrock', 'act'),
        reply(61, 'haiku'),
        chosen(700, 'opus', 'bedrock', 'act'),
      ]),
    )
    expect(
      uses.map(({ at, lastAt, model, provider, mode, entries }) => [at, lastAt, model, provider, mode, entries]),
    ).toEqual([
      [1, 30, 'opus', 'anthropic', 'plan', 3],
      [40, 40, 'opus', 'anthropic', 'act', 1],
      [50, 50, 'opus', 'bedrock', 'act', 1],
      [61, 61, 'haiku', null, 'act', 1],
      [700, 700, 'opus', 'bedrock', 'act', 1],
    ])
  })

  it('leaves out subagents, and replies that no model gave', () => {
    const uses = modelUses(
      numbered([reply(1, 'opus'), reply(2, '<synthetic>'), reply(3, 'haiku', 'act', 'sub'), reply(4, 'opus')]),
    )
    expect(uses).toEqual([{ seq: 0, at: 1, lastAt: 4, model: 'opus', provider: null, mode: null, entries: 2 }])
  })
})
