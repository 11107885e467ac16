// A real session that is marked incognito leaves nothing in the store, now or later, while the next one arrives there.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newWord, rolesWith, startAgent } from './agent-on-workstation.mjs'
import { claudeCode } from './agents/claude-code.mjs'
import { codex } from './agents/codex.mjs'
import { waitFor } from './run-program.mjs'

for (const agent of [claudeCode, codex])
  describe(`${agent.title} ${agent.version} with CAIRN_INCOGNITO`, () => {
    /** @type {Awaited<ReturnType<typeof startAgent>>} */
    let subject
    const secretAnswer = newWord()
    const openPrompt = `Where is the ${newWord()} moored?`

    before(async () => {
      subject = await startAgent(agent)
      await subject.trust()
      await subject.workstation.cairnJson('memory', 'add', 'discovery', 'The lock opens at seven')
    })
    after(() => subject?.close())

    it('is given no memory, though there is some', async () => {
      const prompt = 'Who holds the key?'
      const requests = await subject.takeTurn(prompt, `The ${secretAnswer} does.`, {
        variables: { CAIRN_INCOGNITO: '1' },
      })
      assert.deepEqual(rolesWith(requests, 'The lock opens at seven'), [])
    })

    it('has its turn in its own transcript, and nowhere in the store when others have arrived and been imported', async () => {
      const { workstation, takeTurn, sessions, recall } = subject
      const transcripts = globSync('.c*/{projects,sessions}/**/*.jsonl', { cwd: workstation.home })
      assert.equal(transcripts.length, 1, transcripts.join())
      assert.match(readFileSync(join(workstation.home, transcripts[0]), 'utf8'), new RegExp(secretAnswer))

      const requests = await takeTurn(openPrompt, `At the ${newWord()}.`)
      assert.deepEqual(rolesWith(requests, 'The lock opens at seven'), [agent.memoryRole])
      await waitFor('session in the store', async () =>
        (await sessions()).find(({ title, requests: count }) => title === openPrompt && count > 0),
      )

      const { skipped } = await workstation.cairnJson('import')
      assert.deepEqual(
        skipped.map(({ file, reason }) => [file, reason]),
        [[join(workstation.home, transcripts[0]), 'incognito']],
      )
      assert.deepEqual(
        (await sessions()).map(({ title }) => title),
        [openPrompt],
      )
      assert.deepEqual(await recall(secretAnswer), [])
    })
  })
