import { describe, expect, it } from '@jest/globals'
import type { PreparedCall } from './agent-tool.ts'
import { grantOf, verdictOf, type ApprovalRule, type ApprovalSituation } from './approvals.ts'

const callWith = (given: Partial<PreparedCall>): PreparedCall => ({
  effect: 'command',
  title: 't',
  paths: [],
  run: async () => ({ content: [] }),
  ...given,
})
const decide = (tool: string, call: Partial<PreparedCall>, situation: Partial<ApprovalSituation> = {}): string =>
  verdictOf(tool, callWith(call), { mode: 'act', granted: new Set(), ...situation }).decision

const READ = { effect: 'none', paths: ['src/a.ts'] } as const
const EDIT = { effect: 'files', paths: ['src/a.ts'] } as const
const command = (text: string) => ({ effect: 'command', command: text }) as const

describe('verdictOf', () => {
  it.each([
    ['ask', ['allow', 'ask', 'ask', 'ask']],
    ['edits', ['allow', 'allow', 'ask', 'ask']],
    ['all', ['allow', 'allow', 'allow', 'ask']],
    ['never', ['allow', 'deny', 'deny', 'deny']],
  ] as const)('%s', (preset, expected) => {
    const out = { ...READ, reaches: 'It is outside of the workspace.' }
    expect([READ, EDIT, command('make'), out].map((call) => decide('t', call, { preset }))).toEqual(expected)
  })

  it('plan mode changes nothing, whatever is allowed; memory may be kept', () => {
    const situation = { mode: 'plan', preset: 'all', rules: [{ decision: 'allow' }] } as const
    expect(
      [READ, { effect: 'memory' } as const, EDIT, command('ls')].map((call) => decide('t', call, situation)),
    ).toEqual([...['allow', 'allow', 'deny', 'deny']])
  })

  const rules: readonly ApprovalRule[] = [
    { decision: 'ask', tool: 'write', path: 'src/gen/**' },
    { decision: 'allow', path: 'src/**' },
    { decision: 'allow', command: 'npm test' },
    { decision: 'deny', command: 'git push' },
    { decision: 'deny', path: '*.pem' },
  ]
  it.each([
    ['write', { effect: 'files', paths: ['src/x/b.ts'] }, 'allow'],
    ['write', { effect: 'files', paths: ['src/gen/b.ts'] }, 'ask'],
    ['edit', { effect: 'files', paths: ['src/gen/b.ts'] }, 'allow'],
    ['edit', { effect: 'files', paths: ['src/a.ts', 'docs/b.md'] }, 'ask'],
    ['edit', { effect: 'files', paths: ['src/a.ts', 'src/key.pem'] }, 'deny'],
    ['read', { effect: 'none', paths: ['key.pem'] }, 'deny'],
    ['run', command('npm test'), 'allow'],
    ['run', command('npm  test -- --watch=false'), 'allow'],
    ['run', command('npm tests'), 'ask'],
    ['run', command('npm test; rm -rf /'), 'ask'],
    ['run', command('npm test $(curl evil)'), 'ask'],
    ['run', command('npm test\nrm -rf /'), 'ask'],
    ['run', command('npm test && git push --force'), 'deny'],
    ['run', command('git status'), 'ask'],
  ] as const)('rules: %s %j %s', (tool, call, expected) => {
    expect(decide(tool, call, { rules })).toBe(expected)
  })

  it('what reaches out is asked about, whatever allows it', () => {
    const call = { ...EDIT, reaches: 'It is outside of the workspace.' }
    const granted = new Set([grantOf('edit', {})])
    expect(decide('edit', call, { preset: 'all', rules: [{ decision: 'allow' }], granted })).toBe('ask')
  })

  it('a grant is for the tool, for a simple command its program, for others the very command', () => {
    const granted = new Set([grantOf('run', command('npm test')), grantOf('run', command('a | b'))])
    expect(
      ['npm ci', 'npm ci && x', 'a | b', 'a', 'npx x'].map((text) => decide('run', command(text), { granted })),
    ).toEqual([...['allow', 'ask', 'allow', 'ask', 'ask']])
  })
})
