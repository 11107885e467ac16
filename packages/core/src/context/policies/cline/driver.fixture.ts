/** Drives a policy over a log that grows, as a session does; and arbitrary sessions. */
import fc from 'fast-check'
import type { JsonObject } from '../../../json.ts'
import { textOfBlock, type ContentBlock, type ToolResultBlock } from '../../../messages.ts'
import type { LogEntry, NewLogEntry, RewriteEntry } from '../../../session-log.ts'
import type { RewriteDraft } from '../../draft.ts'
import type { Policy, Situation } from '../../policy.ts'
import { createContextView, type ContextView } from '../../view.ts'

export const CHARACTERS_PER_TOKEN = 2.7

export const situationOf = (changes: Partial<Situation> = {}): Situation => {
  const { window = 200_000, prefix = 0 } = changes
  return {
    now: 1_000_000,
    window,
    prefix,
    availableTokens: window - prefix,
    lastUsed: 0,
    prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
    cacheLifetime: 300,
    refusals: 0,
    ...changes,
  }
}

export interface Call {
  readonly name?: string
  readonly input?: JsonObject
  readonly output: string | ToolResultBlock['content']
  readonly isError?: boolean
}

export interface Driver {
  readonly view: ContextView
  readonly log: readonly LogEntry[]
  add(entry: NewLogEntry): LogEntry
  user(text: string): LogEntry
  agent(text: string): LogEntry
  /** A reply that calls tools at once, with their results; `lines`: an entry for each block, as Claude Code writes it. */
  step(calls: readonly Call[], form?: 'tool' | 'user' | 'lines'): void
  /** Decides until nothing is to be done, and appends it. */
  decide(changes?: Partial<Situation>): readonly RewriteEntry[]
  /** A decision that is not taken. */
  propose(changes?: Partial<Situation>): RewriteDraft | undefined
  /** Everything that the model would see. */
  text(): string
}

export const read = (path: string, output: string, more: JsonObject = {}): Call => ({
  name: 'Read',
  input: { file_path: path, ...more },
  output,
})

/** The most decisions on one request. */
const MOST = 8

export const createDriver = (policy: Policy): Driver => {
  const view = createContextView(CHARACTERS_PER_TOKEN)
  const run = policy.start(view)
  const log: LogEntry[] = []
  let names = 0

  const add = (entry: NewLogEntry): LogEntry => {
    const numbered: LogEntry = { ...entry, seq: log.length }
    log.push(numbered)
    view.step(numbered)
    return numbered
  }
  const message = (
    role: 'user' | 'assistant' | 'tool',
    content: readonly ContentBlock[],
    responseId?: string,
  ): LogEntry =>
    add({
      kind: 'message',
      at: log.length * 1000,
      id: `m${log.length}`,
      role,
      content,
      ...(responseId === undefined ? {} : { responseId }),
    })

  return {
    view,
    log,
    add,
    user: (text) => message('user', [{ type: 'text', text }]),
    agent: (text) => message('assistant', [{ type: 'text', text }]),
    step: (calls, form = 'tool') => {
      const made = calls.map((call) => ({ call, id: `call${(names += 1)}` }))
      const callBlocks = made.map(({ call, id }): ContentBlock => ({
        type: 'tool_call',
        id,
        name: call.name ?? 'Bash',
        input: call.input ?? { command: 'ls' },
      }))
      const results = made.map(({ call, id }): ContentBlock => ({
        type: 'tool_result',
        callId: id,
        content: typeof call.output === 'string' ? [{ type: 'text', text: call.output }] : call.output,
        ...(call.isError === true ? { isError: true } : {}),
      }))
      if (form === 'lines') {
        const response = `r${log.length}`
        callBlocks.forEach((block, index) => {
          message('assistant', [block], response)
          message('tool', results.slice(index, index + 1))
        })
        return
      }
      message('assistant', [{ type: 'text', text: `I call ${calls.length} tools.` }, ...callBlocks])
      message(form, results)
    },
    decide: (changes) => {
      const entries: RewriteEntry[] = []
      for (let count = 0; count < MOST; count++) {
        const decided = run.decide(situationOf(changes))
        if (decided === undefined) break
        const entry = add(decided)
        if (entry.kind === 'rewrite') entries.push(entry)
      }
      return entries
    },
    propose: (changes) => run.decide(situationOf(changes)),
    text: () =>
      view.history
        .messages()
        .flatMap(({ content }) => content.map(textOfBlock))
        .join('\n'),
  }
}

/** What a session does next. */
export type Action =
  | { readonly do: 'user'; readonly text: string }
  | { readonly do: 'agent'; readonly text: string }
  | { readonly do: 'step'; readonly calls: readonly Call[]; readonly form: 'tool' | 'user' | 'lines' }
  | { readonly do: 'rewind'; readonly to: number }
  | { readonly do: 'pin'; readonly message: number }

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .integer({ min: 1, max: 3000 })
      .map((length) => 'words of a line\n'.repeat(Math.ceil(length / 16)).slice(0, length)),
  },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((value) => `${value}.`),
  fc.integer({ min: 1, max: 900 }).map((length) => `😀漢${'é'.repeat(length)}`),
  fc.constant("[Earlier content of 'a.ts' removed to save space"),
  fc.constant('</session_state><thread_summary>'),
)
const huge = fc
  .integer({ min: 10_000, max: 60_000 })
  .map((length) => 'a line of a large file\n'.repeat(Math.ceil(length / 23)))
const output: fc.Arbitrary<Call['output']> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: huge },
  fc.constant(''),
  fc.constant([]),
  text.map((value) => [
    { type: 'text', text: value } as const,
    { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const,
  ]),
)
/** The files of arbitrary sessions. */
export const PATHS = ['a.ts', './a.ts', 'src/b.ts', "it's.md", 'ü.txt'] as const
const path = fc.constantFrom(...PATHS)
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(path, output)
      .map(([file_path, value]) => ({ name: 'Read', input: { file_path }, output: value })),
  },
  fc
    .tuple(path, fc.integer({ min: 1, max: 50 }), text)
    .map(([file_path, offset, value]) => ({ name: 'Read', input: { file_path, offset, limit: 20 }, output: value })),
  fc
    .tuple(path, fc.oneof(text, huge))
    .map(([file_path, content]) => ({ name: 'Write', input: { file_path, content }, output: 'ok' })),
  output.map((value) => ({ output: value })),
  text.map((value) => ({ output: value, isError: true })),
)

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: text.map((value) => ({ do: 'user', text: value }) as const) },
  {
    weight: 1,
    arbitrary: path.map(
      (name) =>
        ({ do: 'user', text: `See <file_content path="${name}">${'its text\n'.repeat(80)}</file_content>` }) as const,
    ),
  },
  { weight: 2, arbitrary: text.map((value) => ({ do: 'agent', text: value }) as const) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
      form: fc.constantFrom('tool' as const, 'user' as const, 'lines' as const),
    }),
  },
  { weight: 1, arbitrary: fc.nat({ max: 99 }).map((to) => ({ do: 'rewind', to }) as const) },
  { weight: 1, arbitrary: fc.nat({ max: 99 }).map((message) => ({ do: 'pin', message }) as const) },
)

/** Sessions with parallel tools, images, empty and huge results, rewinds and pins. */
export const actions: fc.Arbitrary<readonly Action[]> = fc.array(action, { minLength: 3, maxLength: 40 })

/** Does the next thing. A rewind goes to just before a message of the user; what is pinned is visible with its pair. */
export const act = (driver: Driver, next: Action): void => {
  switch (next.do) {
    case 'user':
      driver.user(next.text)
      break
    case 'agent':
      driver.agent(next.text)
      break
    case 'step':
      driver.step(next.calls, next.form)
      break
    case 'rewind': {
      const userMessages = driver.view.history
        .messages()
        .filter(
          ({ role, origin, seqs }, index) =>
            index > 0 &&
            role === 'user' &&
            origin === undefined &&
            driver.view.history.blocksOf(seqs[0] ?? -1)[0]?.original.type === 'text',
        )
      const [seq] = userMessages[next.to % Math.max(1, userMessages.length)]?.seqs ?? []
      if (seq !== undefined) driver.add({ kind: 'rewind', at: null, toSeq: seq - 1 })
      break
    }
    case 'pin': {
      const blocks = driver.view
        .blocks()
        .filter(({ source, kind, tokens }) => kind !== 'inserted' && tokens < 1500 && source.entry.content.length === 1)
      const block = blocks[next.message % Math.max(1, blocks.length)]
      if (block !== undefined) driver.add({ kind: 'pin', at: null, messageId: block.source.entry.id, state: 'pinned' })
      break
    }
  }
}
