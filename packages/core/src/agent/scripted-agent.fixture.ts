/**
 * An agent over an in-memory store, with a model that follows a test's script and tools that write to a map of files.
 */
import { createEngine, type Engine, type EngineDeps } from '../engine.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { stringOf, type JsonObject } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import { createHasher } from '../node/hasher.ts'
import { ModelError, type LanguageModel, type ModelRequest, type StopReason } from '../ports/language-model.ts'
import type { Store } from '../ports/store.ts'
import { createTestClock, type TestClock } from '../testing/fakes/clock.ts'
import { createInMemoryFileSystem } from '../testing/fakes/file-system.ts'
import { createSequentialIds } from '../testing/fakes/ids.ts'
import type { AgentEvent } from './agent.ts'
import type { AgentTool, PreparedCall, ToolEffect } from './agent-tool.ts'
import type { AgentOptions } from './agent-options.ts'

/** The model's answer to one request: blocks, or an error. */
export type ScriptedReply =
  | { readonly blocks: readonly ContentBlock[]; readonly stopReason?: StopReason; readonly inputTokens?: number }
  | { readonly error: ModelError }

export interface ScriptedModel extends LanguageModel {
  readonly requests: ModelRequest[]
}

export const text = (words: string): ContentBlock => ({ type: 'text', text: words })
export const call = (id: string, name: string, input: JsonObject): ContentBlock => ({
  type: 'tool_call',
  id,
  name,
  input,
})

/**
 * Returns the replies in order, then what `more` creates from a request's number; without it, further requests fail.
 */
export const scriptedModel = (
  replies: readonly ScriptedReply[],
  more?: (index: number, request: ModelRequest) => ScriptedReply,
): ScriptedModel => {
  const requests: ModelRequest[] = []
  return {
    provider: 'anthropic',
    requests,
    stream: async function* (request) {
      const index = requests.length
      requests.push(request)
      const reply = replies[index] ?? more?.(index, request)
      if (reply === undefined) throw new ModelError('unavailable', `No reply is scripted for request ${index}.`)
      if ('error' in reply) throw reply.error
      if (request.signal?.aborted === true) throw new ModelError('cancelled', 'Cancelled.')
      const { blocks, inputTokens = 1000 } = reply
      const hasCalls = blocks.some(({ type }) => type === 'tool_call')
      for (const block of blocks) {
        if (block.type === 'text') yield { type: 'text', text: block.text }
        yield { type: 'block', block }
      }
      yield {
        type: 'done',
        stopReason: reply.stopReason ?? (hasCalls ? 'tool-calls' : 'end'),
        providerReason: 'scripted',
        usage: { inputTokens, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 100 },
      }
    },
  }
}

export interface Bench {
  readonly store: Store
  readonly clock: TestClock
  readonly files: Map<string, string>
  /** Titles of the calls that were run, in order. */
  readonly ran: string[]
  readonly events: AgentEvent[]
  engine(deps?: Partial<EngineDeps>): Engine
  /** `read` (effect none), `write` (files), `shell` (command): each with `path`, `text` or `command`. */
  readonly tools: readonly AgentTool[]
  options(model: LanguageModel, options?: Partial<AgentOptions>): AgentOptions
}

export const createBench = (store: Store = createInMemoryStore()): Bench => {
  const clock = createTestClock()
  const ids = createSequentialIds()
  const files = new Map<string, string>()
  const ran: string[] = []
  const events: AgentEvent[] = []
  const engine = (deps: Partial<EngineDeps> = {}): Engine =>
    createEngine({
      store,
      clock,
      ids,
      hasher: createHasher(),
      fileSystem: createInMemoryFileSystem({}),
      prices: PRICES,
      ...deps,
    })
  const tools = [
    tool('read', 'none', (input) => ({
      title: `read ${pathOf(input)}`,
      paths: [pathOf(input)],
      run: async () => {
        ran.push(`read ${pathOf(input)}`)
        const held = files.get(pathOf(input))
        return held === undefined
          ? { content: [{ type: 'text', text: 'There is no such file.' }], isError: true }
          : { content: [{ type: 'text', text: held }] }
      },
    })),
    tool('write', 'files', (input) => ({
      title: `write ${pathOf(input)}`,
      paths: [pathOf(input)],
      run: async () => {
        ran.push(`write ${pathOf(input)}`)
        files.set(pathOf(input), textOf(input))
        return { content: [{ type: 'text', text: 'Written.' }], changed: [pathOf(input)] }
      },
    })),
    tool('shell', 'command', (input) => ({
      title: `run ${commandOf(input)}`,
      paths: [],
      command: commandOf(input),
      run: async () => {
        ran.push(`run ${commandOf(input)}`)
        return { content: [{ type: 'text', text: 'Exit code 0.' }] }
      },
    })),
  ]
  return {
    store,
    clock,
    files,
    ran,
    events,
    engine,
    tools,
    options: (languageModel, options = {}) => ({
      engine: engine(),
      languageModel,
      model: 'claude-sonnet-5',
      workspace: '/w',
      tools,
      clock,
      learns: false,
      approvals: { preset: 'all' },
      onEvent: (event) => void events.push(event),
      ...options,
    }),
  }
}

const pathOf = ({ path }: JsonObject): string => stringOf(path) ?? ''
const textOf = (input: JsonObject): string => stringOf(input.text) ?? ''
const commandOf = ({ command }: JsonObject): string => stringOf(command) ?? ''

/** USD per million tokens: a scripted reply of 1,000 input and 100 output tokens costs $0.0015. */
const PRICES = { 'claude-sonnet-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2 } }

const tool = (
  name: string,
  effect: ToolEffect,
  prepare: (input: JsonObject) => Omit<PreparedCall, 'effect'>,
): AgentTool => ({
  definition: { name, description: `The test's ${name}.`, inputSchema: { type: 'object' } },
  prepare: async (input) => ({ effect, ...prepare(input) }),
})
