/**
 * `cairn context send`: sends one message to a model with a stored session as its context, and records it in the
 * session.
 */
import { CairnError, redact, usdFromNano } from '@cairn/core'
import type {
  CacheAwarePreset,
  ContentBlock,
  Engine,
  LogEntry,
  PolicyName,
  RequestEvent,
  SentRequest,
  SessionSummary,
} from '@cairn/core'
import { textWithoutMentions } from '@cairn/core/sources/mentions'
import type { CommonOptions, Context } from '../command.ts'
import type { OpenedModel } from '../models/open-model.ts'
import { openSessionModel } from '../models/open-session-model.ts'
import { definedValues } from '../options/defined-values.ts'
import { currentProject } from '../options/project-option.ts'
import { givenText } from '../options/standard-input.ts'
import { sendNotice, sentNotices } from '../output/request-notices.ts'
import { createReplyProgress } from '../output/reply-progress.ts'
import { createReplyText } from '../output/reply-text.ts'
import { shellCommand } from '../output/shell-word.ts'
import { cancelOnSignal } from '../runtime/cancel-on-signal.ts'
import { Interrupted } from '../runtime/failure.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { contextSession } from './context-session.ts'
import { isFolderHere, systemPrompt } from './send-system-prompt.ts'
import { sessionText } from './session-named.ts'

/** The options of `context send`. */
export interface SendOptions extends CommonOptions {
  readonly policy: PolicyName
  readonly preset: CacheAwarePreset
  readonly window?: number
  readonly model?: string
  readonly provider?: string
  readonly baseUrl?: string
  /** False after `--no-mentions`. */
  readonly mentions: boolean
  /** False after `--no-rules`. */
  readonly rules: boolean
}

/**
 * Adds the message to the session, unless that ends with it, sends it, and shows the reply as it arrives, or only at
 * the end with `--json`: `{session, messageId, model, text, usage, costUsd, …, rules}` as JSON. `named` is the session,
 * `given` the message (`-`: from standard input). Rejects with `usage` for an empty message, before anything is sent,
 * and with the provider's error.
 */
export const runSend = async (named: string, given: string, options: SendOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const text = await givenText(given)
  if (text.trim() === '') throw new CairnError('usage', 'The message is empty; nothing was sent.')
  const session = await contextSession(named, engine, options, context)
  const entries = await engine.sessions.log(session.id)
  const opened = await openSessionModel({ session, entries }, engine, options, context)
  const { text: system, rules } = await systemPrompt(session, options, engine, context)
  const content = options.mentions ? await withMentions(text, session, engine, context) : undefined
  const sent = await sendUnlessOvertaken({ session, text, content, opened, system }, engine, options, context)
  if (options.json === true) return context.json({ ...sentJson(sent), rules })
  for (const notice of sentNotices(sent)) context.terminal.note(notice)
}

/**
 * Returns the text with what it mentions; undefined if nothing of it is sent. Refused and cut mentions are told on
 * standard error.
 */
const withMentions = async (
  text: string,
  { id, workspace }: SessionSummary,
  engine: Engine,
  context: Context,
): Promise<readonly ContentBlock[] | undefined> => {
  if (!text.includes('@')) return undefined
  const folder = isFolderHere(workspace) ? workspace : await currentProject(context)
  const { mentionInput } = await import('../runtime/mention-input.ts')
  const { content, sent, refused } = await engine.mentions.expand(text, { ...mentionInput(folder), sessionId: id })
  for (const { reason } of refused) context.terminal.note(neutraliseLine(reason))
  for (const { name, leftOut, notice } of sent) {
    if (leftOut !== undefined) context.terminal.note(`${neutraliseLine(name)}: ${leftOut} left out for its length.`)
    if (notice !== undefined) context.terminal.note(`${neutraliseLine(name)} ${notice}.`)
  }
  return content.length > 1 ? content : undefined
}

/** What is sent, and to which model. */
interface Message {
  readonly session: SessionSummary
  readonly text: string
  /** The text with what it mentions, where it mentions something. */
  readonly content: readonly ContentBlock[] | undefined
  readonly opened: OpenedModel
  readonly system: string
}

/** How often another program, such as a watch, may write to the session in between. */
const MOST_TRIES = 5

/**
 * Sends a message, again if another program wrote to the session before anything was sent. Up to `MOST_TRIES` times in
 * all, then rejects with `sequence-conflict`. Any other error rejects at once.
 */
const sendUnlessOvertaken = async (
  message: Message,
  engine: Engine,
  options: SendOptions,
  context: Context,
): Promise<SentRequest> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(message, engine, options, context)
    } catch (error) {
      if (tries === MOST_TRIES || !CairnError.is(error) || error.code !== 'sequence-conflict') throw error
    }
  }
}

/**
 * Sends a message and shows the reply as it arrives; a signal or an output that can't be written cancels it. A message
 * that the session ends with already is not added again. Rejects with `Interrupted` then; other errors say that the
 * message is in the session, if it is.
 */
const send = async (
  { session, text, content, opened, system }: Message,
  engine: Engine,
  options: SendOptions,
  context: Context,
): Promise<SentRequest> => {
  const { terminal } = context
  const entries = await engine.sessions.log(session.id)
  const cancel = cancelOnSignal()
  const reply = createReplyText(terminal, { isShown: options.json !== true })
  const model = neutraliseLine(opened.model)
  const isLive = options.json !== true && terminal.isOutputTerminal
  const progress = createReplyProgress(terminal, { model, isLive, now: () => context.now() })
  const stored = { isDone: false }
  /** Shows an event, and notes once the message is in the session; cancels when the output can't be written. */
  const onEvent = async (event: RequestEvent): Promise<void> => {
    if (event.type === 'stored') stored.isDone = true
    progress.take(event)
    await reply.take(event)
    const notice = sendNotice(event)
    if (notice !== undefined) {
      progress.clear()
      terminal.note(notice)
    }
    if (terminal.outputFailure !== undefined) cancel.now()
  }
  try {
    const sent = await engine.requests.send({
      session: session.id,
      ...(isAskedAlready(entries, text) ? {} : { message: content ?? text }),
      ...opened,
      system,
      policy: options.policy,
      preset: options.preset,
      ...definedValues({ window: options.window }),
      signal: cancel.signal,
      onEvent,
    })
    progress.end()
    await reply.end(sent.content)
    return sent
  } catch (error) {
    progress.end()
    await reply.end([])
    if (cancel.signal.aborted && CairnError.is(error) && error.code === 'cancelled')
      throw new Interrupted(
        `Stopped. Your message and what had come of the reply are in the session; no model is sent that reply. The same command asks again.`,
      )
    if (!stored.isDone || !CairnError.is(error)) throw error
    const { program, id, store } = await sessionText(session, options, engine, context)
    const show = shellCommand(`${program} session show`, id, store)
    throw new CairnError(
      error.code,
      `${error.message} Your message is in the session (${show}); the same command asks again without repeating it.`,
      { cause: error },
    )
  } finally {
    cancel.end()
  }
}

/**
 * Whether the session ends with this user message already: a failed request is then repeated without adding it again.
 * `text` is as typed: its secrets are replaced before it is compared, and what mentions added to the stored message is
 * ignored. A reply that broke off after the message is passed over; after a rewind or any other message it is false.
 */
const isAskedAlready = (entries: readonly LogEntry[], text: string): boolean => {
  const left = new Set(entries.flatMap((entry) => (entry.kind === 'truncation' ? [entry.fromSeq] : [])))
  const last = entries.findLast(
    (entry) =>
      entry.kind === 'rewind' || (entry.kind === 'message' && !(entry.role === 'assistant' && left.has(entry.seq))),
  )
  return last?.kind === 'message' && last.role === 'user' && textWithoutMentions(last.content) === redact(text).text
}

/**
 * Returns what was sent and answered, for `--json`; null for what is not known. `text` are all texts of the reply,
 * `leftOut` counts blocks.
 */
const sentJson = (sent: SentRequest): Record<string, unknown> => {
  const { sessionId, content, costNano, toolCalls, decisions, latency, ...rest } = sent
  return {
    session: sessionId,
    ...rest,
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n'),
    costUsd: costNano === null ? null : usdFromNano(costNano),
    latency: latency ?? null,
    leftOut: decisions.reduce((sum, { removals }) => sum + removals.length, 0),
  }
}
