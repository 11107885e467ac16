import { describe, expect, it } from '@jest/globals'
import type { ApprovalRequest, PreparedCall } from '@cairn/core/agent'
import { approvalAnswer, approvalLines, createApprover } from './approval.ts'

const call = (more: Partial<PreparedCall>): PreparedCall => ({
  effect: 'files',
  title: 'edit src/a.ts',
  paths: ['src/a.ts'],
  run: async () => ({ content: [] }),
  ...more,
})
const request = (more: Partial<PreparedCall> = {}): ApprovalRequest => ({
  callId: 'c1',
  tool: 'edit_file',
  call: call(more),
  why: 'It changes a file.',
})
const PAPER = { width: 40, style: (_: string, text: string) => text }
const DIFF =
  '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -3,2 +3,2 @@ export\n const kept = 1\n-const old = 2\n+const fresh = "\u001b[2J"\n'

describe('an approval', () => {
  it.each([
    ['y', { decision: 'allow' }],
    [' Yes ', { decision: 'allow' }],
    ['a', { decision: 'always' }],
    ['n', { decision: 'deny' }],
    ['no, use the other file', { decision: 'deny', feedback: 'use the other file' }],
    ['n not in src/: it is generated', { decision: 'deny', feedback: 'not in src/: it is generated' }],
    ['yes but first test', undefined],
    ['ya', undefined],
    ['', undefined],
    ['nope', undefined],
  ])('reads %j', (text, answer) => {
    expect(approvalAnswer(text)).toEqual(answer)
  })

  it('shows the call, why it is asked, and what it would change, without obeying any of it', () => {
    expect(approvalLines(request({ diff: DIFF, reaches: 'It is outside of the workspace.' }), PAPER, false)).toEqual([
      '? edit src/a.ts',
      '  It changes a file.',
      '  It is outside of the workspace.',
      '  @@ -3,2 +3,2 @@ export',
      '   const kept = 1',
      '  -const old = 2',
      '  +const fresh = "␛[2J"',
    ])
    expect(approvalLines(request({ diff: DIFF }), PAPER, true).slice(2)).toEqual([
      '  at line 3:',
      '  same: const kept = 1',
      '  removed: const old = 2',
      '  added: const fresh = "␛[2J"',
    ])
  })

  it('shows a command of several lines whole, up to a limit', () => {
    const command = Array.from({ length: 30 }, (_, line) => `echo ${line}`).join('\n')
    const lines = approvalLines(request({ effect: 'command', title: 'run echo 0 …', command }), PAPER, false)
    expect(lines.slice(2, 4)).toEqual(['  $ echo 0', '    echo 1'])
    expect(lines.at(-1)).toBe('    10 more lines of the command')
    expect(approvalLines(request({ command: 'npm test', title: 'run npm test' }), PAPER, false).length).toBe(2)
  })

  it('is asked until it is answered, and a question that is broken off is a no', async () => {
    const answers = ['maybe', '', 'always']
    const questions: string[] = []
    const approve = createApprover({
      terminal: { ...PAPER, line: async () => undefined },
      isPlain: false,
      ask: async (question) => {
        questions.push(question)
        return answers.shift()
      },
    })
    const { signal } = new AbortController()
    expect(await approve(request(), signal)).toEqual({ decision: 'always' })
    expect(questions.length).toBe(3)
    for (const line of questions.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(41)
    expect(await approve(request(), signal)).toEqual({ decision: 'deny' })
  })
})
