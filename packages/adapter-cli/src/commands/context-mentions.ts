/** `cairn context mentions`: what the mentions of a text stand for. */
import { CairnError } from '@cairn/core'
import type { ContentBlock } from '@cairn/core'
import type { ExpandedText, SentMention } from '@cairn/core/sources/mentions'
import type { CommonOptions, Context } from '../command.ts'
import { projectOf } from '../options/project-option.ts'
import { givenText } from '../options/standard-input.ts'
import { mentionInput } from '../runtime/mention-input.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** The options of `context mentions`. */
export interface MentionsOptions extends CommonOptions {
  /** What `@session` means, by its id or the beginning of it; default: the newest session of the project. */
  readonly session?: string
  /** Of each mention. */
  readonly maxTokens: number
  /** The content is printed, too. */
  readonly show?: boolean
}

/**
 * Shows what would be sent for the mentions of a text ("-": standard input), and what would not and why, with `--show`
 * the content, too; `{workspace, mentions, refused, tokens, content}` as JSON. Nothing is sent; refused mentions are no
 * failure. Rejects with `usage` for a blank text, `not-found` or `ambiguous` for the project or session.
 */
export const runMentions = async (given: string, options: MentionsOptions, context: Context): Promise<void> => {
  const engine = await context.readEngine(options)
  const text = await givenText(given)
  if (text.trim() === '') throw new CairnError('usage', 'The text is empty; give one with a mention, such as "@src/".')
  const workspace = await projectOf(options, engine, context)
  const { session, maxTokens } = options
  const expanded = await engine.mentions.expand(text, {
    ...mentionInput(workspace),
    maxTokens,
    ...(session === undefined ? {} : { sessionId: (await engine.sessions.find(session)).id }),
  })
  if (options.json === true) return context.json(mentionsJson(workspace, expanded))
  const { terminal } = context
  for (const line of mentionLines(expanded, terminal.width)) await terminal.line(line)
  if (options.show !== true) return
  for (const block of expanded.content) await terminal.line(`\n${neutralise(blockText(block))}`)
}

/**
 * Returns the document of `--json`: what is sent for each mention, what is refused, the tokens of all, and the content,
 * with attachments only by their size. What is not known is null.
 */
const mentionsJson = (workspace: string, { content, sent, refused, tokens }: ExpandedText) => ({
  workspace,
  mentions: sent.map(({ target, leftOut, path, containedIn, notice, ...mention }) => ({
    ...mention,
    kind: target.kind,
    path: path ?? null,
    leftOut: leftOut ?? null,
    containedIn: containedIn ?? null,
    notice: notice ?? null,
  })),
  refused,
  tokens,
  content: content.map((block) =>
    (block.type === 'image' || block.type === 'file') && block.data !== undefined
      ? { ...block, data: `(${bytesText(block.data)})` }
      : block,
  ),
})

/** The size of base64 data: four characters are three bytes. */
const bytesText = (data: string): string => counted(Math.floor((data.length * 3) / 4), 'byte')

/** Returns a block as it is shown; attachments only by type and size, others than text and files as ''. */
const blockText = (block: ContentBlock): string => {
  if (block.type === 'image') return `[${block.mediaType}, ${bytesText(block.data ?? '')}]`
  if (block.type === 'file' && block.text === undefined)
    return `[${block.path}: ${block.mediaType ?? 'a file'}, ${bytesText(block.data ?? '')}]`
  if (block.type === 'file') return `${block.path}\n${block.text ?? ''}`
  return block.type === 'text' ? block.text : ''
}

/** Yields the mentions as lines: a table of those that are sent, notices, and why others are not. */
function* mentionLines({ sent, refused, tokens }: ExpandedText, width: number): Generator<string> {
  if (sent.length > 0) {
    const { head, rows, total } = tableLines({
      columns: [
        { title: 'mention', shorten: 'middle', minimum: 12 },
        { title: 'sent as', shorten: 'middle', minimum: 12 },
        { title: 'tokens', align: 'right' },
        { title: 'left out', shorten: 'end', minimum: 12, dropRank: 1 },
      ],
      rows: sent.map((one, index) => [
        neutraliseLine(one.mention),
        neutraliseLine(one.containedIn === undefined ? one.name : `part of ${one.containedIn}`),
        one.tokens === 0 ? seenAt(one, sent.slice(0, index)) : formatWhole(one.tokens),
        one.leftOut ?? '',
      ]),
      total: ['Total', counted(sent.length, 'mention'), formatWhole(tokens), ''],
      width,
    })
    yield head
    yield* rows
    yield total ?? ''
  }
  for (const { name, notice, tokens: own } of sent)
    if (notice !== undefined && own > 0) yield* wrapLine(neutraliseLine(`${name} ${notice}.`), width)
  for (const { reason } of refused) yield* wrapLine(neutraliseLine(reason), width)
  if (sent.length === 0)
    yield refused.length === 0
      ? 'Total: no mentions; the text is sent alone.'
      : `Total: ${counted(refused.length, 'mention')}, none of them sent.`
}

/** Where the row stands that has the content of a mention without tokens of its own: `see above` or `see below`. */
const seenAt = ({ name, containedIn = name }: SentMention, above: readonly SentMention[]): string =>
  above.some((one) => one.name === containedIn && one.tokens > 0) ? 'see above' : 'see below'
