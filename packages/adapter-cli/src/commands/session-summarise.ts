/** `cairn session summarise`: a session in few words, made without a model. */
import type { DigestTarget, SessionDigest } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutralise } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { sessionNamed } from './session-named.ts'

export interface SummariseOptions extends CommonOptions {
  readonly target?: DigestTarget
}

const DEFAULT_TARGET: DigestTarget = { tokens: 2000 }

/**
 * Prints the summary and the conversation within the target. `{session, threads, summary, text, conversation: {messages,
 * tokensBefore, target, tokens, parts, text}}` as JSON.
 */
export const runSummarise = async (
  named: string | undefined,
  options: SummariseOptions,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const digest = await engine.sessions.digest(session.id, options.target ?? DEFAULT_TARGET)
  if (options.json === true) return context.json(digestJson(digest))
  for (const line of lines(digest, terminal.width)) {
    if (terminal.outputFailure !== undefined) return
    await terminal.line(line)
  }
}

/** The summary and the conversation, as lines of the terminal. */
function* lines(digest: SessionDigest, width: number): Generator<string> {
  const { summaryText, text, threads, messages, conversationTokens, tokens, targetTokens, parts } = digest
  if (messages === 0) {
    yield 'Nothing was said in this session, so there is nothing to summarise.'
    return
  }
  yield* textLines(summaryText, width)
  yield ''
  yield* wrapLine(`── The conversation in at most ${formatWhole(targetTokens)} tokens, the newest in full ──`, width)
  yield* textLines(text, width)
  yield ''
  const forms = [
    `${counted(parts.whole, 'part')} whole`,
    `${parts.shortened} shortened`,
    `${parts.line} as a line`,
    `${parts.counted} only counted`,
  ]
  yield* wrapLine(
    `Total ${counted(messages, 'message')} of about ${formatWhole(conversationTokens)} tokens in ${counted(threads, 'thread')} → ${formatWhole(tokens)} tokens: ${forms.join(', ')}. No model was asked.`,
    width,
  )
}

/** A text as lines of the terminal. */
const textLines = (text: string, width: number): readonly string[] =>
  neutralise(text)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapLine(line, width))

/** The summary and the conversation for `--json`. */
const digestJson = (digest: SessionDigest): Record<string, unknown> => ({
  session: digest.sessionId,
  threads: digest.threads,
  summary: digest.summary,
  text: digest.summaryText,
  conversation: {
    messages: digest.messages,
    tokensBefore: digest.conversationTokens,
    target: digest.targetTokens,
    tokens: digest.tokens,
    parts: digest.parts,
    text: digest.text,
  },
})
