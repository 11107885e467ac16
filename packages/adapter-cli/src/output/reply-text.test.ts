import { describe, expect, it } from '@jest/globals'
import { ModelError } from '@cairn/core'
import type { ContentBlock, RequestEvent } from '@cairn/core'
import { createReplyText } from './reply-text.ts'

const text = (piece: string): RequestEvent => ({ type: 'text', text: piece })
const block = (whole: string): RequestEvent => ({ type: 'block', block: { type: 'text', text: whole } })
const retry: RequestEvent = {
  type: 'retry',
  attempt: 2,
  delayMs: 1,
  error: new ModelError('overloaded', 'Busy.'),
}

/** What was written after each event, and in all. */
const written = async (
  events: readonly RequestEvent[],
  content: readonly ContentBlock[],
  { isOutputTerminal = true, isShown = true } = {},
) => {
  const writes: string[] = []
  const write = async (piece: string): Promise<void> => void writes.push(piece)
  const reply = createReplyText({ write, isOutputTerminal }, { isShown })
  for (const event of events) await reply.take(event)
  const before = writes.join('')
  await reply.end(content)
  return { before, all: writes.join('') }
}

const WHOLE: readonly ContentBlock[] = [
  { type: 'thinking', text: 'hm' },
  { type: 'text', text: 'One.' },
  { type: 'text', text: 'Two.\n' },
]

describe('createReplyText', () => {
  it('shows a reply on a terminal as it comes, and ends its last line', async () => {
    expect(await written([text('One'), text('.'), block('One.'), text('Two')], WHOLE)).toEqual({
      before: 'One.\n\nTwo',
      all: 'One.\n\nTwo\n',
    })
    expect((await written([text('Two.\n'), block('Two.\n')], [])).all).toBe('Two.\n')
  })

  it('begins a new line where an attempt broke off', async () => {
    expect((await written([text('On'), retry, text('One.'), block('One.')], [])).all).toBe('On\nOne.\n')
    expect((await written([retry, text('One.')], [])).all).toBe('One.\n')
  })

  it('keeps characters and line breaks whole that come in halves, and obeys no control sequence', async () => {
    const [high, low] = ['\ud83d', '\ude00']
    expect((await written([text(`a${high}`), text(`${low}b\r`), text('\nc\u001b[2J')], [])).all).toBe('a😀b\nc␛[2J\n')
  })

  it('writes a reply into a pipe when it is whole, and nothing of what broke off', async () => {
    const piped = await written([text('On'), retry, text('One.')], WHOLE, { isOutputTerminal: false })
    expect(piped).toEqual({ before: '', all: 'One.\n\nTwo.\n' })
    expect((await written([text('On')], [], { isOutputTerminal: false })).all).toBe('')
    expect((await written([text('On')], WHOLE, { isShown: false })).all).toBe('')
  })
})
