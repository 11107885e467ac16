import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { JsonValue } from '../json.ts'
import { hasher } from '../testing/parse-lines.ts'
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
    ]),
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
    data: fc.oneof(anything, fc.record({ type: fc.constant('agent_progress'), message: anything })),
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
  },
  { requiredKeys: [] },
)

describe('every importer', () => {
  it.each(IMPORTERS.map((importer) => [importer.agent, importer] as const))(
    '%s tolerates any content of a line',
    (_agent, importer) => {
      fc.assert(
        fc.property(
          fc.array(line, { minLength: 1, maxLength: 6 }),
          fc.constantFrom('/x/a.jsonl', '/x/t/ui_messages.json'),
          (lines, path) => {
            const parser = importer.parser({ path, hasher })
            lines.forEach((value, index) => {
              const json = JSON.parse(JSON.stringify(value)) as JsonValue
              importer.sniff(json)
              const parsed = parser.parse(json, { number: index + 1, identity: () => `h:${index}` })
              const ids = parsed.entries.map(({ externalId }) => externalId)
              expect(new Set(ids).size).toBe(ids.length)
              expect(ids.every((id) => id !== undefined && id !== '')).toBe(true)
              for (const { entry } of parsed.entries)
                expect(entry.at === null || Number.isSafeInteger(entry.at)).toBe(true)
            })
            expect(JSON.parse(JSON.stringify(parser.state()))).toEqual(JSON.parse(JSON.stringify(parser.state())))
          },
        ),
        { numRuns: 300 },
      )
    },
  )

  it('is found by its name; others are refused, and planned ones named as planned', () => {
    for (const agent of importAgents()) expect(findImporter(agent).agent).toBe(agent)
    expect(() => findImporter('aider')).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(() => findImporter('nobody')).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
