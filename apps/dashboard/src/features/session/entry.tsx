/** One entry of the conversation: a message, or a marker between messages. */
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useCompactionSizes } from './compaction-sizes.ts'
import { Block } from './block.tsx'
import { EntryLink } from './entry-link.tsx'
import { durationText, isToolMessage, type EntryView, type MarkKind } from '@cairn/core/conversation'

type MessageView = Extract<EntryView, { readonly kind: 'message' }>

const ROLE_NAMES = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const

/**
 * Returns who a message is shown as: "Summary" for a summary, else its author, else "Tool" for results of tools, which
 * nobody wrote, else "Agent program" for what that added, else its role.
 */
const nameOf = (entry: MessageView): string => {
  const { role, author, origin } = entry
  if (origin === 'summary') return 'Summary'
  if (author !== null) return author
  if (isToolMessage(entry)) return 'Tool'
  return origin === 'meta' ? 'Agent program' : ROLE_NAMES[role]
}

const EDGE: Readonly<Record<MessageView['role'], string>> = {
  user: 'border-l-accent',
  assistant: 'border-l-(--class-output)',
  system: 'border-l-line',
  tool: 'border-l-line',
}

/** How long nothing came before a message. */
const Pause = ({ ms }: { readonly ms: number }) => (
  <p data-pause className="flex items-center gap-3 px-3 py-1.5 text-xs text-muted sm:px-5">
    <span aria-hidden="true" className="h-px flex-1 bg-line" />
    {durationText(ms)} later
    <span aria-hidden="true" className="h-px flex-1 bg-line" />
  </p>
)

/** A message: who said it, when, and its blocks. One that follows a pause says so before it. */
const Message = ({
  id,
  entry,
  timeZone,
}: {
  readonly id: string
  readonly entry: MessageView
  readonly timeZone: string | undefined
}) => {
  const name = nameOf(entry)
  const isPlain = entry.role === 'user' && entry.origin !== 'summary'
  return (
    <>
      {entry.pauseMs !== undefined && <Pause ms={entry.pauseMs} />}
      <article
        aria-label={`${name}, entry ${entry.seq}`}
        className={`min-w-0 border-l-2 py-2.5 pr-3 pl-3 sm:pr-5 sm:pl-4 ${name === 'Tool' ? 'border-l-line' : EDGE[entry.role]} ${entry.subagent === null ? '' : 'ml-4 bg-sunken/40 sm:ml-8'}`}
      >
        <div className="mb-1 flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
          <span className="font-semibold text-ink">
            <StoreText text={name} />
          </span>
          {entry.subagent !== null && (
            <span className="rounded border border-line px-1">
              subagent <StoreText text={entry.subagent} />
            </span>
          )}
          {entry.model !== null && <StoreText text={entry.model} />}
          <span className="ml-auto tabular-nums">
            <TimeText at={entry.at} timeZone={timeZone} isExact /> · <EntryLink seq={entry.seq} />
          </span>
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 text-sm leading-relaxed">
          {entry.blocks.length === 0 && <p className="text-xs text-muted">Nothing in it</p>}
          {entry.blocks.map((block, index) => (
            // A message's blocks never change their order.
            <Block key={index} block={block} position={{ id, seq: entry.seq, block: index }} isPlain={isPlain} />
          ))}
        </div>
      </article>
    </>
  )
}

const MARK_COLORS: Readonly<Record<MarkKind, string>> = {
  compaction: 'border-danger font-medium text-danger',
  rewind: 'border-warning text-warning',
  checkpoint: 'border-accent text-accent',
  error: 'border-danger text-danger',
  warning: 'border-warning text-warning',
  info: 'border-line text-muted',
}

/** Draws a message or a marker; hidden entries draw nothing. */
export const Entry = ({
  id,
  entry,
  timeZone,
}: {
  readonly id: string
  readonly entry: EntryView
  readonly timeZone: string | undefined
}) => {
  if (entry.kind === 'hidden') return null
  if (entry.kind === 'message') return <Message id={id} entry={entry} timeZone={timeZone} />
  return <Marker entry={entry} />
}

/** A line between messages: a compaction also tells what it left. */
const Marker = ({ entry }: { readonly entry: Extract<EntryView, { readonly kind: 'marker' }> }) => {
  const sizes = useCompactionSizes(entry.seq)
  return (
    <div
      role="note"
      className={`my-2 flex items-baseline gap-2 border-y border-dashed px-3 py-1.5 text-xs sm:px-5 ${MARK_COLORS[entry.mark]}`}
    >
      <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <StoreText text={sizes === '' ? entry.text : `${entry.text}: ${sizes}`} />
      </span>
      <span className="shrink-0 text-muted tabular-nums">
        <EntryLink seq={entry.seq} />
      </span>
    </div>
  )
}
