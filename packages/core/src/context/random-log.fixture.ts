/** Random conversations as logs: parallel tools, images, unicode, huge and empty blocks, gaps, pins. */
import fc from 'fast-check'
import type { ContentBlock, Role } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'

/** What happens next in a conversation, before it is written down with places and times. */
type Event =
  | { readonly kind: 'user'; readonly text: string; readonly image: boolean }
  | { readonly kind: 'turn'; readonly text: string; readonly calls: readonly Call[]; readonly isSplit: boolean }
  | { readonly kind: 'interrupted'; readonly tool: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'pin'; readonly back: number; readonly state: 'pinned' | 'dropped' | 'automatic' }

interface Call {
  readonly tool: string
  readonly file: number
  readonly result: string
  readonly isError: boolean
  readonly image: boolean
}

const PIECES = [
  'export const alpha_1 = loadThing(',
  'src/a/b.ts',
  'день 🌍 名前',
  '\n\n',
  '    return value.other_name;\n',
  'plain words of prose ',
  '<tag attr="x">',
  '"quoted\\',
  '\u0000\u001b[31m',
  '👩‍👩‍👧',
] as const

/** Texts from none at all to a hundred kilobytes. */
const texts = (largest: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
      fc.oneof({ weight: 6, arbitrary: fc.nat(30) }, { weight: 2, arbitrary: fc.nat(largest) }),
    )
    .map(([pieces, times]) => {
      const piece = pieces.join('')
      return piece === '' ? '' : Array.from({ length: times }, (_, line) => `${line} ${piece}`).join('\n')
    })

const call: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom('Read', 'Edit', 'Bash', 'Grep', 'apply_patch', 'mcp__odd__tool'),
  file: fc.nat(4),
  result: texts(900),
  isError: fc.boolean(),
  image: fc.boolean().map((is) => is),
})

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('user' as const), text: texts(60), image: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      text: texts(40),
      calls: fc.array(call, { maxLength: 3 }),
      isSplit: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('interrupted' as const), tool: fc.constantFrom('Read', 'Bash') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note' as const), text: texts(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), text: texts(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pin' as const),
      back: fc.nat(6),
      state: fc.constantFrom('pinned' as const, 'dropped' as const, 'automatic' as const),
    }),
  },
)

/** A conversation in the steps in which it came about: what the log took before each request. */
export type Conversation = readonly (readonly NewEntry[])[]
type NewEntry = LogEntry extends infer T ? (T extends unknown ? Omit<T, 'seq'> : never) : never

const TINY_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image: ContentBlock = { type: 'image', mediaType: 'image/png', data: TINY_PNG }

const inputOf = ({ tool, file, result }: Call): Record<string, string> => {
  if (tool === 'Bash') return { command: `cat src/file${file}.ts` }
  if (tool === 'Grep') return { pattern: 'alpha_1', path: 'src' }
  return tool === 'Edit'
    ? { file_path: `src/file${file}.ts`, old_string: result.slice(0, 90), new_string: result.slice(0, 400) }
    : { file_path: `src/file${file}.ts` }
}

/** Writes events down: each inner list is what comes before one more request. */
const written = (events: readonly Event[], gaps: readonly number[]): Conversation => {
  const steps: NewEntry[][] = [
    [{ kind: 'message', at: 0, id: 'm0', role: 'user', content: [{ type: 'text', text: 'Begin.' }] }],
  ]
  const ids: string[] = ['m0']
  let at = 0
  events.forEach((given, index) => {
    at += (gaps[index % Math.max(1, gaps.length)] ?? 1) * 1000
    const id = `m${index + 1}`
    const step: NewEntry[] = []
    const message = (suffix: string, role: Role, content: readonly ContentBlock[], more: object = {}): void => {
      ids.push(`${id}${suffix}`)
      step.push({ kind: 'message', at, id: `${id}${suffix}`, role, content, ...more })
    }
    if (given.kind === 'user')
      message('', 'user', [{ type: 'text', text: given.text }, ...(given.image ? [image] : [])])
    else if (given.kind === 'note') message('', 'user', [{ type: 'text', text: given.text }], { origin: 'meta' })
    else if (given.kind === 'system') message('', 'system', [{ type: 'text', text: given.text }])
    else if (given.kind === 'interrupted')
      message('', 'assistant', [{ type: 'tool_call', id: `${id}c`, name: given.tool, input: { file_path: 'x' } }], {
        responseId: id,
      })
    else if (given.kind === 'pin')
      step.push({ kind: 'pin', at, messageId: ids.at(-1 - given.back) ?? 'm0', state: given.state })
    else {
      const calls = given.calls.map((one, position): ContentBlock => ({
        type: 'tool_call',
        id: `${id}c${position}`,
        name: one.tool,
        input: inputOf(one),
      }))
      const results = given.calls.map((one, position): ContentBlock => ({
        type: 'tool_result',
        callId: `${id}c${position}`,
        content: [{ type: 'text', text: one.result }, ...(one.image && position === 0 ? [image as never] : [])],
        isError: one.isError,
      }))
      // Sources may write a line a block, with the first result between the calls.
      if (given.isSplit && calls.length > 1) {
        message('a', 'assistant', [{ type: 'text', text: given.text }, ...calls.slice(0, 1)], { responseId: id })
        message('t', 'tool', results.slice(0, 1))
        message('b', 'assistant', calls.slice(1), { responseId: id })
        message('u', 'tool', results.slice(1))
      } else {
        message('a', 'assistant', [{ type: 'text', text: given.text }, ...calls], { responseId: id })
        if (results.length > 0) message('t', 'tool', results)
      }
    }
    steps.push(step)
  })
  return steps
}

export const conversations: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.array(event, { minLength: 1, maxLength: 40 }),
    fc.array(fc.constantFrom(1, 20, 400, 4000), { minLength: 1, maxLength: 5 }),
  )
  .map(([events, gaps]) => written(events, gaps))

export const windows: fc.Arbitrary<number> = fc.constantFrom(
  2000,
  4000,
  16_000,
  32_000,
  64_000,
  128_000,
  200_000,
  1_000_000,
)
