import { describe, expect, it } from '@jest/globals'
import { commandAt, createCommandRuns } from './command-runs.ts'
import type { CommandRun } from './command-runs.ts'
import { numbered, read, toolCall } from './log.fixture.ts'
import type { NewLogEntry } from '../session-log.ts'

const runsOf = (...entries: readonly (readonly NewLogEntry[])[]): readonly CommandRun[] => {
  const runs = createCommandRuns()
  for (const entry of numbered(entries.flat())) runs.step(entry)
  return runs.runs()
}
const asked = (at: number): readonly NewLogEntry[] => [
  { kind: 'message', at, id: `ask-${at}`, role: 'user', content: [{ type: 'text', text: 'go on' }] },
]

describe('runs of an agent’s commands', () => {
  it('last from the call to its result, and a lost result ends with the next prompt', () => {
    const lost = toolCall(9_000, 'exec_command', { cmd: 'make' }).slice(0, 1)
    expect(runsOf(toolCall(1_000, 'Bash', { command: 'npm test' }), read(2_000, 'a'), lost)).toEqual([
      { command: 'npm test', startedAt: 1_000, endedAt: 1_001 },
      { command: 'make', startedAt: 9_000, endedAt: Infinity },
    ])
    expect(runsOf(lost, asked(70_000)).map(({ endedAt }) => endedAt)).toEqual([70_000])
  })

  it('name a file by its path, its end, or a folder with a slash', () => {
    const run = (command: string): readonly CommandRun[] => [{ command, startedAt: 10_000, endedAt: 40_000 }]
    const named = (command: string, path = 'packages/x/src/a.ts') => commandAt(run(command), path, 20_000)
    for (const command of [
      'sed -i s/a/b/ packages/x/src/a.ts',
      'cd packages/x && prettier --write "src/a.ts"',
      "node gen.mjs > './packages/x/src/a.ts'",
      'prettier --write packages/x/src/',
      'gofmt -w /work/app/packages/x/src/a.ts',
    ])
      expect([command, named(command)]).toEqual([command, 'named'])
    for (const command of ['npm test', 'prettier --write .', 'cat src/b.ts', 'grep src', 'rm ba.ts', 'cp y/x/src/ z'])
      expect([command, named(command)]).toEqual([command, 'running'])
    expect(named('npm test', 'test/a.ts')).toBe('running')
  })

  it('count only while they ran', () => {
    const runs: readonly CommandRun[] = [{ command: 'make a.ts', startedAt: 10_000, endedAt: 12_000 }]
    expect([9_000, 10_000, 12_200, 13_000].map((time) => commandAt(runs, 'a.ts', time))).toEqual([
      null,
      'named',
      'named',
      null,
    ])
  })
})
