'use client'
/** A few lines about the user, for all projects. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Notice } from '../../components/notice.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { Action, FIELD, MAIN_BUTTON, Outcome } from './form-parts.tsx'
import type { PartProps } from './parts.ts'
import { useChange } from './use-change.ts'
import type { Change } from './use-change.ts'
import { useMemoryClient } from './use-memory-client.ts'

/** Writes a line, a new one or in place of the one with the same name; emptied when that has worked. */
const LineForm = ({ change }: { readonly change: Change }) => {
  const client = useMemoryClient()
  const [key, setKey] = useState('')
  const [text, setText] = useState('')
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isDone = await change.run(() => client.setProfile.mutate({ key, text }), 'Written.')
    if (!isDone) return
    setKey('')
    setText('')
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-wrap items-end gap-2">
      <label className="grid w-full gap-1 text-xs text-muted sm:w-40">
        Name
        <input required value={key} onChange={(event) => setKey(event.target.value)} className={FIELD} />
      </label>
      <label className="grid min-w-0 flex-1 gap-1 text-xs text-muted">
        What sessions are told
        <input required value={text} onChange={(event) => setText(event.target.value)} className={FIELD} />
      </label>
      <Action change={change} type="submit" className={MAIN_BUTTON}>
        Save
      </Action>
    </form>
  )
}

interface LineProps {
  readonly name: string
  readonly text: string
  readonly updatedAt: number
  readonly timeZone: string | undefined
  readonly change: Change
  /** Undefined where nothing can be changed. */
  readonly remove: (() => void) | undefined
}

/** A line of the profile; without `remove` it can't be removed. */
const Line = ({ name, text, updatedAt, timeZone, change, remove }: LineProps) => (
  <li data-line={name} className="flex items-start gap-3 border-t border-line px-4 py-3 sm:px-5">
    <div className="min-w-0 flex-1">
      <p className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">
          <StoreText text={name} />
        </span>{' '}
        <StoreText text={text} />
      </p>
      <p className="text-xs text-muted">
        <TimeText at={updatedAt} timeZone={timeZone} />
      </p>
    </div>
    {remove !== undefined && (
      <Action change={change} label={`Remove ${visibleText(name)}`} act={remove}>
        Remove
      </Action>
    )}
  </li>
)

/**
 * The user's profile, as `cairn profile show` tells it, with a form where it may be changed. Shows an error, or that it
 * loads.
 */
export const ProfilePanel = ({ isWritable, timeZone }: PartProps) => {
  const trpc = useTRPC()
  const client = useMemoryClient()
  const change = useChange()
  const { data, error, refetch } = useQuery(trpc.memory.profile.queryOptions())
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={4} />
  const { enabled, items } = data
  return (
    <div className="rounded-xl border border-line bg-panel">
      <div className="grid gap-3 px-4 py-3 sm:px-5">
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm text-muted" data-total="profile">
            {items.length === 1 ? '1 line' : `${items.length} lines`};{' '}
            {enabled ? 'on: every session is told' : 'off: given to no session'}
          </p>
          {isWritable && (
            <Action
              change={change}
              act={() =>
                void change.run(
                  () => client.enableProfile.mutate({ isEnabled: !enabled }),
                  enabled ? 'Switched off; its lines stay.' : 'Switched on.',
                )
              }
            >
              {enabled ? 'Switch off' : 'Switch on'}
            </Action>
          )}
        </div>
        {isWritable && <LineForm change={change} />}
        <Outcome change={change} />
      </div>
      {items.length > 0 && (
        <ul aria-label="Profile">
          {items.map(({ key, text, updatedAt }) => (
            <Line
              key={key}
              name={key}
              text={text}
              updatedAt={updatedAt}
              timeZone={timeZone}
              remove={
                isWritable
                  ? () => void change.run(() => client.setProfile.mutate({ key, text: '' }), 'Removed.')
                  : undefined
              }
              change={change}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
