import { expect, it } from '@jest/globals'
import { createTestProject } from '../../checkpoints/project.fixture.ts'
import { settingsChoice } from './model-choice.ts'

it('takes who serves a model, and where, from the scope that the model is set in', async () => {
  const { engine, close } = createTestProject()
  try {
    const { settings } = engine
    expect(await settingsChoice(engine, 'act', '/w')).toBeUndefined()
    await settings.set('model', { tier: 'global' }, 'llama')
    await settings.set('baseUrl', { tier: 'global' }, 'http://gpu:8080')
    await settings.set('model', { tier: 'workspace', workspace: '/w' }, 'claude-opus-4-5')
    expect(await settingsChoice(engine, 'act', '/w')).toEqual({ model: 'claude-opus-4-5', provider: 'anthropic' })
    expect(await settingsChoice(engine, 'act', '/other')).toMatchObject({ model: 'llama', baseUrl: 'http://gpu:8080' })
    await settings.set('plan.model', { tier: 'global' }, 'gpt-5.1')
    expect(await settingsChoice(engine, 'plan', '/other')).toEqual({ model: 'gpt-5.1', provider: 'openai' })
  } finally {
    close()
  }
})
