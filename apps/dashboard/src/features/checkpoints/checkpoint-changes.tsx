'use client'
/** What changed from the checkpoint before to this one, or between it and another one of its folder. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CommandLine } from '../../components/command-line.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { timeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import type { ChangesAnswer, ComparedCheckpoint, Comparison } from './changes-query.ts'
import { ChangedFiles } from './changed-files.tsx'

type TimeZone = string | undefined

/** Returns a checkpoint as a line: when, what for, and its short id. */
const checkpointText = ({ at, purpose, shortId }: ComparedCheckpoint, timeZone: TimeZone): string =>
  visibleText(`${timeText(at, timeZone)} · ${purpose} · ${shortId}`)

interface OtherPickerProps {
  readonly others: readonly ComparedCheckpoint[]
  /** Of the one that is compared with; empty where there is none. */
  readonly chosen: string
  readonly choose: (id: string) => void
  readonly timeZone: TimeZone
}

/** A list of the other checkpoints of the folder. */
const OtherPicker = ({ others, chosen, choose, timeZone }: OtherPickerProps) => (
  <label className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 text-xs text-muted">
    Compared with
    <select
      value={chosen}
      onChange={(event) => choose(event.target.value)}
      dir="auto"
      className="w-full max-w-full min-w-0 rounded-md border border-line bg-panel px-2 py-1 text-xs text-ink sm:w-auto"
    >
      {chosen === '' && <option value="">none</option>}
      {others.map((other) => (
        <option key={other.id} value={other.id}>
          {checkpointText(other, timeZone)}
        </option>
      ))}
    </select>
  </label>
)

/** A checkpoint in a sentence. */
const Named = ({ purpose, shortId }: Pick<ComparedCheckpoint, 'purpose' | 'shortId'>) => (
  <>
    “<StoreText text={purpose} />” (<span className="font-mono">{visibleText(shortId)}</span>)
  </>
)

const CHANGE_WORDS = {
  added: 'added',
  modified: 'modified',
  removed: 'removed',
  mode: 'with other permissions',
} as const

/** `1 added, 2 removed`, in the words of the command. */
const countsText = (counts: Comparison['counts']): string =>
  counts.length === 0
    ? 'no file differs'
    : counts.map(([change, files]) => `${files.toLocaleString('en-US')} ${CHANGE_WORDS[change]}`).join(', ')

/**
 * The changes from one checkpoint to the other. A checkpoint of some paths says so; nothing is listed where nothing
 * changed.
 */
const Compared = ({ comparison, id }: { readonly comparison: Comparison; readonly id: string }) => {
  const { from, to, counts, files, filesLeft, leftOut, command } = comparison
  const other = from.id === id ? to.id : from.id
  return (
    <>
      <p className="text-sm">
        From <Named {...from} /> to <Named {...to} />: <span data-total="Changes">{countsText(counts)}</span>.
      </p>
      {[from, to]
        .filter(({ isPartial }) => isPartial)
        .map((one) => (
          <p key={one.id} className="text-xs text-muted">
            <Named {...one} /> looked only at some paths; all other files are as they had been seen before.
          </p>
        ))}
      {files.length > 0 && <ChangedFiles key={other} files={files} of={{ id, other }} />}
      {filesLeft > 0 && (
        <p className="text-xs text-muted">
          {counted(filesLeft, 'more file')} not listed; the command below prints all.
        </p>
      )}
      {leftOut.some((count) => count > 0) && (
        <p className="text-xs text-muted">
          Not compared: what the two left out ({leftOut.map((count) => count.toLocaleString('en-US')).join(' and ')}{' '}
          files or folders).
        </p>
      )}
      <div>
        <span className="text-xs text-muted">These changes on the command line, line by line</span>
        <CommandLine command={command} />
      </div>
    </>
  )
}

interface AnswerProps {
  readonly answer: Extract<ChangesAnswer, { readonly isHere: true }>
  readonly id: string
  /** Undefined: the one before. */
  readonly other: string | undefined
  readonly choose: (other: string) => void
  readonly timeZone: TimeZone
}

/** What can be compared with, and what changed. A sentence for the only or the oldest checkpoint of a folder. */
const Answer = ({ answer: { others, comparison }, id, other, choose, timeZone }: AnswerProps) => {
  if (others.length === 0)
    return <p className="text-xs text-muted">It is the only checkpoint of its folder: there is none to compare with.</p>
  // The one before is the earlier of the two.
  const chosen = other ?? comparison?.from.id ?? ''
  return (
    <>
      <OtherPicker others={others} chosen={chosen} choose={choose} timeZone={timeZone} />
      {comparison === null ? (
        <p className="text-xs text-muted">It is the oldest one of its folder that is kept: there is none before it.</p>
      ) : (
        <Compared comparison={comparison} id={id} />
      )}
    </>
  )
}

interface CheckpointChangesProps {
  readonly id: string
  readonly timeZone: TimeZone
}

/**
 * What changed since the checkpoint before, or between this one and another that is chosen here: the files, and on
 * demand their lines. One sentence where the files of the checkpoint can't be read here.
 */
export const CheckpointChanges = ({ id, timeZone }: CheckpointChangesProps) => {
  const trpc = useTRPC()
  const [other, choose] = useState<string>()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.checkpoints.changes.queryOptions(
      { id, ...(other === undefined ? {} : { other }) },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <section aria-label="What changed" aria-busy={isPlaceholderData} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-xs text-muted">What changed</p>
      {data === undefined ? (
        error === null ? (
          <p role="status" className="text-xs text-muted">
            Comparing…
          </p>
        ) : (
          <button type="button" onClick={() => void refetch()} className="w-fit text-xs text-accent hover:underline">
            {failureOf(error).title}: try again
          </button>
        )
      ) : data.isHere ? (
        <Answer answer={data} id={id} other={other} choose={choose} timeZone={timeZone} />
      ) : (
        <p className="text-xs text-muted">{visibleText(data.why)}</p>
      )}
    </section>
  )
}
