import { expect, it } from '@jest/globals'
import { emptyEngine } from '../chat/scripted-agent.fixture.ts'
import { modelSet } from './open-session-model.ts'

it('takes who serves a model, and where, from the scope that the model is set in', async () => {
  const engine = emptyEngine()
  try {
    const { settings } = engine
    await settings.set('model', { tier: 'global' }, 'llama')
    await settings.set('baseUrl', { tier: 'global' }, 'http://gpu:8080')
    await settings.set('model', { tier: 'workspace', workspace: '/w' }, 'claude-opus-4-5')
    expect(await modelSet({ workspace: '/w' }, engine)).toEqual({
      from: 'workspace',
      choice: { model: 'claude-opus-4-5', provider: undefined, baseUrl: undefined },
    })
    expect(await modelSet({ workspace: '/other' }, engine)).toMatchObject({
      from: 'global',
      choice: { model: 'llama', baseUrl: 'http://gpu:8080' },
    })
    await settings.set('provider', { tier: 'workspace', workspace: '/w' }, 'openrouter')
    expect(await modelSet({ workspace: '/w' }, engine)).toMatchObject({ choice: { provider: 'openrouter' } })
  } finally {
    await engine.close()
  }
})
