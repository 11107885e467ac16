/** Small transcripts in Claude Code's form, for tests. */

export interface Turn {
  readonly session: string
  readonly id: string
  readonly at: string
  readonly text: string
  readonly role?: 'user' | 'assistant'
  readonly model?: string
  readonly cwd?: string
  /** Input, cache read, cache write (5 minutes), output. */
  readonly tokens?: readonly [number, number, number, number]
}

/** A line of a transcript of Claude Code, without its end; only an assistant's has usage. */
export const claudeLine = ({
  session,
  id,
  at,
  text,
  role = 'assistant',
  model = 'claude-sonnet-4-5-20250929',
  cwd = '/code/app',
  tokens = [10, 100, 20, 50],
}: Turn): string => {
  const [input, read, write, output] = tokens
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
    output_tokens: output,
  }
  const message =
    role === 'user'
      ? { role, content: text }
      : { id: `msg-${id}`, role, model, content: [{ type: 'text', text }], usage }
  return JSON.stringify({
    type: role,
    uuid: id,
    sessionId: session,
    timestamp: at,
    cwd,
    gitBranch: 'main',
    message,
    ...(role === 'assistant' ? { requestId: `req-${id}` } : {}),
  })
}

/** A question and its answer as the lines of a transcript of Claude Code; only the answer is a request. */
export const claudeSession = (
  session: string,
  day = '2026-01-31',
  answer = 'The flaky login test waits for a clock.',
): string =>
  [
    claudeLine({
      session,
      id: `${session}-1`,
      at: `${day}T08:00:00.000Z`,
      role: 'user',
      text: 'Why is the login test flaky?',
    }),
    claudeLine({ session, id: `${session}-2`, at: `${day}T08:00:05.000Z`, text: answer }),
  ]
    .map((line) => `${line}\n`)
    .join('')
