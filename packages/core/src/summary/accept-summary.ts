/** Checks whether a model's summary may replace messages: it must have content, be new, and shrink the context. */
import { textOfBlock, type ContentBlock, type Message } from '../messages.ts'
import { err, ok, type Result } from '../result.ts'
import { oneLine } from './bounded-text.ts'
import { callArguments, type ConversationMessage } from './conversation.ts'
import { escapeTags } from './markup.ts'
import { SUMMARY_SECTIONS, filledSections, missingSections, type SectionTitle } from './summary-prompt.ts'

/** A model's summary, and the messages that it is to replace. */
export interface SummaryProposal {
  /** The conversation as it is. */
  readonly before: readonly ConversationMessage[]
  /** The conversation as it would be, the summary's message included. */
  readonly after: readonly Message[]
  readonly text: string
}

/** A summary that passed the checks, and what it saves. */
export interface AcceptedSummary {
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Titles that the text lacks: a warning, no refusal. */
  readonly missingSections: readonly string[]
}

/** Why a summary was refused. */
export type RefusalCode = 'summary-empty' | 'summary-without-sections' | 'summary-nothing-new' | 'summary-not-smaller'

/** The refusal, with a sentence for the user. */
export interface SummaryRefusal {
  readonly code: RefusalCode
  /** One sentence for the user. */
  readonly message: string
}

/**
 * Accepts a summary, or says why not: the first check that fails, in the order empty, nothing new, without sections,
 * not smaller. `estimate` gives the tokens of messages. The sections for request and current work, and for files where
 * the conversation is about any, must say something; others may be missing, which is a warning. A text with no section
 * at all is an answer to something else. `before` and `after` stay as they are.
 */
export const acceptSummary = (
  { before, after, text }: SummaryProposal,
  estimate: (messages: readonly Message[]) => number,
): Result<AcceptedSummary, SummaryRefusal> => {
  if (text.trim() === '')
    return refused('summary-empty', 'The model gave an empty summary; the conversation was left as it is.')
  if (!hasNewMessages(before)) return err(NOTHING_NEW)
  if (startsWithSummary(before, text))
    return refused(
      'summary-nothing-new',
      'The summary repeats the one that the conversation starts with; the conversation was left as it is.',
    )
  const missing = missingSections(text)
  if (missing.length === SUMMARY_SECTIONS.length)
    return refused(
      'summary-without-sections',
      'The model answered with something other than a summary; the conversation was left as it is.',
    )
  const filled = filledSections(text)
  const lacking = neededSections(before).filter((title) => !filled.has(title))
  if (lacking.length > 0)
    return refused(
      'summary-without-sections',
      `The summary says nothing under ${lacking.map((title) => `"${title}"`).join(' and ')}, for which the conversation gives cause; the conversation was left as it is.`,
    )
  const [tokensBefore, tokensAfter] = [estimate(before), estimate(after)]
  if (!(tokensAfter < tokensBefore))
    return refused(
      'summary-not-smaller',
      `The summary would not shrink the conversation (${tokensBefore} to ${tokensAfter} tokens); it was left as it is.`,
    )
  return ok({ tokensBefore, tokensAfter, missingSections: missing })
}

/** The refusal when nothing followed the last summary. */
export const NOTHING_NEW: SummaryRefusal = {
  code: 'summary-nothing-new',
  message:
    'Nothing was said since the last summary, so there is nothing to summarise; the conversation was left as it is.',
}

/** Whether anything was said by the user or the agent that is no summary itself: a summary of a summary leads nowhere. */
export const hasNewMessages = (messages: readonly ConversationMessage[]): boolean =>
  messages.some(({ role, origin }) => origin === undefined && role !== 'system')

/**
 * The titles of the sections that must say something: what is wanted, where the work stands, and, if the conversation
 * is about any, which files.
 */
const neededSections = (messages: readonly ConversationMessage[]): readonly SectionTitle[] => [
  'Primary Request and Intent',
  ...(messages.some(({ content }) => content.some(isAboutFile)) ? (['Files and Code Sections'] as const) : []),
  'Current Work',
]

/** What tools call the file that they read or write. */
const FILE_FIELDS = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'target_file',
  'relative_workspace_path',
] as const

const isAboutFile = (block: ContentBlock): boolean =>
  block.type === 'file' ||
  (block.type === 'tool_call' && FILE_FIELDS.some((field) => typeof callArguments(block.input)[field] === 'string'))

const refused = (code: RefusalCode, message: string): Result<never, SummaryRefusal> => err({ code, message })

/**
 * Whether the conversation begins with a summary that has this text already. Differences of white space and of letter
 * case do not count.
 */
const startsWithSummary = (messages: readonly ConversationMessage[], text: string): boolean => {
  const first = messages.find(({ role }) => role !== 'system')
  return (
    first?.origin === 'summary' &&
    sameText(first.content.map(textOfBlock).join('\n')).includes(sameText(escapeTags(text)))
  )
}

/** Two summaries that differ only in white space and letter case are the same. */
const sameText = (text: string): string => oneLine(text).toLowerCase()
