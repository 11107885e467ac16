/** Rows of a chat as Gemini CLI 0.61 writes them; a document of older versions has the same messages in a list. */

export const CHAT = '4b76c390-e984-41fb-b7d0-0d51acc2ec4d'
export const SUBAGENT = '9271a5c1-b43f-4d1a-9790-f3c3d5d737d4'
export const FOLDER = '/home/me/harbour'
export const PATH = `.gemini/tmp/harbour/chats/session-2026-01-02T08-00-${CHAT.slice(0, 8)}.jsonl`

/** A time of the chat, by its second. */
export const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 8, 0, second)).toISOString()

export const header = (more: object = {}): object => ({
  sessionId: CHAT,
  projectHash: 'f'.repeat(64),
  startTime: at(0),
  lastUpdated: at(0),
  kind: 'main',
  ...more,
})

export const user = (id: string, second: number, text: string, more: object = {}): object => ({
  id,
  timestamp: at(second),
  type: 'user',
  content: [{ text }],
  ...more,
})

export const TOKENS = { input: 6_001, output: 41, cached: 5_001, thoughts: 10, tool: 0, total: 6_052 }

/** A reply's row, as it is written first. */
export const reply = (id: string, second: number, content: string, more: object = {}): object => ({
  id,
  timestamp: at(second),
  type: 'gemini',
  content,
  thoughts: [],
  tokens: TOKENS,
  model: 'gemini-2.5-pro',
  ...more,
})

export const functionResponse = (id: string, name: string, output: string): object => ({
  functionResponse: { id, name, response: { output } },
})

/** A call with its result, as a reply's second row has it. */
export const toolCall = (
  id: string,
  second: number,
  name: string,
  args: object,
  output: string,
  more: object = {},
): object => ({
  id,
  name,
  args,
  result: [functionResponse(id, name, output)],
  status: 'success',
  timestamp: at(second),
  resultDisplay: '',
  displayName: name,
  ...more,
})

/** The user's turn that hands a result to the model. */
export const handedOver = (id: string, second: number, ...parts: readonly object[]): object => ({
  id,
  timestamp: at(second),
  type: 'user',
  content: parts,
})

/** What stands before every chat. */
export const surroundings = (second: number): object =>
  user(
    'd04923d38bb0f6017037e74183378ef4',
    second,
    `<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n- **Workspace Directories:**\n  - ${FOLDER}\n</session_context>`,
  )

export const listOf = (second: number, ...messages: readonly object[]): object => ({
  $set: { messages, lastUpdated: at(second) },
})

/** A chat with a call, in the order in which its rows are written. */
export const CALLED = 'read_file__call_1'
const CALL = toolCall(CALLED, 4, 'read_file', { file_path: 'a.txt' }, 'alpha\n')
export const rows: readonly object[] = [
  header(),
  listOf(0, surroundings(0)),
  user('u1', 1, 'What does a.txt say?'),
  { $set: { lastUpdated: at(1) } },
  reply('r1', 2, ''),
  { $set: { lastUpdated: at(2) } },
  reply('r1', 2, '', { toolCalls: [CALL] }),
  handedOver('u2', 5, functionResponse(CALLED, 'read_file', 'alpha\n')),
  reply('r2', 6, 'It says alpha.', {
    tokens: { input: 6_020, output: 9, cached: 6_000, thoughts: 0, tool: 0, total: 6_029 },
    thoughts: [{ subject: 'Reading', description: 'The file is short.', timestamp: at(6) }],
  }),
]

/** The whole list, as the agent writes it when it goes on with the chat: later times, no tokens, results told twice. */
export const resumed = (second: number): readonly object[] => [
  header({ startTime: at(second), lastUpdated: at(second) }),
  listOf(second, surroundings(second)),
  { $set: { sessionId: CHAT } },
  listOf(
    second,
    surroundings(second),
    user('u1', second, 'What does a.txt say?'),
    {
      id: 'r1',
      timestamp: at(second),
      type: 'gemini',
      content: [{ functionCall: { id: CALLED, name: 'read_file', args: { file_path: 'a.txt' } } }],
    },
    handedOver('r1_response', second, functionResponse(CALLED, 'read_file', 'alpha\n')),
    handedOver('u2', second, functionResponse(CALLED, 'read_file', 'alpha\n')),
    { id: 'r2', timestamp: at(second), type: 'gemini', content: [{ text: 'It says alpha.' }] },
  ),
]

/** The same chat as older versions wrote it: one document, without what is handed to the model beside the messages. */
export const documentOf = (messages: readonly object[], more: object = {}): string =>
  JSON.stringify(
    { sessionId: CHAT, projectHash: 'f'.repeat(64), startTime: at(0), lastUpdated: at(9), messages, ...more },
    null,
    2,
  )

export const documentMessages: readonly object[] = [
  user('u1', 1, 'What does a.txt say?', { content: 'What does a.txt say?' }),
  ...rows.slice(6, 7),
  ...rows.slice(8),
]

export const linesOf = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
