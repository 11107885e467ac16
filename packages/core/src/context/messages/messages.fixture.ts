/** Random conversations in either form, well made or damaged. */
import fc from 'fast-check'
import type { LooseMessage } from './loose.ts'

const IDS = ['a', 'b', 'c', 'd']

const text = fc.constantFrom('hello', 'a longer text', '[conversation]wrapped[/conversation]')

/** A block in Cairn's or Anthropic's form. */
const blockArbitrary = (form: 'cairn' | 'anthropic'): fc.Arbitrary<unknown> =>
  fc.oneof(
    text.map((value) => ({ type: 'text', text: value })),
    fc
      .constantFrom(...IDS)
      .map((id) =>
        form === 'cairn'
          ? { type: 'tool_call', id, name: 'Read', input: { file_path: `${id}.ts` } }
          : { type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } },
      ),
    fc
      .tuple(fc.constantFrom(...IDS), text)
      .map(([id, value]) =>
        form === 'cairn'
          ? { type: 'tool_result', callId: id, content: [{ type: 'text', text: value }] }
          : { type: 'tool_result', tool_use_id: id, content: value },
      ),
  )

/** Messages with known roles, whose calls and results fit by chance only. */
export const looseMessages: fc.Arbitrary<LooseMessage[]> = fc
  .constantFrom<('cairn' | 'anthropic')[]>('cairn', 'anthropic')
  .chain((form) =>
    fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
        content: fc.oneof(text, fc.array(blockArbitrary(form), { maxLength: 4 })),
      }),
      { maxLength: 12 },
    ),
  )

/** Anything that a damaged file may hold where messages should be. */
export const brokenMessages: fc.Arbitrary<LooseMessage[]> = fc.array(
  fc.oneof(
    fc.record({
      role: fc.constantFrom<unknown>('user', 'assistant', 'Human', 'ai', 'tool', 'developer'),
      content: fc.oneof(
        text,
        fc.constantFrom<unknown>(null, undefined, '', '  ', 3, {}),
        fc.array(
          fc.oneof(
            blockArbitrary('cairn'),
            blockArbitrary('anthropic'),
            fc.constantFrom<unknown>(
              null,
              '',
              'plain',
              {},
              { text: 'untyped' },
              { type: 'text' },
              { type: 'text', text: ' ' },
              { type: 'tool_use' },
              { type: 'tool_result', tool_use_id: 'a', content: null },
              { type: 'image', mediaType: 'image/png', data: '' },
              42,
            ),
          ),
          { maxLength: 4 },
        ),
      ),
      text: fc.constantFrom<unknown>(undefined, 'in a text field'),
    }),
    fc.constantFrom<unknown>(null, undefined, 'only a string', 5, [], {}),
  ) as fc.Arbitrary<LooseMessage>,
  { maxLength: 10 },
)

/** A well-made conversation: the user speaks, the assistant answers, often through (parallel) tools. */
export const toolConversation: fc.Arbitrary<LooseMessage[]> = fc
  .record({
    form: fc.constantFrom('cairn', 'anthropic'),
    /** By turn of the user: how many tools each step of the assistant calls at once. */
    turns: fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 }), { minLength: 1, maxLength: 8 }),
    extraRoles: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
    isOneByOne: fc.boolean(),
  })
  .map(({ form, turns, extraRoles, isOneByOne }) => {
    const messages: LooseMessage[] = []
    let calls = 0
    for (const [turn, steps] of turns.entries()) {
      messages.push({ role: 'user', content: `request ${turn}` })
      for (const count of steps) {
        const ids = Array.from({ length: count }, () => `call-${(calls += 1)}`)
        messages.push({
          role: 'assistant',
          content: ids.map((id) => ({
            type: form === 'cairn' ? 'tool_call' : 'tool_use',
            id,
            name: 'Bash',
            input: {},
          })),
        })
        const results = ids.map((id) =>
          form === 'cairn'
            ? { type: 'tool_result', callId: id, content: [{ type: 'text', text: 'done' }] }
            : { type: 'tool_result', tool_use_id: id, content: 'done' },
        )
        if (isOneByOne) messages.push(...results.map((result) => ({ role: 'tool', content: [result] })))
        else messages.push({ role: 'user', content: results })
      }
      messages.push({ role: 'assistant', content: [{ type: 'text', text: `answer ${turn}` }] })
    }
    // Roles that don't alternate: somebody speaks twice.
    for (const position of extraRoles) {
      const at = position % messages.length
      const role = messages[at]?.role
      const isText = role === 'user' || role === 'assistant'
      const before = messages[at]
      if (isText && before !== undefined && !holdsTools(before)) messages.splice(at, 0, { role, content: 'once more' })
    }
    return messages
  })

const holdsTools = ({ content }: LooseMessage): boolean =>
  Array.isArray(content) && content.some((block: { type?: string }) => block.type?.startsWith('tool_') === true)

/** Freezes everything, so that a change of the input throws. */
export const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value) as unknown[]) frozen(part)
  }
  return value
}
