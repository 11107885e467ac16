import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createModelHistory } from '../../../session/model-history.ts'
import type { LogEntry } from '../../../session-log.ts'
import type { ContentBlock, Message, Role } from '../../../messages.ts'
import { blocksOf, viewOf, type LooseMessage } from '../../messages/loose.ts'
import { brokenMessages, frozen } from '../../messages/messages.fixture.ts'
import { deduplicateFileReads, findDuplicateReads, totalCharactersOf } from './deduplicate.ts'

const body = (name: string): string => `${name}: ${'content of the file '.repeat(20)}`
let ids = 0
/** A call and its result, in Anthropic's form. */
const call = (name: string, input: object, content: string, isError?: boolean): LooseMessage[] => {
  const id = `call-${(ids += 1)}`
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError === true ? { is_error: true } : {}) }],
    },
  ]
}
const read = (path: string, content: string, more: object = {}): LooseMessage[] =>
  call('read_file', { path, ...more }, content)
const say = (text: string): LooseMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const mention = (path: string, content: string): string => `<file_content path="${path}">${content}</file_content>`
/** What is left, as one text. */
const seen = (messages: readonly LooseMessage[]): string => JSON.stringify(messages)
const viewText = (message: LooseMessage | undefined): string => {
  const view = viewOf(blocksOf(message ?? say(''))[0])
  return view.kind === 'text' ? view.text : ''
}
const run = (...messages: (LooseMessage | LooseMessage[])[]) => deduplicateFileReads(frozen(messages.flat()))

describe('deduplicateFileReads', () => {
  it('keeps the newest read; older ones become notices that point to it', () => {
    const { messages, replaced, savedCharacters } = run(
      say('go'),
      read('a.ts', body('v1')),
      read('b.ts', body('b')),
      read('a.ts', body('v2')),
    )
    expect(seen(messages)).not.toContain('v1:')
    expect(seen(messages)).toContain(body('v2'))
    expect(seen(messages)).toContain(body('b'))
    expect(seen([messages[2] ?? say('')])).toMatch(/'a\.ts'.*latest read/)
    expect(replaced).toEqual([
      { message: 2, block: 0, path: 'a.ts', kind: 'tool-result', by: { message: 6, block: 0 }, savedCharacters },
    ])
    expect(savedCharacters).toBeGreaterThan(200)
  })

  it("works on Cairn's format, and returns texts for edits of the log", () => {
    const cairnCall = (id: string): Message => ({
      role: 'assistant',
      content: [{ type: 'tool_call', id, name: 'Read', input: { file_path: '/w/a.ts' } }],
    })
    const cairnResult = (callId: string): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', callId, content: [{ type: 'text', text: body(callId) }] }],
    })
    const messages = frozen([cairnCall('1'), cairnResult('1'), cairnCall('2'), cairnResult('2')])
    const { messages: after } = deduplicateFileReads(messages)
    const [position] = findDuplicateReads(messages).replacements
    expect(after[0]).toBe(messages[0])
    expect(after[3]).toBe(messages[3])

    const history = createModelHistory()
    messages.forEach((message, seq) =>
      history.step({ kind: 'message', seq, at: seq, id: `m${seq}`, role: message.role, content: message.content }),
    )
    history.step({
      kind: 'edit',
      seq: 4,
      at: 4,
      messageId: `m${position?.message}`,
      block: position?.block ?? -1,
      reason: 'duplicate',
      text: position?.text ?? '',
    } satisfies LogEntry)
    const view = history
      .messages()
      .map(({ role, content }): { role: Role; content: readonly ContentBlock[] } => ({ role, content }))
    expect(view).toEqual(after)
  })

  describe('paths and results', () => {
    it('resolves ./a, a//b, a/./b, a/../a and backslashes', () => {
      const paths = ['src/a.ts', './src/a.ts', 'src//a.ts', 'src/./a.ts', 'src/x/../a.ts', 'src\\a.ts']
      const { replaced } = run(...paths.map((path, index) => read(path, body(`v${index}`))))
      expect(replaced.map(({ path }) => path)).toEqual(paths.slice(0, -1))
      expect(new Set(replaced.map(({ by }) => by.message))).toEqual(new Set([11]))
    })

    it('matches a relative with an absolute path only when the folder is known', () => {
      const messages = [read('a.ts', body('v1')), read('/work/a.ts', body('v2'))].flat()
      expect(deduplicateFileReads(messages).replaced).toHaveLength(0)
      expect(deduplicateFileReads(messages, { cwd: '/work/' }).replaced).toHaveLength(1)
    })

    it('sees parallel results, each in its own block', () => {
      const use = (id: string, path: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: path } })
      const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
      const { replaced, messages } = run(
        { role: 'assistant', content: [use('1', 'a'), use('2', 'b'), use('3', 'a')] },
        { role: 'user', content: [result('1', body('a1')), result('2', body('b1')), result('3', body('a2'))] },
        read('b', body('b2')),
      )
      expect(replaced.map(({ message, block, by }) => [message, block, by.message, by.block])).toEqual([
        [1, 0, 1, 2],
        [1, 1, 3, 0],
      ])
      expect(seen(messages)).toContain(body('a2'))
    })

    it('a later failed read evicts nothing, whether flagged or described in text', () => {
      for (const failure of [
        call('read_file', { path: 'a' }, 'gone', true),
        read('a', 'Error: ENOENT: no such file'),
        read('a', 'The tool execution failed with the following error: x'),
        read('a', ''),
        read('a', 'result missing'),
        read('a', 'File unchanged since last read. Refer to the earlier result.'),
        [say("[read_file for 'a'] Result:\nError reading file")],
        [say(mention('a', 'Error fetching content: no such file'))],
      ]) {
        expect(run(read('a', body('good')), failure).replaced).toEqual([])
      }
    })

    it('handles quotes and symbols in paths', () => {
      for (const path of ["it's.ts", 'a"b.ts', 'a(b)[c]*+?.ts', 'a b.ts', 'ü/ß.ts', '$&.ts']) {
        const { replaced, messages } = run(
          say(mention(path, body('v1'))),
          say(`[read_file for '${path}'] Result:\n${body('v2')}`),
          read(path, body('v3')),
        )
        expect(replaced.map((item) => [item.path, item.kind])).toEqual([
          [path, 'mention'],
          [path, 'text-result'],
        ])
        expect(blocksOf(messages[0] ?? say('')).map(viewOf)[0]).toMatchObject({
          text: expect.stringContaining(`<file_content path="${path}">[Earlier content of '${path}'`),
        })
      }
    })

    it('edits the block that holds the content', () => {
      const header = "[read_file for 'a'] Result:"
      const blocks = (content: string) => ({
        role: 'user',
        content: [
          { type: 'text', text: 'env' },
          { type: 'text', text: header },
          { type: 'text', text: content },
        ],
      })
      const { messages, replaced } = run(blocks(body('v1')), blocks(body('v2')))
      expect(replaced).toMatchObject([{ message: 0, block: 2, by: { message: 1, block: 2 } }])
      expect(blocksOf(messages[0] ?? say('')).slice(0, 2)).toEqual(blocks('').content.slice(0, 2))
    })
  })

  it('keeps the tags of mentions and final contents and the text around them, with several files in a block', () => {
    const text = `See ${mention('a', body('a1'))} and ${mention('b', body('b1'))} and ${mention('a', body('a2'))}!`
    const { messages, replaced } = run(
      say(text),
      say(`saved\n<final_file_content path="b">\n${body('b2')}\n</final_file_content>\nbye`),
      say(`saved\n<final_file_content path="b">\n${body('b3')}\n</final_file_content>\nbye`),
    )
    expect(replaced.map(({ path, kind, message, by }) => [path, kind, message, by.message])).toEqual([
      ['a', 'mention', 0, 0],
      ['b', 'mention', 0, 2],
      ['b', 'final-content', 1, 2],
    ])
    const left = seen(messages)
    for (const gone of ['a1:', 'b1:', 'b2:']) expect(left).not.toContain(gone)
    for (const here of [body('a2'), body('b3'), 'See <file_content path=', '</file_content>!']) {
      expect(left).toContain(JSON.stringify(here).slice(1, -1))
    }
    expect(left).toMatch(/<final_file_content path=\\"b\\">\[Earlier.*?\]<\/final_file_content>\\nbye/)
  })

  it('reads the content behind a header on its own line and on the next', () => {
    const header = "[read_file for 'a'] Result:"
    const { messages, replaced } = run(
      say(`${header} ${body('v1')}`),
      say(`${header}\n${body('v2')}`),
      say(`${header}\n${body('v3')}`),
    )
    expect(replaced.map(({ message, kind }) => [message, kind])).toEqual([
      [0, 'text-result'],
      [1, 'text-result'],
    ])
    expect(viewText(messages[1])).toMatch(/Result:\n\[Earlier content of 'a' removed/)
  })

  it('works on string contents and attachments', () => {
    const { messages, replaced } = run(
      { role: 'user', content: mention('a', body('v1')) },
      { role: 'user', content: [{ type: 'file', path: 'a', text: body('v2') }] },
      { role: 'user', content: mention('a', body('v3')) },
    )
    expect(replaced.map(({ kind }) => kind)).toEqual(['mention', 'attachment'])
    expect(typeof messages[0]?.content).toBe('string')
    expect(blocksOf(messages[1] ?? say(''))[0]).toMatchObject({ type: 'file', path: 'a' })
  })

  it('a part is replaced by the same part or the whole file, the whole never by a part', () => {
    const part = { offset: 1, limit: 50 }
    expect(run(read('a', body('whole')), read('a', body('part'), part)).replaced).toEqual([])
    expect(run(read('a', body('part'), part), read('a', body('other'), { offset: 51 })).replaced).toEqual([])
    expect(run(read('a', body('part'), part), read('a', body('again'), part)).replaced).toHaveLength(1)
    expect(run(read('a', body('part'), part), read('a', body('whole'))).replaced).toHaveLength(1)
    const lines = (offset: number, limit: number) => read('a', body(`${offset}+${limit}`), { offset, limit })
    expect(run(lines(10, 20), lines(1, 100)).replaced).toMatchObject([{ message: 1, by: { message: 3 } }])
    expect(run(lines(1, 100), lines(10, 20)).replaced).toEqual([])
    expect(run(lines(10, 20), lines(11, 100)).replaced).toEqual([])
    expect(run(lines(10, 20), read('a', body('open'), { offset: 1 })).replaced).toEqual([])
    expect(run(read('a', body('open'), { offset: 1 }), lines(1, 100)).replaced).toEqual([])
    const shell = (command: string, text: string) => call('Bash', { command }, text)
    expect(run(read('a', body('whole')), shell('head a', body('ten'))).replaced).toEqual([])
    expect(run(read('a', body('whole')), shell('cat a | wc -l', '3')).replaced).toEqual([])
    expect(run(shell('cat a && npm test', body('and a test')), read('a', body('whole'))).replaced).toEqual([])
    expect(
      run(shell("sed -n '5,9p' a", body('five')), shell("sed -n '1,80p' a", body('eighty'))).replaced,
    ).toHaveLength(1)
    expect(run(shell('cat a', body('v1')), read('a', body('v2'))).replaced).toHaveLength(1)
  })

  it('a result with several files is removed once all of them were read again', () => {
    const both = call('Bash', { command: 'cat a b' }, body('both'))
    expect(run(both, read('a', body('a'))).replaced).toEqual([])
    expect(run(both, read('a', body('a')), read('b', body('b'))).replaced).toMatchObject([
      { path: 'a', by: { message: 3 } },
      { path: 'b', by: { message: 5 }, savedCharacters: 0 },
    ])
  })

  it('a successful call that writes the whole file counts as its newest content', () => {
    const write = (isError?: boolean) => call('Write', { file_path: 'a', content: body('new') }, 'written', isError)
    expect(run(read('a', body('old')), write()).replaced).toMatchObject([{ message: 1, by: { message: 2, block: 0 } }])
    expect(run(read('a', body('old')), write(true)).replaced).toEqual([])
    const edit = call('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, 'done')
    expect(run(read('a', body('old')), edit).replaced).toEqual([])
    // What the call wrote stays in the call.
    expect(run(write(), read('a', body('new'))).replaced).toEqual([])
  })

  it("markup inside a file's content is treated as content", () => {
    const source = `${body('docs')} ${mention('b', 'an example')} [read_file for 'b'] Result:`
    expect(run(read('b', body('b')), read('docs.md', source)).replaced).toEqual([])
    expect(run(say(mention('b', body('b'))), say(mention('docs.md', source))).replaced).toEqual([])
    expect(run(read('b', body('b')), { role: 'assistant', content: mention('b', 'as I said') }).replaced).toEqual([])
  })

  it('leaves protected blocks, and on request those that would save too little', () => {
    const messages = [read('a', body('v1')), read('a', body('v2')), read('b', 'tiny'), read('b', 'tiny')].flat()
    expect(deduplicateFileReads(messages).replaced).toHaveLength(2)
    expect(deduplicateFileReads(messages, { minimumSaved: 1 }).replaced).toHaveLength(1)
    expect(
      deduplicateFileReads(messages, { minimumSaved: 1, isProtected: ({ message }) => message === 1 }).replaced,
    ).toEqual([])
    expect(
      deduplicateFileReads(messages, { isNotice: (text) => text === body('v2') }).replaced.map(({ path }) => path),
    ).toEqual(['b'])
  })

  it('the share counts all text, tool results included', () => {
    const result = run(say('x'.repeat(100)), read('a', 'y'.repeat(1000)), read('a', 'z'.repeat(900)))
    expect(result.totalCharacters).toBe(100 + 2 * ('read_file'.length + 'a'.length) + 1000 + 900)
    expect(result.savedShare).toBeCloseTo(result.savedCharacters / result.totalCharacters)
    expect(result.savedShare).toBeGreaterThan(0.3)
    expect(deduplicateFileReads([]).savedShare).toBe(0)
  })

  it('no notice points to a notice, however often the file is read and the output deduplicated again', () => {
    let messages: readonly LooseMessage[] = []
    for (let round = 0; round < 5; round += 1) {
      const { messages: next, replaced } = deduplicateFileReads([
        ...messages,
        ...read('a', body(`v${round}`)),
        say(mention('a', body(`m${round}`))),
      ])
      for (const { by } of replaced) expect(seen([next[by.message] ?? say('')])).not.toContain('Earlier content')
      messages = next
    }
    expect(seen(messages)).toContain('m4:')
  })

  it('works in one pass: twice the messages, twice the characters read', () => {
    const looked = (count: number): number => {
      let reads = 0
      const messages = Array.from({ length: count }, (_, index) => read(`f${index % 7}`, body('x'))).flat()
      const counted = messages.map(
        (message) => new Proxy(message, { get: (target, key) => ((reads += 1), Reflect.get(target, key) as unknown) }),
      )
      deduplicateFileReads(counted)
      return reads
    }
    expect(looked(800) / looked(400)).toBeLessThan(2.1)
  })

  it('refuses anything but a list of messages', () => {
    expect(() => deduplicateFileReads('x' as unknown as [])).toThrow('deduplicateFileReads needs an array of messages.')
    expect(() => deduplicateFileReads([{}] as unknown as [])).toThrow('message 0 has none')
  })

  describe('properties', () => {
    const path = fc.constantFrom('a', './a', 'b', 'dir/c', "it's")
    const content = fc.constantFrom(body('one'), body('two'), 'tiny', '', 'Error: no such file')
    const piece = fc.oneof(
      fc
        .tuple(path, content, fc.constantFrom<object>({}, {}, { offset: 1 }, { offset: 9 }))
        .map(([p, c, more]) => read(p, c, more)),
      fc
        .array(fc.tuple(path, content), { maxLength: 3 })
        .map((files) => [say(files.map(([p, c]) => mention(p, c)).join(' and '))]),
      fc.tuple(path, content).map(([p, c]) => [say(`[read_file for '${p}'] Result:\n${c}`)]),
      fc.tuple(path, content).map(([p, c]) => [say(`<final_file_content path="${p}">${c}</final_file_content>`)]),
      fc
        .tuple(path, content, fc.boolean())
        .map(([p, c, bad]) => call('Write', { file_path: p, content: c }, 'ok', bad)),
      fc.tuple(path, path, content).map(([p, q, c]) => call('Bash', { command: `cat ${p} ${q}` }, c)),
    )
    const conversations = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.flat())

    it('idempotent; the numbers are right; what a notice points to stays', () => {
      fc.assert(
        fc.property(conversations, (messages) => {
          frozen(messages)
          const { messages: after, replaced, savedCharacters, totalCharacters } = deduplicateFileReads(messages)
          expect(totalCharactersOf(after)).toBe(totalCharacters - savedCharacters)
          const again = deduplicateFileReads(after)
          expect(again.replaced).toEqual([])
          again.messages.forEach((message, index) => expect(message).toBe(after[index]))
          for (const { by } of replaced) {
            const whole = after[by.message] === messages[by.message]
            const inSameBlock = replaced.some((item) => item.message === by.message)
            expect(whole || inSameBlock).toBe(true)
          }
        }),
        { numRuns: 500 },
      )
    })

    it('any damaged list of objects is handled without an exception', () => {
      fc.assert(
        fc.property(brokenMessages, (messages) => {
          const usable = messages.filter((message) => typeof (message as { role?: unknown } | null)?.role === 'string')
          expect(deduplicateFileReads(frozen(usable)).messages).toHaveLength(usable.length)
        }),
      )
    })
  })
})
