/** `cairn context focus` as a process: kept in a real store, shown in the next request. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Shown {
  readonly messages: readonly { readonly blocks: readonly { readonly why: string; readonly text: string }[] }[]
}

let box: Sandbox
const focus = (...options: readonly string[]) => box.cairn('context', 'focus', ...options, '--workspace', './app')
const shownFocus = async (): Promise<readonly string[]> => {
  const { messages } = (await box.json('context', 'show', 'talk', '--all')) as Shown
  return messages.flatMap(({ blocks }) => blocks.flatMap(({ text }) => (/current_focus/.test(text) ? [text] : [])))
}

beforeAll(async () => {
  box = createSandbox()
  box.file('app/a.ts', 'x\n')
  const line = claudeLine({
    session: 'talk',
    id: 'q1',
    cwd: `${box.folder}/app`,
    at: '2026-01-31T08:00:00.000Z',
    role: 'user',
    text: 'Where is the cache?',
  })
  const from = box.file('home/.claude/projects/app/talk.jsonl', `${line}\n`)
  expect((await box.cairn('import', '--from', from)).code).toBe(0)
})
afterAll(() => box.remove())

describe('cairn context focus', () => {
  it('is set, shown, in the next request, and cleared', async () => {
    expect(await focus()).toMatchObject({ code: 0, stdout: 'app has no focus.\n' })
    expect(await shownFocus()).toEqual([])
    expect(await focus('src/billing/')).toMatchObject({ code: 0, stdout: 'The focus of app: src/billing/\n' })
    expect(await focus()).toMatchObject({ stdout: 'The focus of app: src/billing/\n' })
    expect(await shownFocus()).toEqual([expect.stringContaining('src/billing/')])
    expect(await focus('--clear')).toMatchObject({ stdout: 'app has no focus any more (it was: src/billing/).\n' })
    expect(await shownFocus()).toEqual([])
    expect(await focus('x', '--clear')).toMatchObject({ code: 2 })
    expect(await focus(' ')).toMatchObject({ code: 2, stderr: expect.stringContaining('What is the focus?') })
  })
})
