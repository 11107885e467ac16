import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Engine } from '@cairn/core'
import { PROJECT, callTool, clientOf, engineWithTalk, serverOver } from './conversation.fixture.ts'

let engine: Engine

beforeEach(async () => {
  engine = await engineWithTalk()
})

describe('all projects', () => {
  it('are searched with --workspace "*", and what is kept is kept for the client’s', async () => {
    const everywhere = await clientOf(serverOver({ engine, options: { workspace: '*' } }), [`file://${PROJECT}`])
    expect((await callTool(everywhere, 'recall', { query: 'gateway websockets' })).text).toContain('in all projects')
    expect((await callTool(everywhere, 'session_context', { request: 'gateway websockets' })).text).toContain('else-1')
    await callTool(everywhere, 'remember', { operation: 'add_discovery', text: 'Clocks must be set before tests' })
    expect((await engine.store.memory.list(PROJECT)).length).toBe(1)
    expect((await callTool(everywhere, 'files', { path: 'src/login.test.ts' })).isError).toBe(false)
    const { text, isError } = await callTool(everywhere, 'memory', { operation: 'list', workspace: '*' })
    expect([text, isError]).toEqual([expect.stringContaining('one project'), true])
    await everywhere.close()
  })

  it('are looked in by session_context where the project has nothing that matters, as recall does', async () => {
    const inProject = await clientOf(serverOver({ engine }), [`file://${PROJECT}`])
    const request = 'Why does the gateway drop websockets?'
    const { text } = await callTool(inProject, 'session_context', { request })
    expect(text).toMatch(/of any project[^]*in \/code\/other[^]*else-1/)
    expect((await callTool(inProject, 'session_context', { request, workspace: PROJECT })).text).toContain(
      `Nothing is known of ${PROJECT}`,
    )
    expect((await callTool(inProject, 'session_context', { request: 'the flaky login test' })).text).toContain('talk-1')
    await inProject.close()
    const nowhere = await clientOf(serverOver({ engine }))
    expect((await callTool(nowhere, 'session_context', { request })).text).toContain('else-1')
    expect((await callTool(nowhere, 'session_context')).text).toContain('Which project?')
    await nowhere.close()
  })
})
