/** A session that is marked incognito is not taken in by a watch, neither at once nor after it was started again. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { appendClaude, appendCodex } from '../testing/grown-transcripts.ts'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'
import { createWatches, hasTold, messagesOf } from '../testing/run-watch.ts'

const MOST_MS = 120_000
const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const OTHER = '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3'
const SECRET = 'PEREGRINE'

let box: Sandbox
const watches = createWatches(() => box)
beforeEach(() => {
  box = createSandbox()
  mkdirSync(join(box.folder, '.git'))
})
afterEach(async () => {
  await watches.end()
  await importsDone(box)
  box.remove()
})

/** Whether any file of the data folder holds the session's words, in its log or its index. */
const isKept = async (): Promise<boolean> => {
  const { results } = (await box.json('recall', SECRET)) as { readonly results: readonly unknown[] }
  if (results.length > 0) return true
  return readdirSync(join(box.folder, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(SECRET))
}

const appenders = { 'claude-code': appendClaude, codex: appendCodex } as const

/** What a user line of either agent becomes with the secret in it. */
const appendSecret = (agent: keyof typeof appenders, path: string): void => {
  const at = '2026-01-03T10:00:00.000Z'
  const line =
    agent === 'codex'
      ? {
          timestamp: at,
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: SECRET }] },
        }
      : {
          type: 'user',
          uuid: 'secret',
          sessionId: SESSION,
          timestamp: at,
          cwd: '/code/app',
          message: { role: 'user', content: SECRET },
        }
  appendFileSync(path, `${JSON.stringify(line)}\n`)
}

describe.each(Object.keys(appenders) as (keyof typeof appenders)[])('a watch and %s', (agent) => {
  const append = (session: string, number: number): string =>
    appenders[agent](join(box.folder, 'home'), session, number)

  const marks = {
    'the environment': () =>
      runHook(box, ['session-start', '--agent', agent], {
        input: { session_id: SESSION, cwd: box.folder },
        variables: { CAIRN_INCOGNITO: '1' },
      }),
    'a setting of the project': async () => {
      box.file('.cairn/config.json', '{"hooks":{"incognito":true}}')
      await runHook(box, ['session-start', '--agent', agent], { input: { session_id: SESSION, cwd: box.folder } })
    },
    'what the agent sends': () =>
      runHook(box, ['session-start', '--agent', agent], {
        input: { session_id: SESSION, cwd: box.folder, incognito: true },
      }),
    'the command': () => box.cairn('hook', 'incognito', '--session', SESSION, '--agent', agent),
  } as const

  it.each(Object.keys(marks) as (keyof typeof marks)[])(
    'leaves out what %s has marked while it runs, and after a restart',
    async (how) => {
      const one = watches.start()
      await watches.until('it follows', () => hasTold(one, 'following'))
      await marks[how]()
      appendSecret(agent, append(SESSION, 1))
      append(OTHER, 1)
      // The other session came later, and is there: so the marked one was looked at.
      await watches.until('the other is in', () => messagesOf(one) === 1 && hasTold(one, 'skip'))
      appendSecret(agent, append(SESSION, 2))
      append(OTHER, 2)
      await watches.until('the other has gone on', () => messagesOf(one) === 2)
      one.child.kill('SIGKILL')
      await one.ended
      append(SESSION, 3)
      const two = watches.start()
      await watches.until('it follows again', () => hasTold(two, 'following'))
      appendSecret(agent, append(SESSION, 4))
      append(OTHER, 3)
      await watches.until('the other has gone on', () => messagesOf(two) === 1)
      two.child.kill('SIGTERM')
      await two.ended
      const { sessions } = (await box.json('session', 'list')) as { readonly sessions: readonly { id: string }[] }
      expect(sessions.map(({ id }) => id)).toEqual([`${agent}:${OTHER}`])
      for (const { lines } of [one, two]) {
        expect(JSON.stringify(lines)).not.toContain(SECRET)
        for (const line of lines) if (line['event'] === 'skip') expect(line['reason']).toBe('incognito')
      }
      expect(await isKept()).toBe(false)
    },
    MOST_MS,
  )

  const appendIn = (folder: string, session: string, number: number): string =>
    agent === 'codex'
      ? appendCodex(join(box.folder, 'home'), session, number, folder)
      : appendClaude(join(box.folder, 'home'), session, number, '\n', folder)
  const storedIds = async (): Promise<readonly string[]> => {
    const { sessions } = (await box.json('session', 'list')) as { readonly sessions: readonly { id: string }[] }
    return sessions.map(({ id }) => id)
  }

  it(
    'leaves out a session of a project with the setting, though no hook has run, also when the setting is gone',
    async () => {
      box.file('private/.cairn/config.json', '{"hooks":{"incognito":true}}')
      const folder = join(box.folder, 'private')
      const watch = watches.start()
      await watches.until('it follows', () => hasTold(watch, 'following'))
      appendSecret(agent, appendIn(folder, SESSION, 1))
      append(OTHER, 1)
      await watches.until('the other is in', () => messagesOf(watch) === 1 && hasTold(watch, 'skip'))
      expect(watch.lines.find((line) => line['event'] === 'skip')).toMatchObject({ reason: 'incognito' })
      rmSync(join(folder, '.cairn'), { recursive: true })
      appendSecret(agent, appendIn(folder, SESSION, 2))
      append(OTHER, 2)
      await watches.until('the other has gone on', () => messagesOf(watch) === 2)
      expect(await box.json('import')).toMatchObject({ sessions: 0, messages: 0 })
      expect(await storedIds()).toEqual([`${agent}:${OTHER}`])
      expect(await isKept()).toBe(false)
    },
    MOST_MS,
  )

  it(
    'notices a setting that is switched on while it runs: what was taken in stays, what comes is left out',
    async () => {
      const folder = join(box.folder, 'private')
      mkdirSync(folder)
      const watch = watches.start()
      await watches.until('it follows', () => hasTold(watch, 'following'))
      appendIn(folder, SESSION, 1)
      await watches.until('it is in', () => messagesOf(watch) === 1)
      box.file('private/.cairn/config.json', '{"hooks":{"incognito":true}}')
      appendSecret(agent, appendIn(folder, SESSION, 2))
      await watches.until('it is left out', () => hasTold(watch, 'skip'))
      expect(watch.lines.find((line) => line['event'] === 'skip')).toMatchObject({
        reason: expect.stringContaining(`cairn session delete ${agent}:${SESSION}`),
      })
      expect(await storedIds()).toEqual([`${agent}:${SESSION}`])
      expect(await isKept()).toBe(false)
    },
    MOST_MS,
  )

  it(
    'adds nothing more to one that is marked when a part is in, and says how that is removed',
    async () => {
      const path = append(SESSION, 1)
      const one = watches.start()
      await watches.until('it follows', () => hasTold(one, 'following'))
      append(SESSION, 2)
      await watches.until('it is in', () => messagesOf(one) === 1)
      await box.cairn('hook', 'incognito', '--session', SESSION, '--agent', agent)
      appendSecret(agent, path)
      await watches.until('it is left out', () => hasTold(one, 'skip'))
      expect(one.lines.find((line) => line['event'] === 'skip')).toMatchObject({
        reason: expect.stringContaining(`cairn session delete ${agent}:${SESSION}`),
      })
      expect(await isKept()).toBe(false)
    },
    MOST_MS,
  )
})
