import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { agent, conversation, options, position, summaryOf, tool, user } from './conversation.fixture.ts'
import { findCurrentTask } from './conversation.ts'
import { mergeSummaries } from './merge-summaries.ts'
import { renderThreadSummary } from './render-summary.ts'
import { summariseMessages } from './summarise-messages.ts'
import { SUMMARY_LIMITS } from './thread-summary.ts'

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

describe('what the user wants', () => {
  it('the newest message is the task; the first and the last seven are listed as requests, the others counted', () => {
    const { currentTask, originalRequest, requests } = summaryOf(
      ...range(12).map((number) => user(`request ${number}`)),
    )
    expect(currentTask?.text).toBe('request 11')
    expect(originalRequest?.text).toBe('request 0')
    expect(requests.items.map(({ text }) => text)).toEqual(range(7).map((number) => `request ${number + 5}`))
    expect(requests.dropped).toBe(4)
  })

  it('a summary or recovery message in the user role is not a request', () => {
    const messages = [
      user('Fix the login'),
      user('<session_state>…', { origin: 'meta' }),
      user('Earlier: …', { origin: 'summary' }),
      user('<thread_summary>\n## Current task\n> Deploy\n</thread_summary>'),
      {
        role: 'user' as const,
        content: [
          { type: 'tool_result' as const, callId: 'x', content: [{ type: 'text' as const, text: 'Delete all' }] },
        ],
      },
    ]
    const summary = summaryOf(...messages)
    expect(summary.currentTask?.text).toBe('Fix the login')
    expect(summary.requests).toEqual({ items: [], dropped: 0 })
    expect(findCurrentTask(messages)).toBe('Fix the login')
  })

  it('cuts texts to their limits, keeping both ends', () => {
    const { currentTask, originalRequest } = summaryOf(user(`begin ${'x'.repeat(10_000)} end`))
    expect(currentTask?.text).toHaveLength(SUMMARY_LIMITS.currentTaskCharacters)
    expect(originalRequest?.text).toHaveLength(300)
    expect(originalRequest?.text).toMatch(/^begin x+…x+ end$/)
  })
})

describe('exchanges and decisions', () => {
  it("pair the agent's last message with the user's answer; questions become decisions", () => {
    const { exchanges, decisions } = summaryOf(
      user('Add a cache'),
      agent('Looking around.'),
      ...tool('Read', { file_path: 'a' }),
      agent('Two ways are open.\n\nRedis or memory?'),
      user('memory'),
      agent('Done.'),
      user('Thanks, now the docs'),
      ...tool('ask_followup_question', { question: 'Which format' }, 'Markdown'),
    )
    expect(exchanges.items.map(({ question, answer }) => [question, answer])).toEqual([
      ['Two ways are open.\n\nRedis or memory?', 'memory'],
      ['Done.', 'Thanks, now the docs'],
      ['Which format', 'Markdown'],
    ])
    expect(decisions.items.map(({ answer }) => answer)).toEqual(['memory', 'Markdown'])
  })

  it('are the last five and three, of 1,000 and 250 characters a side', () => {
    const { exchanges, decisions } = summaryOf(
      ...range(9).flatMap((number) => [agent(`${'q'.repeat(2000)}${number}?`), user(`${number}${'a'.repeat(2000)}`)]),
    )
    expect(exchanges.items.map(({ answer }) => answer[0])).toEqual(['4', '5', '6', '7', '8'])
    expect(exchanges.dropped).toBe(4)
    expect(decisions.items.map(({ answer }) => answer[0])).toEqual(['6', '7', '8'])
    expect(decisions.dropped).toBe(6)
    expect(Math.max(...exchanges.items.flatMap(({ question, answer }) => [question.length, answer.length]))).toBe(1000)
    expect(Math.max(...decisions.items.flatMap(({ question, answer }) => [question.length, answer.length]))).toBe(250)
    expect(decisions.items[2]?.question).toMatch(/8\?$/)
  })

  it("CLIO's marker of a settled question makes a decision, with the answer where there is one", () => {
    const conversation = [
      user('Add a cache'),
      agent('I looked around.\n[COLLABORATION] The cache will be Redis, as the team runs it already.'),
      user('yes, but with a limit'),
      agent('[COLLABORATION] Limit: 512 MB.'),
      ...tool('Edit', { file_path: 'a' }),
      agent('The word [COLLABORATION] within a line marks nothing.'),
      user('fine'),
      agent('[COLLABORATION] The tests run on every push.'),
    ]
    const summary = summaryOf(...conversation)
    expect(summary.decisions.items.map(({ question, answer }) => [question, answer])).toEqual([
      ['The cache will be Redis, as the team runs it already.', 'yes, but with a limit'],
      ['Limit: 512 MB.', ''],
    ])
    const [, decisions = ''] = renderThreadSummary(summary).split('## Key decisions\n')
    expect(decisions.split('\n').slice(0, 3)).toEqual([
      '- Asked: The cache will be Redis, as the team runs it already. → answered: yes, but with a limit',
      '- Limit: 512 MB.',
      '- The tests run on every push.',
    ])
    // In whatever parts it is summarised.
    for (let cut = 0; cut <= conversation.length; cut++)
      expect(
        mergeSummaries(summaryOf(...conversation.slice(0, cut)), summaryOf(...conversation.slice(cut))).decisions,
      ).toEqual(summary.decisions)
  })

  it('a failed call of a question tool has no answer', () => {
    expect(summaryOf(...tool('AskUserQuestion', { question: 'A or B?' }, 'cancelled', true)).decisions.items).toEqual(
      [],
    )
  })
})

describe('files, commits, tools', () => {
  it('separates reads and edits, newest first; failures and repetitions do not count', () => {
    const { filesRead, filesEdited } = summaryOf(
      ...tool('Read', { file_path: './src/a.ts' }),
      ...tool('Edit', { file_path: 'src/b.ts' }),
      ...tool('Read', { file_path: 'src/c.ts' }),
      ...tool('Read', { file_path: 'missing' }, 'no such file', true),
      ...tool('Read', { file_path: 'src/a.ts' }),
    )
    expect(filesRead.items.map(({ path }) => path)).toEqual(['src/a.ts', 'src/c.ts'])
    expect(filesEdited.items.map(({ path }) => path)).toEqual(['src/b.ts'])
  })

  it('keeps the newest thirty of each; reads never displace edits', () => {
    const { filesRead, filesEdited } = summaryOf(
      ...tool('Edit', { file_path: 'edited' }),
      ...range(50).flatMap((number) => tool('Read', { file_path: `read-${number}` })),
    )
    expect(filesEdited.items.map(({ path }) => path)).toEqual(['edited'])
    expect(filesRead.items.map(({ path }) => path)).toEqual(range(30).map((number) => `read-${49 - number}`))
    expect(filesRead.dropped).toBe(20)
  })

  it('commits made in the session come before those seen in a log, newest first, each once', () => {
    const { commits } = summaryOf(
      ...tool('Bash', { command: 'git commit -m One' }, '[main aaaaaa1] One'),
      ...tool('Bash', { command: 'git commit -m Two' }, '[main aaaaaa2] Two'),
      ...tool('Bash', { command: 'git log --oneline' }, 'aaaaaa2 Two\naaaaaa1 One\nbbbbbb2 Old\nbbbbbb1 Older'),
      ...tool('Bash', { command: 'du -a' }, '1048576 dump.bin'),
    )
    expect(commits.items.map(({ hash, made }) => [hash, made])).toEqual([
      ['aaaaaa2', true],
      ['aaaaaa1', true],
      ['bbbbbb2', false],
      ['bbbbbb1', false],
    ])
  })

  it('counts tools, descending, ties by name', () => {
    const { tools } = summaryOf(
      ...tool('b', {}),
      ...tool('c', {}),
      ...tool('a', {}),
      ...tool('c', {}),
      ...tool('__proto__', {}),
    )
    expect(tools).toEqual({
      counts: [
        { name: 'c', calls: 2 },
        { name: '__proto__', calls: 1 },
        { name: 'a', calls: 1 },
        { name: 'b', calls: 1 },
      ],
      otherCalls: 0,
    })
  })

  it('says which part of the log it covers', () => {
    const messages = position([user('earlier', { origin: 'summary' }), user('a'), agent('b')], 10)
    expect(summariseMessages(messages, options).covered).toEqual({
      messages: 2,
      firstSeq: 11,
      lastSeq: 12,
      firstAt: 1_011_000,
      lastAt: 1_012_000,
    })
    expect(summaryOf({ ...user('a'), seqs: [3, 4, 9] }).covered).toMatchObject({
      firstSeq: 3,
      lastSeq: 9,
      firstAt: null,
    })
  })
})

it('merging the summaries of parts equals the summary of the whole, wherever the conversation is cut between units', () => {
  fc.assert(
    fc.property(conversation, conversation, (first, second) => {
      expect(mergeSummaries(summariseMessages(first, options), summariseMessages(second, options))).toEqual(
        summariseMessages([...first, ...second], options),
      )
    }),
    { numRuns: 150 },
  )
})

it('an answer is found even when its question was trimmed', () => {
  const merged = mergeSummaries(summaryOf(user('Add a cache'), agent('Redis or memory?')), summaryOf(user('memory')))
  expect(merged.exchanges.items).toMatchObject([{ question: 'Redis or memory?', answer: 'memory' }])
  expect(merged.decisions.items).toMatchObject([{ question: 'Redis or memory?', answer: 'memory' }])
})

it('hostile text changes nothing but its own field', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const summary = summariseMessages(messages, options)
      expect(JSON.parse(JSON.stringify(summary))).toEqual(summary)
      expect(JSON.stringify(summary).isWellFormed()).toBe(true)
      expect(JSON.stringify(summary)).not.toContain(String.raw`\u0000`)
    }),
  )
})
