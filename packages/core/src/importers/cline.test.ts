import { describe, expect, it } from '@jest/globals'
import { clineImporter, kiloImporter, rooImporter } from './cline.ts'
import { modelUseAt } from './cline-context.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'

const TASK = '/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1700000000000'
const HISTORY = `${TASK}/api_conversation_history.json`
const DISPLAY = `${TASK}/ui_messages.json`
const started = (ts: number, text: object, more: object = {}) => ({
  ts,
  type: 'say',
  say: 'api_req_started',
  text: JSON.stringify(text),
  ...more,
})
const ENVIRONMENT = `<environment_details>
# Current Mode
<slug>code</slug>
<model>claude-sonnet-4-20250514</model>

# Current Workspace Directory (/code/app) Files
</environment_details>`

describe('recognising files', () => {
  it('recognises the extension by its folder', () => {
    const path = (folder: string) => `/x/${folder}/tasks/1/ui_messages.json`
    expect(
      [clineImporter, rooImporter, kiloImporter].map((importer) =>
        importer.recognise(path('rooveterinaryinc.roo-cline')),
      ),
    ).toEqual(['unknown', 'transcript', 'unknown'])
    expect(
      [clineImporter, rooImporter, kiloImporter].map((importer) => importer.recognise(path('kilocode.kilo-code'))),
    ).toEqual(['unknown', 'unknown', 'transcript'])
    expect([clineImporter, rooImporter, kiloImporter].map((importer) => importer.recognise(path('anything')))).toEqual([
      'transcript',
      'unknown',
      'unknown',
    ])
    expect(clineImporter.recognise(`${TASK}/task_metadata.json`)).toBe('sidecar')
  })
})

describe("the model's history", () => {
  it('has messages; the title is the first task, the model the one in use at the time', () => {
    const context = {
      uses: [
        { at: 5, model: 'claude-sonnet-4-5', mode: 'plan' },
        { at: 40, mode: 'act' },
      ],
      workspace: '/code/app/.worktrees/x',
    }
    const lines = parseAll(parserOf(clineImporter, HISTORY, { context }), [
      {
        role: 'user',
        ts: 10,
        content: [
          { type: 'text', text: '<task>\nFix  it\n</task>' },
          { type: 'text', text: ENVIRONMENT },
        ],
      },
      {
        role: 'assistant',
        ts: 10,
        content: [{ type: 'tool_use', id: 't', name: 'read_file', input: { path: 'a' } }],
      },
      { role: 'user', ts: 50, content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
      {
        role: 'user',
        ts: 50,
        content: [
          { type: 'text', text: '[read_file] Result:\n\nx' },
          { type: 'text', text: ENVIRONMENT },
        ],
      },
      { role: 'assistant', ts: 60, content: 'Summary', isSummary: true },
    ])
    expect(lines[0]?.session).toEqual({
      id: 'cline:1700000000000',
      agent: 'cline',
      externalId: '1700000000000',
      workspace: '/code/app',
      title: 'Fix it',
    })
    expect(
      writesOf(lines).map(({ entry, externalId }) =>
        entry.kind === 'message'
          ? [externalId, entry.role, entry.mode, entry.model, entry.origin]
          : [externalId, entry.kind],
      ),
    ).toEqual([
      ['10000:user', 'user', 'act', undefined, undefined],
      ['10000:assistant', 'assistant', 'act', 'claude-sonnet-4-5', undefined],
      ['50000:user', 'tool', 'act', undefined, undefined],
      ['50000:user.1', 'user', 'act', undefined, 'meta'],
      ['60000:assistant.compaction', 'compaction'],
      ['60000:assistant', 'assistant', 'act', 'claude-sonnet-4-5', 'summary'],
    ])
  })

  it('keeps the ids of messages that were marked later, so that a saved file repeats none', () => {
    const message = { role: 'user', ts: 1755635332197, content: 'hello' }
    const ids = (element: object) =>
      writesOf(parseAll(parserOf(rooImporter, HISTORY), [element])).map(({ externalId }) => externalId)
    expect(ids({ ...message, condenseParent: 'c1' })).toEqual(ids(message))
  })
})

describe('the display file', () => {
  const parse = (lines: readonly unknown[], context = {}) =>
    parseAll(parserOf(rooImporter, DISPLAY, { context }), lines)

  it('has a request for each record of tokens, with the recorded cost', () => {
    const at = 1755635332244
    const lines = parse([
      { ts: at - 1, type: 'say', say: 'text', text: 'Fix it' },
      started(at, {
        request: ENVIRONMENT,
        apiProtocol: 'anthropic',
        tokensIn: 100,
        tokensOut: 20,
        cacheWrites: 30,
        cacheReads: 40,
        cost: 0.0376,
      }),
      started(at, { tokensIn: 1, tokensOut: 2, cost: 0 }),
      started(at + 1, { request: 'running' }),
      {
        ts: at + 2,
        type: 'say',
        say: 'deleted_api_reqs',
        text: JSON.stringify({ tokensIn: 7, tokensOut: 1, cost: 0.5 }),
      },
      { ts: at + 3, type: 'say', say: 'error', text: 'It broke' },
    ])
    expect(requestsOf(lines)).toMatchObject([
      {
        callId: `1700000000000:${at}`,
        at,
        model: 'claude-sonnet-4-20250514',
        mode: 'code',
        inputTokens: 100,
        cacheReadTokens: 40,
        cacheWrite5mTokens: 30,
        outputTokens: 20,
        costNano: 37_600_000n,
        costState: 'recorded',
      },
      { callId: `1700000000000:${at}.1`, model: 'unknown', costNano: null, costState: 'unpriced' },
      { callId: `1700000000000:${at + 2}`, costNano: 500_000_000n, costState: 'recorded' },
    ])
    expect(writesOf(lines).map(({ entry }) => entry.kind)).toEqual(['model', 'model', 'model', 'notice'])
  })

  it('tolerates texts that are not JSON', () => {
    expect(
      writesOf(
        parse([
          { ts: 1, type: 'say', say: 'api_req_started', text: '{broken' },
          { ts: 2, type: 'say', say: 'api_req_started' },
        ]),
      ),
    ).toEqual([])
  })
})

describe('useAt', () => {
  it('returns the latest usage before a time, field by field, else the first', () => {
    const uses = [
      { at: 10, model: 'a' },
      { at: 20, mode: 'plan' },
      { at: 30, model: 'b' },
    ]
    expect(modelUseAt(uses, 25)).toEqual({ model: 'a', mode: 'plan' })
    expect(modelUseAt(uses, 5)).toEqual({ model: 'a', mode: 'plan' })
    expect(modelUseAt(uses, 35)).toEqual({ model: 'b', mode: 'plan' })
    expect(modelUseAt([], 5)).toEqual({})
  })
})
