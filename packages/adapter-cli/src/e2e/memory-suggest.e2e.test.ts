/** `cairn memory suggest` as a process, on sessions in the generic format. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { textWidth } from '../terminal/text-width.ts'
import { createMemorySandbox } from '../testing/memory-sandbox.ts'

const { box, memory, json } = createMemorySandbox()
const STORE = ['--store', 'file:s.db']

interface Report {
  readonly suggestions: readonly { readonly id: string; readonly text: string }[]
}

/** Five sessions that run the tests, four of them the linter too, and one that does neither. */
beforeAll(async () => {
  const lines = Array.from({ length: 6 }, (_, day) => {
    const commands = day === 5 ? ['ls'] : day === 0 ? ['npm test'] : ['npm test', 'npx eslint .']
    return commands.map((command, index) => ({
      session: `s${day}`,
      id: `m${day}-${index}`,
      at: new Date(Date.UTC(2026, 0, 1 + day, 0, index)).toISOString(),
      role: 'assistant',
      text: 'Checking.\u001b[2J',
      workspace: box.folder,
      tool: { name: 'bash', input: { command } },
    }))
  })
  box.file(
    'sessions.jsonl',
    `${lines
      .flat()
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`,
  )
  await box.json('import', '--agent', 'generic', '--from', 'sessions.jsonl', ...STORE)
})

afterAll(() => box.remove())

describe('cairn memory suggest', () => {
  it('says what it found and where, within 80 columns, and how to take it in', async () => {
    const { code, stdout } = await memory('suggest')
    expect(code).toBe(0)
    expect(stdout).toContain('Sessions check their work with: npm test\n')
    expect(stdout).toContain('seen in 5 of 6 sessions: s4 (2026-01-05)')
    expect(stdout).toMatch(/Take one in: cairn memory suggest --accept [0-9a-f]{12};/)
    expect(stdout).toMatch(/\nTotal: 2 suggestions from the last 6 sessions of .+\n$/)
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('decides about none where one of several is not offered, or is both accepted and dismissed', async () => {
    const { suggestions } = (await json('suggest')) as Report
    const [test = ''] = suggestions.map(({ id }) => id)
    const unknown = await memory('suggest', '--accept', test, '--accept', 'nothing')
    expect([unknown.code, unknown.stdout]).toEqual([1, ''])
    const both = await memory('suggest', '--accept', test, '--dismiss', test.slice(0, 8))
    expect([both.code, both.stderr]).toEqual([
      2,
      `${test} can't be both accepted and dismissed; give it once. Nothing was changed.\n`,
    ])
    expect(await json('suggest')).toMatchObject({ suggestions, known: 0, decided: 0 })
  })

  it('takes one in, dismisses the other, and offers neither again', async () => {
    const { suggestions } = (await json('suggest')) as Report
    const [test, lint] = suggestions.map(({ id }) => id)
    expect(await json('suggest', '--accept', test ?? '', '--dismiss', lint ?? '')).toMatchObject({
      accepted: [{ id: test, outcome: 'added', entry: { source: 'suggestion', sessionId: 'generic:s4' } }],
      dismissed: [lint],
    })
    expect(await json('suggest')).toMatchObject({ suggestions: [], known: 1, decided: 1 })
    expect((await memory('suggest')).stdout).toMatch(/1 known\salready; 1 decided before\n$/)
  })

  it('refuses an id that is not offered in one sentence', async () => {
    const { code, stderr } = await memory('suggest', '--accept', 'nothing')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'No suggestion "nothing" is offered for this project.\n',
    })
  })
})
