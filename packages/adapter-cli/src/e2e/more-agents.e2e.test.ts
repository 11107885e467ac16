/** Copilot CLI, CLIO and Cursor from the command: imported, followed, marked, filtered by, named by doctor. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { createWatches, hasTold, messagesOf } from '../testing/run-watch.ts'

const MOST_MS = 180_000
const SESSION = '11111111-0000-4000-8000-000000000001'
const OTHER = '22222222-0000-4000-8000-000000000002'

let box: Sandbox
const watches = createWatches(() => box)
beforeEach(() => {
  box = createSandbox()
})
afterEach(async () => {
  await watches.end()
  box.remove()
})

const event = (id: string, type: string, data: object): string =>
  `${JSON.stringify({ type, data, id, timestamp: '2026-05-01T09:00:00.000Z', parentId: null })}\n`
const started = (sessionId: string): string =>
  event('start', 'session.start', {
    sessionId,
    producer: 'copilot-agent',
    context: { cwd: '/code/shop', branch: 'main' },
  })
/** A prompt and its reply with the record of its request. */
const turn = (number: number): string => {
  const usage = {
    model: 'gpt-5.4',
    apiCallId: `call-${number}`,
    inputTokens: 100 * number,
    cacheReadTokens: 90,
    outputTokens: 5,
  }
  return [
    event(`u${number}`, 'user.message', { content: `question ${number}`, attachments: [] }),
    event(`r${number}`, 'session.usage_record', { usage }),
    event(`a${number}`, 'assistant.message', {
      content: `answer ${number}`,
      apiCallId: `call-${number}`,
      turnId: `${number}`,
    }),
  ].join('')
}
const sessionFile = (id: string): string => `home/.copilot/session-state/${id}/events.jsonl`

describe('Copilot CLI', () => {
  it('is imported, and known to filters and doctor', async () => {
    const path = box.file(sessionFile(SESSION), started(SESSION) + turn(1) + turn(2))
    box.file(`home/.copilot/session-state/${SESSION}/workspace.yaml`, 'name: Crane\nuser_named: true\n')
    expect(await box.json('import')).toMatchObject({ files: 1, sessions: 1, messages: 4, requests: 2, skipped: [] })
    expect(await box.json('import', '--agent', 'copilot')).toMatchObject({ files: 0, messages: 0, requests: 0 })
    expect(await box.json('usage', '--agent', 'copilot', '--by', 'branch')).toMatchObject({
      rows: [{ key: 'main', requests: 2, inputTokens: 120, cacheReadTokens: 180, outputTokens: 10 }],
    })
    expect(await box.json('session', 'list', '--agent', 'copilot')).toMatchObject({
      sessions: [{ title: 'Crane', workspace: '/code/shop' }],
    })
    expect(await box.json('doctor')).toMatchObject({
      agents: expect.arrayContaining([{ agent: 'copilot', path: join(path, '../..'), files: 1 }]),
      faults: [],
    })
    const { code, stderr } = await box.cairn('usage', '--agent', 'copilot-cli')
    expect([code, stderr.includes('copilot')]).toEqual([2, true])
  })

  it(
    'is followed, but for a session that is marked incognito',
    async () => {
      const path = box.file(sessionFile(SESSION), started(SESSION) + turn(1))
      expect((await box.cairn('hook', 'incognito', '--session', OTHER, '--agent', 'copilot')).code).toBe(0)
      const watch = watches.start()
      await watches.until('it follows', () => hasTold(watch, 'following'))
      box.file(sessionFile(OTHER), started(OTHER) + turn(3))
      appendFileSync(path, turn(2))
      await watches.until('the next turn', () => messagesOf(watch) === 2)
      watch.child.kill('SIGINT')
      expect(await watch.ended).toBe(0)
      expect(watch.errors()).toBe('')
      expect(await box.json('import')).toMatchObject({ messages: 0, skipped: [{ reason: 'incognito' }] })
      expect(await box.json('session', 'list')).toMatchObject({ total: 1 })
    },
    MOST_MS,
  )
})

it('Cursor and CLIO are imported and found again', async () => {
  const path = join(box.folder, 'home/.config/Cursor/User/globalStorage/state.vscdb')
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const put = database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)')
  put.run(`bubbleId:${SESSION}:b`, JSON.stringify({ type: 1, text: 'Where does the ferry land?' }))
  put.run(
    `composerData:${SESSION}`,
    JSON.stringify({ name: 'Ferry', fullConversationHeadersOnly: [{ bubbleId: 'b' }] }),
  )
  database.close()
  const clio = {
    history: [{ role: 'user', content: 'Who tolls the bell?', id: OTHER }],
    stm: [],
    working_directory: '/code/bell',
    billing: { requests: [{ model: 'gpt-5', prompt_tokens: 30, completion_tokens: 4, timestamp: 1_767_225_600 }] },
  }
  box.file(`bell/.clio/sessions/${OTHER}.json`, JSON.stringify(clio))
  expect(await box.json('import')).toMatchObject({ sessions: 1, messages: 1, requests: 0, skipped: [] })
  expect(await box.json('import', '--from', 'bell')).toMatchObject({
    sessions: 1,
    messages: 1,
    requests: 1,
    skipped: [],
  })
  expect(await box.json('recall', 'ferry')).toMatchObject({ results: [{ sessionId: `cursor:${SESSION}` }] })
  expect(await box.json('recall', 'bell')).toMatchObject({ results: [{ sessionId: `clio:${OTHER}` }] })
  expect(await box.json('usage', '--by', 'agent')).toMatchObject({
    rows: [{ key: 'clio', requests: 1, inputTokens: 30 }],
  })
})
