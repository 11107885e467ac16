/** OpenCode's database, open in its program, from the command: imported, followed, named by doctor. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { createWatches, hasTold, messagesOf } from '../testing/run-watch.ts'

const MOST_MS = 180_000
const AT = Date.UTC(2026, 0, 3, 9)

let box: Sandbox
let database: DatabaseSync
const watches = createWatches(() => box)
const path = (): string => join(box.folder, 'home', '.local', 'share', 'opencode', 'opencode.db')
beforeEach(() => {
  box = createSandbox()
  mkdirSync(dirname(path()), { recursive: true })
  database = new DatabaseSync(path())
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, data text)`)
})
afterEach(async () => {
  await watches.end()
  database.close()
  box.remove()
})

const addMessage = (session: string, id: string, number: number, info: object, text: string): void => {
  const at = AT + number * 60_000
  database
    .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
    .run(id, session, at, at, JSON.stringify({ time: { created: at, completed: at + 5 }, ...info }))
  database.prepare('INSERT INTO part VALUES (?, ?, ?)').run(`prt_${id}`, id, JSON.stringify({ type: 'text', text }))
}

/** A prompt and its reply, in one transaction. */
const addTurn = (session: string, number: number): void => {
  database.exec('BEGIN')
  database
    .prepare('INSERT OR IGNORE INTO session VALUES (?, NULL, ?, ?, ?)')
    .run(session, '/code/shop', `Title of ${session}`, '1.18.34')
  addMessage(session, `msg_${session}${number}a`, number, { role: 'user' }, `question ${number}`)
  const tokens = { input: 10 * number, output: number, reasoning: 0, cache: { read: 5, write: 0 } }
  const info = { role: 'assistant', modelID: 'test-model', providerID: 'loopback', mode: 'build', cost: 0.01, tokens }
  addMessage(session, `msg_${session}${number}b`, number, info, `answer ${'and more '.repeat(number)}`)
  database.exec('COMMIT')
}

describe('OpenCode', () => {
  it('is imported while it has its database open, and leaves nothing beside it', async () => {
    addTurn('ses_one', 1)
    addTurn('ses_two', 2)
    addTurn('ses_two', 3)
    const files = readdirSync(dirname(path()))
    expect(await box.json('import', '--agent', 'opencode')).toMatchObject({
      files: 1,
      sessions: 2,
      messages: 6,
      requests: 3,
    })
    expect(await box.json('import')).toMatchObject({ files: 0, messages: 0, requests: 0, skipped: [] })
    expect(await box.json('session', 'list', '--agent', 'opencode')).toMatchObject({ total: 2 })
    expect(await box.json('usage', '--by', 'agent')).toMatchObject({
      total: { requests: 3, inputTokens: 60, costUsd: 0.03 },
    })
    expect(await box.json('doctor')).toMatchObject({
      agents: expect.arrayContaining([{ agent: 'opencode', path: path(), files: 1 }]),
      faults: [],
    })
    expect(readdirSync(dirname(path()))).toEqual(files)
  })

  it(
    'is followed: what its log has is in the store',
    async () => {
      addTurn('ses_one', 1)
      const watch = watches.start()
      await watches.until('it follows', () => hasTold(watch, 'following'))
      addTurn('ses_one', 2)
      await watches.until('the next turn', () => messagesOf(watch) === 2)
      addTurn('ses_two', 3)
      await watches.until('another session', () => messagesOf(watch) === 4)
      watch.child.kill('SIGINT')
      expect(await watch.ended).toBe(0)
      expect(watch.errors()).toBe('')
      expect(await box.json('import')).toMatchObject({ messages: 0, requests: 0 })
    },
    MOST_MS,
  )
})
