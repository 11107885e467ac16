/** An agent's turn of 60 replies with tools in a small window, on each wire, with failures on the way. */
import { describe, expect, it } from '@jest/globals'
import { stringOf, type JsonObject } from '../json.ts'
import { todoList } from '../session/todo.ts'
import { longText } from '../testing/contracts/language-model/requests.ts'
import { ASKED, requestTests } from '../testing/contracts/requests/workbench.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { DEFAULT_MODELS, type Fault, type Reply, type ReplyBlock } from '../testing/model-server/index.ts'
import { randomText } from '../testing/random-text.ts'
import type { AgentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import { createEngineTools } from './engine-tools/create-engine-tools.ts'

const TURNS = 60
const WINDOW = 32_000
const MODELS = DEFAULT_MODELS.map((model) => ({ ...model, contextWindow: WINDOW }))
const STEPS = 6
/** By the number of replies before: what the next request meets. */
const FAULTS: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [11, { kind: 'refuse', as: 'overloaded' }],
  [23, { kind: 'cut', at: 'in-text' }],
  [37, { kind: 'refuse', as: 'too-long' }],
])

const todos = (done: number): readonly JsonObject[] =>
  Array.from({ length: STEPS }, (_, step) => ({
    content: `Step ${step}`,
    status: step < done ? 'completed' : step === done ? 'in_progress' : 'pending',
  }))

/** What the model says after so many replies: nothing hangs on what came before. */
const replyAfter = (replies: number): Reply => {
  const random = randomText(replies)
  const text: ReplyBlock = { type: 'text', text: longText('word', 1 + random.below(60)) }
  if (replies >= TURNS) return { blocks: [text] }
  const blocks: ReplyBlock[] = []
  if (random.below(3) > 0) blocks.push({ type: 'thinking', text: longText('thought', 1 + random.below(40)) })
  blocks.push(text)
  const add = (name: string, input: Readonly<Record<string, unknown>>): void => {
    blocks.push({ type: 'tool-call', name, input })
  }
  if (replies % 10 === 4) add('update_todo', { todos: todos(Math.floor(replies / 10)) })
  if (replies % 20 === 7) add('memory', { operation: 'add', kind: 'discovery', text: `Fact ${replies} of the run.` })
  for (let call = random.below(3); call >= 0; call -= 1)
    add(call === 0 ? 'write_file' : 'read_file', { path: `f${random.below(9)}.ts`, content: `${replies}.${call}` })
  return { blocks }
}

const fileTools = (files: Map<string, string>): readonly AgentTool[] => [
  {
    definition: { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
    prepare: async ({ path }) => ({
      effect: 'none',
      title: 'read',
      paths: [],
      run: async () => ({
        content: [{ type: 'text', text: `${files.get(stringOf(path) ?? '') ?? ''} ${longText('line', 500)}` }],
      }),
    }),
  },
  {
    definition: { name: 'write_file', description: 'Writes.', inputSchema: { type: 'object' } },
    prepare: async ({ path, content }) => ({
      effect: 'files',
      title: 'write',
      paths: [],
      run: async () => {
        files.set(stringOf(path) ?? '', stringOf(content) ?? '')
        return { content: [{ type: 'text', text: 'Written.' }] }
      },
    }),
  },
]

/** What the files are after all of it. */
const expectedFiles = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (let replies = 0; replies < TURNS; replies += 1)
    for (const block of replyAfter(replies).blocks)
      if (block.type === 'tool-call' && block.name === 'write_file')
        files.set(String(block.input['path']), String(block.input['content']))
  return files
}

describe('a long turn', () => {
  let replies = 0
  const test = requestTests({ describe, it, expect }, async () => createInMemoryStore())
  for (const asked of ASKED)
    test(
      `of ${TURNS} replies with tools in a window of ${WINDOW} ends well, and its bill is the provider's`,
      asked,
      async ({ store, server, clock, model, engine: engineOf }) => {
        const engine = engineOf()
        const files = new Map<string, string>()
        const decisions: unknown[] = []
        replies = 0
        const agent = createAgent({
          engine,
          languageModel: model,
          model: asked.model,
          workspace: '/w',
          clock,
          window: WINDOW,
          tools: [...createEngineTools({ engine, workspace: '/w' }), ...fileTools(files)],
          approvals: { preset: 'all' },
          onEvent: (event) => {
            if (event.type !== 'reply') return
            replies += 1
            decisions.push(...event.reply.decisions)
            clock.advance(20_000)
            const fault = FAULTS.get(replies)
            if (fault !== undefined) server.script({ fault, reply: { blocks: [{ type: 'text', text: 'broken off' }] } })
          },
        })
        const outcome = await agent.run(`Do it. ${longText('task', 200)}`)
        await server.untilNoSockets()

        // The last request asks what was learnt.
        expect([outcome.end, outcome.turns, outcome.reason]).toEqual(['done', TURNS + 2, undefined])
        expect(server.stepsLeft()).toBe(0)
        const problems = server.requests.flatMap(({ problem }) => (problem === undefined ? [] : [problem.message]))
        // Gemini signs calls with their arguments: one that a rewrite shortened is refused, and sent again without its signature.
        const own = asked.wire === 'gemini' ? /^Thought signature is not valid/ : /^$/
        expect(problems.filter((problem) => !own.test(problem))).toEqual([])
        expect([...files].sort()).toEqual([...expectedFiles()].sort())
        expect((await engine.memory.list('/w')).map(({ text }) => text).sort()).toEqual([
          'Fact 27 of the run.',
          'Fact 47 of the run.',
          'Fact 7 of the run.',
        ])
        const log = await engine.sessions.log(outcome.sessionId)
        expect(todoList(log).map(({ status }) => status)).toEqual(
          todos(Math.floor((TURNS - 6) / 10)).map(({ status }) => status),
        )
        expect(decisions.length).toBeGreaterThan(2)

        const made = await store.usage.requests(outcome.sessionId)
        expect(made.filter(({ partial }) => !partial).map(({ costNano }) => costNano)).toEqual(
          server.ledger.filter(({ isComplete }) => isComplete).map(({ costNano }) => costNano),
        )
        expect(made.filter(({ partial }) => partial)).toHaveLength(1)
        expect(outcome.costNano).toBe(made.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n))
        const failures = await store.usage.failures({ sessionId: outcome.sessionId })
        const codes = failures.map(({ code }) => code).filter((code) => problems.length === 0 || code !== 'bad-request')
        expect(codes.sort()).toEqual(['context-overflow', asked.wire === 'gemini' ? 'unavailable' : 'overloaded'])
        expect(await store.verify()).toEqual([])
      },
      { models: MODELS, makeReply: () => replyAfter(replies) },
    )
})
