import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { messageOf } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import { hasher } from '../testing/parse-lines.ts'
import type { Importer } from './importer.ts'
import { IMPORTERS, importAgents, findImporter } from './registry.ts'

/** Lines that look as if they could mean something, with anything where a text, a number or an object belongs. */
const anything = fc.jsonValue({ maxDepth: 2 })
const likely = (values: readonly JsonValue[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anything })
const line = fc.record(
  {
    type: likely([
      'user',
      'assistant',
      'progress',
      'system',
      'summary',
      'session',
      'message',
      'compaction',
      'session_meta',
      'turn_context',
      'response_item',
      'event_msg',
      'gemini',
      'info',
      'session.start',
      'session.usage_record',
      'session.shutdown',
      'session.compaction_complete',
      'user.message',
      'assistant.message',
      'tool.user_requested',
      'tool.execution_complete',
    ]),
    id: likely(['m', 'n']),
    $set: fc.oneof(
      anything,
      fc.record({
        summary: anything,
        messages: fc.array(fc.record({ id: likely(['m', 'n']), type: likely(['user', 'gemini']), content: anything })),
      }),
    ),
    $rewindTo: likely(['m', 'n']),
    toolCalls: fc.oneof(anything, fc.array(fc.record({ id: likely(['c', 'd']), name: anything, result: anything }))),
    tokens: fc.oneof(anything, fc.record({ input: anything, output: anything, cached: anything })),
    projectHash: anything,
    say: likely(['api_req_started', 'error', 'text']),
    subtype: likely(['compact_boundary', 'microcompact_boundary', 'api_error']),
    payload: fc.oneof(
      anything,
      fc.record({
        type: likely(['message', 'token_count', 'reasoning', 'function_call']),
        info: anything,
        content: anything,
        id: anything,
        source: anything,
      }),
    ),
    data: fc.oneof(
      anything,
      fc.record({ type: fc.constant('agent_progress'), message: anything }),
      fc.record({
        sessionId: anything,
        context: fc.oneof(anything, fc.record({ cwd: anything, gitRoot: anything, branch: anything })),
        content: anything,
        attachments: fc.array(anything),
        toolRequests: fc.array(fc.oneof(anything, fc.record({ toolCallId: anything, name: anything }))),
        toolCallId: anything,
        apiCallId: anything,
        outputTokens: anything,
        usage: fc.oneof(anything, fc.record({ apiCallId: anything, inputTokens: anything, accounting: anything })),
        modelMetrics: fc.dictionary(
          fc.string(),
          fc.oneof(anything, fc.record({ requests: anything, usage: anything })),
        ),
        compactionTokensUsed: anything,
      }),
    ),
    message: fc.oneof(
      anything,
      fc.record({
        role: likely(['user', 'assistant', 'toolResult']),
        content: anything,
        usage: anything,
        model: anything,
        id: anything,
      }),
    ),
    sessionId: anything,
    session: anything,
    role: anything,
    text: anything,
    ts: anything,
    timestamp: anything,
    uuid: anything,
    cwd: anything,
    content: anything,
    info: fc.oneof(
      anything,
      fc.record(
        {
          id: anything,
          sessionID: likely(['ses_1']),
          role: likely(['user', 'assistant']),
          time: fc.oneof(anything, fc.record({ created: anything, completed: anything })),
          tokens: fc.oneof(
            anything,
            fc.record({ total: anything, input: anything, output: anything, cache: anything }),
          ),
          path: anything,
          error: fc.oneof(anything, fc.record({ name: anything, data: anything })),
          summary: anything,
          cost: anything,
        },
        { requiredKeys: [] },
      ),
    ),
    parts: fc.oneof(
      anything,
      fc.array(
        fc.record(
          {
            type: likely(['text', 'tool', 'file', 'reasoning', 'step-finish', 'subtask']),
            text: anything,
            callID: likely(['c']),
            tool: likely(['read', 'todowrite']),
            state: fc.oneof(
              anything,
              fc.record({ status: likely(['completed', 'error']), input: anything, output: anything }),
            ),
            mime: likely(['image/png']),
            url: likely(['data:image/png;base64,AA']),
            tokens: anything,
            metadata: anything,
          },
          { requiredKeys: [] },
        ),
      ),
    ),
  },
  { requiredKeys: [] },
)

/** For hundreds of made-up files on a machine that has other things to do, ms. */
const PATIENCE = 60_000

/** What is wrong with what an importer makes of lines, each with the importer's name. */
const faultsOf = (importer: Importer, lines: readonly JsonValue[], path: string): readonly string[] => {
  const faults: string[] = []
  const parser = importer.parser({ path, hasher })
  lines.forEach((value, index) => {
    try {
      importer.sniff(value)
      const { entries } = parser.parse(value, { number: index + 1, identity: () => `h:${index}` })
      const ids = entries.map(({ externalId }) => externalId)
      if (new Set(ids).size !== ids.length) faults.push(`ids that repeat: ${ids.join(' ')}`)
      if (ids.some((id) => id === undefined || id === '')) faults.push('an entry without an id')
      if (entries.some(({ entry: { at } }) => at !== null && !Number.isSafeInteger(at)))
        faults.push('a time that is none')
      JSON.parse(JSON.stringify(parser.state()))
    } catch (error) {
      faults.push(messageOf(error))
    }
  })
  return faults.map((fault) => `${importer.agent}: ${fault}`)
}

describe('every importer', () => {
  it(
    'tolerates any content of a line',
    () => {
      fc.assert(
        fc.property(
          fc.array(line, { minLength: 1, maxLength: 6 }),
          fc.constantFrom('/x/a.jsonl', '/x/t/ui_messages.json', '/x/chats/s/b.jsonl'),
          (values, path) => {
            const lines = values.map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)
            // Making lines takes longer than parsing them, so all importers are given the same.
            expect(IMPORTERS.flatMap((importer) => faultsOf(importer, lines, path))).toEqual([])
          },
        ),
        { numRuns: 300 },
      )
    },
    PATIENCE,
  )

  it('is found by its name; others are refused, and planned ones named as planned', () => {
    for (const agent of importAgents()) expect(findImporter(agent).agent).toBe(agent)
    expect(() => findImporter('vscode')).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(() => findImporter('nobody')).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
