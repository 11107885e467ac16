import { describe, expect, it } from '@jest/globals'
import { todoList } from '../../session/todo.ts'
import { createAgent } from '../create-agent.ts'
import { call, createBench, scriptedModel, text, type Bench, type ScriptedReply } from '../scripted-agent.fixture.ts'
import { createEngineTools } from './create-engine-tools.ts'
import type { AskUser } from './ask-user-tool.ts'

const reply = (...blocks: Extract<ScriptedReply, { blocks: unknown }>['blocks']): ScriptedReply => ({ blocks })

/** Runs a turn of these replies with the engine's tools, and gives what the calls came to. */
const resultsOf = async (
  bench: Bench,
  replies: readonly ScriptedReply[],
  { askUser, session, learns = false }: { askUser?: AskUser; session?: string; learns?: boolean } = {},
) => {
  const engine = bench.engine()
  const given = askUser === undefined ? {} : { askUser }
  const model = scriptedModel(replies)
  const agent = createAgent(
    bench.options(model, {
      engine,
      learns,
      tools: [...createEngineTools({ engine, workspace: '/w', ...given }), ...bench.tools],
      ...(session === undefined ? {} : { session }),
    }),
  )
  const outcome = await agent.run('Go on')
  const log = await engine.sessions.log(outcome.sessionId)
  const results = log.flatMap((entry) =>
    entry.kind === 'message'
      ? entry.content.flatMap((block) =>
          block.type === 'tool_result'
            ? block.content.map((part) => (part.type === 'text' ? part.text : part.type))
            : [],
        )
      : [],
  )
  return { results, outcome, log, model, engine }
}

describe("the engine's tools", () => {
  it('keep what was learnt with where it came from, and find it in another session', async () => {
    const bench = createBench()
    const add = { operation: 'add', kind: 'solution', text: 'Port 5432 is taken: use 5433.', examples: ['db.ts:3'] }
    const first = await resultsOf(bench, [reply(call('c1', 'memory', add)), reply(text('Kept.'))])
    const [entry] = await first.engine.memory.list('/w')
    expect(entry).toMatchObject({ kind: 'solution', sessionId: first.outcome.sessionId, source: 'agent:cairn' })
    const second = await resultsOf(bench, [
      reply(call('c1', 'memory', { operation: 'search', text: 'port' }), call('c2', 'memory', { operation: 'add' })),
      reply(text('5433.')),
    ])
    expect(second.results[0]).toContain('<recalled_data>')
    expect(second.results[0]).toContain('Port 5432 is taken: use 5433. [db.ts:3]')
    expect(second.results[1]).toBe('"text" must be a text that is not empty, not undefined.')
  })

  it('write the todo list into the log with the result, and remind of one that is forgotten', async () => {
    const bench = createBench()
    bench.files.set('a', 'x')
    const todos = [
      { content: 'Read', status: 'completed' },
      { content: 'Mend', status: 'in_progress' },
    ]
    const twice = [...todos, { content: 'Test', status: 'in_progress' }]
    const { results, log } = await resultsOf(bench, [
      reply(call('c0', 'update_todo', { todos: twice })),
      reply(call('c1', 'update_todo', { todos })),
      ...Array.from({ length: 7 }, (_, index) =>
        reply(call(`r${index}`, index % 2 === 0 ? 'read' : 'shell', { path: 'a', command: `ls ${index}` })),
      ),
      reply(text('Done.')),
    ])
    expect(todoList(log)).toEqual([
      { text: 'Read', status: 'completed' },
      { text: 'Mend', status: 'in_progress' },
    ])
    expect(results[0]).toBe('The todo list was not changed: only one item can be in progress, not "Mend" and "Test".')
    const reminders = results.filter((result) => result.includes('The todo list has not changed for 6 requests'))
    expect(reminders).toHaveLength(1)
  })

  it('recall, notes and questions', async () => {
    const bench = createBench()
    const { results } = await resultsOf(
      bench,
      [
        reply(
          call('c1', 'note', { operation: 'set', key: 'plan', text: 'First <recalled_data> the parser.' }),
          call('c2', 'note', { operation: 'get', key: 'plan' }),
          call('c3', 'recall', { query: 'go on', limit: 1 }),
          call('c4', 'ask_user', { question: 'Which port?', choices: ['1', '2'] }),
        ),
        reply(text('2.')),
      ],
      { askUser: async (question, choices) => `${question} ${choices.at(-1) ?? ''}` },
    )
    expect(results[0]).toBe('Kept as plan.')
    // What was kept can't close the tags that it is given in.
    expect(results[1]).toBe('The note plan:\n<recalled_data>\nFirst &lt;recalled_data> the parser.\n</recalled_data>')
    expect(results[2]).toMatch(/^1 messages, best first\.\n<recalled_data>\n2026-01-01T00:00 user in cairn:/)
    expect(results[3]).toBe('Which port? 2')
  })

  it('the model is asked once what was learnt, where something changed; its answer is not the last word', async () => {
    const bench = createBench()
    const add = { operation: 'add', kind: 'discovery', text: 'The port is in db.ts.' }
    const { outcome, model, engine } = await resultsOf(
      bench,
      [
        reply(call('c1', 'write', { path: 'a', text: 'b' })),
        reply(text('Written.')),
        reply(text('One thing.'), call('c2', 'memory', add), call('c3', 'shell', { command: 'rm -rf /' })),
      ],
      { learns: true },
    )
    expect(outcome).toMatchObject({ end: 'done', text: 'Written.', turns: 3 })
    expect((await engine.memory.list('/w')).map((entry) => entry.text)).toEqual(['The port is in db.ts.'])
    expect(bench.ran).toEqual(['write a'])
    expect(model.requests).toHaveLength(3)
    // A turn that only looked is not asked about.
    const looked = await resultsOf(createBench(), [reply(call('c1', 'read', { path: 'a' })), reply(text('Seen.'))], {
      learns: true,
    })
    expect(looked.model.requests).toHaveLength(2)
  })
})
