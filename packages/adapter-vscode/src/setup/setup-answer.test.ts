import { unifiedDiff } from '@cairn/core/setup'
import { changedAgents, sameChanges, setupAnswer, sidesOf } from './setup-answer.ts'
import { setupReport } from './setup-report.ts'

const diffOf = (before: string, after: string): string =>
  ['--- /home/ada/a.json', '+++ /home/ada/a.json', ...unifiedDiff(before, after)].join('\n')

const file = (path: string, status: string, diff = '') => ({ path, status, diff, notes: [] as string[] })
const agent = (name: string, files: readonly ReturnType<typeof file>[]) => ({
  agent: name.toLowerCase(),
  name,
  found: true,
  files,
  afterwards: [] as string[],
})
const answer = (...agents: readonly unknown[]) =>
  setupAnswer(JSON.stringify({ written: false, agents, obstacles: [], history: [], more: 1 }))

describe('both sides of a diff', () => {
  it('are the texts themselves where all of them is near a change', () => {
    const [before, after] = ['{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "c": 3,\n  "b": 2\n}\n']
    expect(sidesOf(diffOf(before, after))).toEqual({ before, after })
  })

  it('have nothing before where there is no file, and keep lines that look like marks', () => {
    expect(sidesOf(diffOf('', '+++ x\n@@ here\n-- y\n'))).toEqual({
      before: undefined,
      after: '+++ x\n@@ here\n-- y\n',
    })
    expect(sidesOf(diffOf('--- x\n', ''))).toEqual({ before: '--- x\n', after: '' })
  })

  it('show what lies between the changes as one line, the same on both', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
    const changed = lines.with(0, 'first').with(30, 'thirtieth')
    const { before = '', after } = sidesOf(diffOf(lines.join('\n'), changed.join('\n')))
    const differing = before.split('\n').filter((line, index) => line !== after.split('\n')[index])
    expect(differing).toEqual(['line 1', 'line 31'])
    expect(before).toContain('line 4\n⋯ from line 28\nline 28\n')
  })
})

describe("setup's answer", () => {
  it('is refused in a sentence where it is none, and is the sentence of a command that failed', () => {
    for (const output of ['', 'no', '[]', '{"agents": 1}'])
      expect(() => setupAnswer(output)).toThrow(/may be of another version than the extension/)
    expect(() => setupAnswer('{"error": {"code": "usage", "message": "No home."}}')).toThrow('No home.')
  })

  it('has agents of which something would be changed, and tells whether it is the same as before', () => {
    const one = agent('One', [file('/a', 'change', 'x'), file('/b', 'unchanged')])
    const two = agent('Two', [file('/c', 'refused')])
    const plan = answer(one, two)
    expect(changedAgents(plan).map(({ name }) => name)).toEqual(['One'])
    expect(sameChanges(plan, answer(one, agent('Two', [file('/c', 'change', 'y')])), ['one'])).toBe(true)
    expect(sameChanges(plan, answer(agent('One', [file('/a', 'change', 'z')]), two), ['one'])).toBe(false)
  })
})

describe('the report', () => {
  it('names what was written and what is left to do, as text', () => {
    const written = { ...agent('One', [file('/home/[a](command:x)', 'written')]), afterwards: ['Trust the hooks.'] }
    const report = setupReport(answer(written))
    expect(report).toContain(String.raw`## Written

- /home/\[a\](command:x)`)
    expect(report).toContain('- One: Trust the hooks.')
    expect(report).not.toContain('Left as it is')
  })
})
