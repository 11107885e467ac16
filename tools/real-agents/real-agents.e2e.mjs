// Real agents, installed from npm and set up with `cairn setup`, with a model on loopback: what they say arrives in the store,
// and what the store knows arrives in their next session. CAIRN_AGENTS=codex,gemini runs only these.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newWord, rolesWith, startAgent } from './agent-on-workstation.mjs'
import { REAL_AGENTS } from './agents/index.mjs'
import { waitFor } from './run-program.mjs'

const chosen = process.env.CAIRN_AGENTS?.split(',') ?? REAL_AGENTS.map(({ name }) => name)

const RECORDED_ANSWER =
  'The harbour crane stopped because the hydraulic pressure sensor reported negative values after the firmware update; we replaced the gasket, calibrated the valve and logged the temperature in the ledger.'
const RECALLING_PROMPT =
  'The harbour crane stopped again: the hydraulic pressure sensor reports negative values since the firmware update. Do we calibrate the valve, replace the gasket or read the temperature in the ledger?'

/** A session in Cairn's own format. */
const recordOf = (workspace, hidden) =>
  [
    { role: 'user', text: 'Why does the crane not move?', at: '2026-03-02T08:00:00Z' },
    { role: 'assistant', text: RECORDED_ANSWER, at: '2026-03-02T08:01:30Z' },
    { role: 'user', text: 'And where is the key of the crane?', at: '2026-03-02T08:05:00Z' },
    { role: 'assistant', text: `The key of the crane hangs behind the ${hidden}`, at: '2026-03-02T08:05:10Z' },
  ]
    .map((message) => `${JSON.stringify({ session: 'recorded', workspace, ...message })}\n`)
    .join('')

for (const agent of REAL_AGENTS.filter(({ name }) => chosen.includes(name)))
  describe(`${agent.title} ${agent.version}`, () => {
    /** @type {Awaited<ReturnType<typeof startAgent>>} */
    let subject
    const outcome = []
    const firstPrompt = `What does a ${newWord()} do in this harbour?`
    let firstTitle = firstPrompt
    const hidden = newWord()
    const craneName = newWord()
    const learnt = `The crane ${craneName} lifts at most nine tonnes`

    before(async () => {
      subject = await startAgent(agent)
    })
    after(async () => {
      console.log(`${agent.title} ${agent.version}: ${outcome.join('; ') || 'could not be run'}`)
      await subject?.close()
    })

    if (agent.trust !== undefined)
      it('runs no hook before its user trusts it, as doctor says', async () => {
        const { workstation, takeTurn, trust, sessions } = subject
        await takeTurn('Is anybody there?', `Nobody but ${newWord()}.`)
        assert.match((await workstation.cairn('doctor')).stdout, /skips hooks that are not trusted/)
        assert.deepEqual(await sessions(), [])
        assert.deepEqual([...new Set(await trust())], ['trusted'])
        assert.doesNotMatch((await workstation.cairn('doctor')).stdout, /not trusted/)
      })

    it('has its turns taken into the store', async (t) => {
      const { workstation, takeTurn, sessions, recall } = subject
      const answered = newWord()
      const requests = await takeTurn(firstPrompt, `It guards the ${answered} at night.`)
      // Else the next test would prove nothing.
      assert.deepEqual(rolesWith(requests, '<long_term_memory>'), [])

      if (subject.noImport !== undefined) {
        outcome.push('turns are not taken into the store, as such transcripts are not imported yet')
        return t.skip(subject.noImport)
      }
      // No import is called for: the hooks see to it.
      await subject.takeNextTurn('And by day?', `By day it guards the ${newWord()}.`)
      const session = await waitFor(`session of ${agent.name} with two turns in the store`, async () =>
        (await sessions()).find(
          ({ title, requests: count }) => (agent.asksForTitles === true || title === firstPrompt) && count === 2,
        ),
      )
      firstTitle = session.title
      assert.equal(session.agent, agent.name)
      assert.equal(session.workspace, workstation.project)
      const [found] = await recall(answered)
      assert.equal(found?.sessionId, session.id)
      outcome.push('turns arrive in the store')
    })

    if (agent.subagentCall !== undefined)
      it('has the requests of its subagents counted to the session that started them', async () => {
        const { workstation, takeTurn, sessions } = subject
        const prompt = `Who looks after the ${newWord()}?`
        await takeTurn(prompt, `A ${newWord()} does.`, { call: agent.subagentCall })
        const session = await waitFor(`session of ${agent.name} with a subagent in the store`, async () =>
          (await sessions()).find(({ title, requests: count }) => title === prompt && count === 3),
        )
        const { entries } = await workstation.cairnJson('session', 'show', session.id)
        assert.equal(new Set(entries.flatMap(({ subagent }) => subagent ?? [])).size, 1)
        outcome.push('its subagents are part of their sessions')
      })

    it('is given the memory when it starts the next time', async () => {
      const { workstation, takeTurn, sessions, recall } = subject
      const known = await sessions()
      await workstation.cairnJson('memory', 'add', 'discovery', learnt)
      const requests = await takeTurn('How much may I hang on it?', `Not more than a ${newWord()}.`)
      assert.deepEqual(rolesWith(requests, learnt), [agent.memoryRole])
      // What was said before is told by its title.
      if (known.length > 0) assert.deepEqual(rolesWith(requests, firstTitle), [agent.memoryRole])
      // What it was handed is in its transcript, but no answer to a search.
      await workstation.importsEnd()
      assert.deepEqual(await recall(craneName), [])
      outcome.push(`the next start has the memory in a message of the role ${agent.memoryRole}`)
    })

    it('is given what was recorded earlier and bears on the prompt, below it', async () => {
      const { workstation, takeTurn } = subject
      const recorded = join(workstation.home, 'recorded.jsonl')
      workstation.write('recorded.jsonl', recordOf(workstation.project, hidden))
      const { messages } = await workstation.cairnJson('import', '--from', recorded)
      assert.equal(messages, 4)
      const requests = await takeTurn(RECALLING_PROMPT, `Calibrate the ${newWord()}.`)
      assert.deepEqual(rolesWith(requests, RECORDED_ANSWER), [agent.recallRole])
      const both = requests.flatMap((request) => request.messages.filter(({ text }) => text.includes(RECALLING_PROMPT)))
      for (const { text } of both.filter((message) => message.text.includes(RECORDED_ANSWER)))
        assert.ok(text.indexOf(RECALLING_PROMPT) < text.indexOf(RECORDED_ANSWER))
      const forTitles = requests.filter(({ messages }) => messages.some(({ text }) => /title generator/i.test(text)))
      assert.deepEqual(rolesWith(forTitles, RECORDED_ANSWER), [])
      // Else that would prove nothing.
      if (agent.asksForTitles === true) assert.notEqual(forTitles.length, 0)
      outcome.push(`recalled messages in one of the role ${agent.recallRole}`)
    })

    it('lets its model look something up with recall', async () => {
      const call = { tool: /cairn.*recall$/, input: { query: 'key of the crane' } }
      const requests = await subject.takeTurn('Where is it?', `Behind the ${newWord()}.`, { call })
      assert.equal(rolesWith(requests, hidden).length, 1)
      outcome.push('recall answers')
    })

    it('leaves no trouble in the log of hooks, and none of Cairn when setup takes itself out', async () => {
      const { workstation } = subject
      await workstation.importsEnd()
      const log = join(workstation.data, 'hooks.log')
      assert.equal(existsSync(log) ? readFileSync(log, 'utf8') : '', '')
      const { status, stdout, stderr } = await workstation.cairn('setup', '--remove', '--yes')
      assert.equal(status, 0, stdout + stderr)
      const kept = agent.settingsFiles
        .filter((path) => existsSync(join(workstation.home, path)))
        .map((path) => workstation.read(path))
      // The user's own settings are there still.
      assert.ok(kept.length > 0)
      for (const text of kept) assert.doesNotMatch(text, /cairn\.js|dist[\\/]+hook\.js/)
    })
  })
