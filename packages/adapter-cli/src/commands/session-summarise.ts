/** `cairn session summarise`: a short version of a session, made without a model or, with `--model`, by one. */
import { CairnError } from '@cairn/core'
import type { DigestTarget, SessionDigest } from '@cairn/core'
import type { Context } from '../command.ts'
import { counted } from '../terminal/format.ts'
import { neutralise } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { sessionNamed } from './session-named.ts'
import type { ModelSummaryOptions } from './session-summarise-model.ts'

/** The options of `session summarise`, with or without a model. */
export interface SummariseOptions extends Partial<ModelSummaryOptions> {
  readonly target?: DigestTarget
}

const DEFAULT_TARGET: DigestTarget = { tokens: 2000 }

/**
 * Prints the summary and the conversation within the target. `{session, threads, summary, text, conversation: {messages,
 * tokensBefore, target, tokens, parts, text}}` as JSON. Nothing is sent, unless `--model` names one to ask: see {@link
 * runModelSummary}.
 */
export const runSummarise = async (
  named: string | undefined,
  options: SummariseOptions,
  context: Context,
): Promise<void> => {
  checkOptions(options)
  const { terminal } = context
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  if (options.model !== undefined) {
    const { runModelSummary } = await import('./session-summarise-model.ts')
    return runModelSummary(session, { ...options, model: options.model }, engine, context)
  }
  const digest = await engine.sessions.digest(session.id, options.target ?? DEFAULT_TARGET)
  if (options.json === true) return context.json(digestJson(digest))
  for (const line of lines(digest, terminal.width)) {
    if (terminal.outputFailure !== undefined) return
    await terminal.line(line)
  }
}

/**
 * Checks the options. `--compact`, `--keep`, `--provider` and `--base-url` need `--model`, `--target` excludes it,
 * `--keep` needs `--compact`.
 * @throws CairnError `usage` for options that belong to the other way of making the summary
 */
const checkOptions = ({ model, target, provider, baseUrl, compact, keep }: SummariseOptions): void => {
  if (model !== undefined && target !== undefined)
    throw new CairnError('usage', '--target is for summaries without a model; leave it or --model out.')
  const [unused] = Object.entries({
    '--compact': compact,
    '--keep': keep,
    '--provider': provider,
    '--base-url': baseUrl,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (model === undefined && unused !== undefined)
    throw new CairnError('usage', `${unused} is for summaries by a model: name it with --model.`)
  if (keep !== undefined && compact !== true)
    throw new CairnError('usage', '--keep says what stays beside the summary: it needs --compact.')
}

/** Yields the summary and the conversation, and what they were made of; one sentence if nothing was said. */
function* lines(digest: SessionDigest, width: number): Generator<string> {
  const { summaryText, text, threads, messages, conversationTokens, tokens, targetTokens, parts } = digest
  if (messages === 0) {
    yield 'Nothing was said in this session, so there is nothing to summarise.'
    return
  }
  yield* textLines(summaryText, width)
  yield ''
  yield* wrapLine(`── The conversation in at most ${counted(targetTokens, 'token')}, the newest in full ──`, width)
  yield* textLines(text, width)
  yield ''
  const forms = [
    `${counted(parts.whole, 'part')} whole`,
    `${parts.shortened} shortened`,
    `${parts.line} as a line`,
    `${parts.counted} only counted`,
  ]
  yield* wrapLine(
    `Total ${counted(messages, 'message')} of about ${counted(conversationTokens, 'token')} in ${counted(threads, 'thread')} → ${counted(tokens, 'token')}: ${forms.join(', ')}. No model was asked.`,
    width,
  )
}

/** Returns a text as lines of the terminal, wrapped. */
const textLines = (text: string, width: number): readonly string[] =>
  neutralise(text)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapLine(line, width))

/** Returns the summary and the conversation for `--json`, with their sizes in tokens. */
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
