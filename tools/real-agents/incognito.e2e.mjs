// A real session that is marked incognito leaves nothing in the store, now or later, while the next one arrives there.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newWord, rolesWith, startAgent } from './agent-on-workstation.mjs'
import { claudeCode } from './agents/claude-code.mjs'
import { codex } from './agents/codex.mjs'
import { copilot } from './agents/copilot.mjs'
import { gemini } from './agents/gemini.mjs'
import { opencode } from './agents/opencode.mjs'
import { waitFor } from './run-program.mjs'

/** Where each keeps its transcripts, in the home; OpenCode has one database for all sessions. */
const SUBJECTS = [
  [claudeCode, '.claude/projects/**/*.jsonl'],
  [codex, '.codex/sessions/**/*.jsonl'],
  [copilot, '.copilot/session-state/**/*.jsonl'],
  [gemini, '.gemini/tmp/*/chats/*.jsonl'],
  [opencode, '.local/share/opencode/opencode.db'],
]
const chosen = process.env.CAIRN_AGENTS?.split(',')

for (const [agent, kept] of SUBJECTS.filter(([{ name }]) => chosen?.includes(name) !== false))
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
      const transcripts = globSync(kept, { cwd: workstation.home })
      assert.equal(transcripts.length, 1, transcripts.join())
      const path = join(workstation.home, transcripts[0])
      const written = [path, `${path}-wal`]
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'latin1'))
      assert.match(written.join(), new RegExp(secretAnswer))

      const requests = await takeTurn(openPrompt, `At the ${newWord()}.`)
      assert.deepEqual(rolesWith(requests, 'The lock opens at seven'), [agent.memoryRole])
      await waitFor('session in the store', async () => (await sessions()).find(({ requests: count }) => count > 0))

      const { skipped } = await workstation.cairnJson('import')
      // Of a database only what is new is looked at, and the hook's import has looked at it.
      const left = agent === opencode ? [] : [[path, 'incognito']]
      assert.deepEqual(
        skipped.map(({ file, reason }) => [file, reason]),
        left,
      )
      const stored = await sessions()
      assert.equal(stored.length, 1)
      if (agent.asksForTitles !== true) assert.equal(stored[0].title, openPrompt)
      assert.equal((await recall(openPrompt))[0]?.sessionId, stored[0].id)
      assert.deepEqual(await recall(secretAnswer), [])
    })
  })

// Its hooks are not trusted: none runs, and only the import can tell.
describe(`${codex.title} ${codex.version} in a project with hooks.incognito`, () => {
  /** @type {Awaited<ReturnType<typeof startAgent>>} */
  let subject

  before(async () => {
    subject = await startAgent(codex)
  })
  after(() => subject?.close())

  it('has no turn taken into the store, though no hook has run, nor when the setting is gone', async () => {
    const { workstation, takeTurn, sessions, recall } = subject
    await workstation.cairnJson('config', 'set', 'hooks.incognito', 'true', '--workspace')
    const secretAnswer = newWord()
    await takeTurn('Who holds the key of the lock?', `The ${secretAnswer} does.`)
    const [transcript] = globSync('.codex/sessions/**/*.jsonl', { cwd: workstation.home })
    assert.match(readFileSync(join(workstation.home, transcript), 'utf8'), new RegExp(secretAnswer))
    const leftOut = async () => (await workstation.cairnJson('import')).skipped.map(({ reason }) => reason)
    assert.deepEqual(await leftOut(), ['incognito'])
    await workstation.cairnJson('config', 'set', 'hooks.incognito', 'false', '--workspace')
    assert.deepEqual(await leftOut(), ['incognito'])
    assert.deepEqual(await sessions(), [])
    assert.deepEqual(await recall(secretAnswer), [])
  })
})
