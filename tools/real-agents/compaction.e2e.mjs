// After a real compaction the user's request comes back word for word, by the hook of the session's start.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newWord, rolesWith, startAgent } from './agent-on-workstation.mjs'
import { claudeCode as agent } from './agents/claude-code.mjs'

describe(`${agent.title} ${agent.version} after a compaction`, () => {
  /** @type {Awaited<ReturnType<typeof startAgent>>} */
  let subject
  const request = `And paint the ${newWord()} yellow before Friday`

  before(async () => {
    subject = await startAgent(agent)
  })
  after(() => subject?.close())

  it('has what its summary lacks', async () => {
    const { workstation, takeTurn, takeNextTurn, compact } = subject
    await takeTurn('Paint the northern quay green', 'It is green.')
    await takeNextTurn(request, 'It is yellow.')
    await workstation.importsEnd()
    const { all } = await compact('<summary>Somebody painted something.</summary>')
    assert.deepEqual(rolesWith(all, request), ['user'])

    const requests = await takeNextTurn('What is left to do?', `Only the ${newWord()}.`)
    // Claude Code itself sends the summary alone.
    assert.deepEqual(rolesWith(requests, 'Somebody painted something.'), ['user'])
    assert.deepEqual(rolesWith(requests, `<current_request>\n${request}\n</current_request>`), [agent.memoryRole])
    assert.deepEqual(rolesWith(requests, request), [agent.memoryRole])
  })
})
