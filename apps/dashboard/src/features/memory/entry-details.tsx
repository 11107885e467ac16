'use client'
/** An entry opened: where it comes from, what it said before, and what can be done with it. */
import { MEMORY_END_NAMES } from '@cairn/core'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { CommandLine } from '../../components/command-line.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { useMemoryClient } from './use-memory-client.ts'
import { failureOf } from '../../trpc/failure.ts'
import { Action, BUTTON, FIELD, MAIN_BUTTON, Outcome } from './form-parts.tsx'
import { KINDS, kindName, percent, shortId, times } from './words.ts'
import { memoryHref } from './memory-address.ts'
import type { EntryDetails as EntryDetailsAnswer } from './memory-query.ts'
import type { EntryView, LinkedEntry, SourceSession, VersionView } from './memory-view.ts'
import { useChange } from './use-change.ts'
import type { Change } from './use-change.ts'

/** A link to the session that something was learnt in, at the message where that is known. */
export const SourceLink = ({ session: { id, title, seq } }: { readonly session: SourceSession }) => (
  <Link
    href={`/sessions/${encodeURIComponent(id)}${seq === null ? '' : `?at=${seq}`}`}
    prefetch={false}
    className="[overflow-wrap:anywhere] text-accent underline underline-offset-4"
  >
    <StoreText text={title} />
  </Link>
)

/** Characters of another entry's text in the link to it. */
const LINK_SHOWN = 200

/** A link to another entry, by what it says. A long text is cut to `LINK_SHOWN` characters. */
const EntryLink = ({ entry }: { readonly entry: LinkedEntry }) => (
  <Link
    href={memoryHref(entry)}
    prefetch={false}
    className="[overflow-wrap:anywhere] text-accent underline underline-offset-4"
  >
    <StoreText
      text={entry.text.length <= LINK_SHOWN ? entry.text : `${entry.text.slice(0, LINK_SHOWN).toWellFormed()}…`}
    />
  </Link>
)

/** The versions of an entry, given oldest first, shown newest first. */
const Versions = ({
  versions,
  timeZone,
}: {
  readonly versions: readonly VersionView[]
  readonly timeZone: string | undefined
}) => (
  <ol className="grid gap-2" aria-label="History, newest first">
    {versions.toReversed().map((version) => (
      <li key={version.from} data-version="" className="border-l-2 border-l-line pl-3">
        <p className="text-xs text-muted">
          <TimeText at={version.from} timeZone={timeZone} />
          {version.to === null ? (
            ' – now'
          ) : (
            <>
              {' – '}
              <TimeText at={version.to} timeZone={timeZone} />
            </>
          )}
          {version.ended !== null && `, then ${MEMORY_END_NAMES[version.ended]}`}
          {version.replacedBy !== null && ` by ${shortId(version.replacedBy)}`}
          {' · '}
          {kindName(version.kind)} · {percent(version.confidence)} sure
        </p>
        <p className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          <StoreText text={version.text} />
        </p>
      </li>
    ))}
  </ol>
)

interface FormProps {
  readonly entry: EntryView
  readonly change: Change
  readonly close: () => void
}

/** A choice of the kinds of entries. */
const KindField = ({
  kind,
  choose,
}: {
  readonly kind: EntryView['kind']
  readonly choose: (kind: EntryView['kind']) => void
}) => (
  <label className="grid gap-1 text-xs text-muted">
    Kind
    <select
      value={kind}
      onChange={(event) => choose(KINDS.find((known) => known === event.target.value) ?? kind)}
      className={FIELD}
    >
      {KINDS.map((known) => (
        <option key={known} value={known}>
          {kindName(known)}
        </option>
      ))}
    </select>
  </label>
)

/** Text, kind and confidence; only what was changed is sent. Closes when that has worked, or nothing was changed. */
const EditForm = ({ entry, change, close }: FormProps) => {
  const client = useMemoryClient()
  const id = useId()
  const [text, setText] = useState(entry.text)
  const [kind, setKind] = useState(entry.kind)
  const [sure, setSure] = useState(String(Math.round(entry.confidence * 100)))
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isSure = sure === String(Math.round(entry.confidence * 100))
    const changes = {
      ...(text === entry.text ? {} : { text }),
      ...(kind === entry.kind ? {} : { kind }),
      ...(isSure ? {} : { confidence: Number(sure) / 100 }),
    }
    const send = () => client.update.mutate({ id: entry.id, ...changes })
    if (
      Object.keys(changes).length === 0 ||
      (await change.run(send, 'Changed; the former version stays in the history.'))
    )
      close()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-2">
      <label htmlFor={`${id}-text`} className="text-xs text-muted">
        Text
      </label>
      <textarea
        id={`${id}-text`}
        value={text}
        rows={4}
        onChange={(event) => setText(event.target.value)}
        className={FIELD}
        autoFocus
      />
      <div className="flex flex-wrap items-end gap-3">
        <KindField kind={kind} choose={setKind} />
        <label className="grid gap-1 text-xs text-muted">
          How sure, %
          <input
            type="number"
            min={0}
            max={100}
            required
            value={sure}
            onChange={(event) => setSure(event.target.value)}
            className={FIELD}
          />
        </label>
        <Action change={change} type="submit" className={MAIN_BUTTON}>
          Save
        </Action>
        <button type="button" onClick={close} className={BUTTON}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** What is right instead; left empty, the entry only becomes less sure. Closes when that has worked. */
const ContradictForm = ({ entry, change, close }: FormProps) => {
  const client = useMemoryClient()
  const id = useId()
  const [replacement, setReplacement] = useState('')
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isReplaced = replacement.trim() !== ''
    const isDone = await change.run(
      () => client.contradict.mutate({ id: entry.id, ...(isReplaced ? { replacement } : {}) }),
      isReplaced ? 'Replaced; the former entry stays in its history.' : 'Contradicted: it is less sure now.',
    )
    if (isDone) close()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-2">
      <label htmlFor={id} className="text-xs text-muted">
        What is right instead? Without it the entry is half as sure as before, and ends below 10 %.
      </label>
      <textarea
        id={id}
        value={replacement}
        rows={3}
        onChange={(event) => setReplacement(event.target.value)}
        className={FIELD}
        autoFocus
      />
      <div className="flex flex-wrap gap-2">
        <Action change={change} type="submit" className={MAIN_BUTTON}>
          {replacement.trim() === '' ? 'It is wrong' : 'Replace it'}
        </Action>
        <button type="button" onClick={close} className={BUTTON}>
          Cancel
        </button>
      </div>
    </form>
  )
}

type Mode = 'shown' | 'edited' | 'contradicted'

/** Buttons that change the entry, or the form that one of them opened. */
const Actions = ({ entry }: { readonly entry: EntryView }) => {
  const client = useMemoryClient()
  const change = useChange()
  const [mode, setMode] = useState<Mode>('shown')
  const close = (): void => setMode('shown')
  const { id } = entry
  return (
    <div className="grid gap-2">
      {mode === 'edited' && <EditForm entry={entry} change={change} close={close} />}
      {mode === 'contradicted' && <ContradictForm entry={entry} change={change} close={close} />}
      {mode === 'shown' && (
        <div className="flex flex-wrap gap-2">
          <Action change={change} act={() => setMode('edited')}>
            Edit
          </Action>
          <Action
            change={change}
            act={() => void change.run(() => client.confirm.mutate({ id, applied: false }), 'Confirmed.')}
          >
            Still true
          </Action>
          <Action
            change={change}
            act={() =>
              void change.run(() => client.confirm.mutate({ id, applied: true }), 'Confirmed, and counted as applied.')
            }
          >
            It helped
          </Action>
          <Action change={change} act={() => setMode('contradicted')}>
            Wrong…
          </Action>
          <Action
            change={change}
            act={() => void change.run(() => client.forget.mutate({ id }), 'Forgotten; its history stays.')}
          >
            Forget
          </Action>
        </div>
      )}
      <Outcome change={change} />
    </div>
  )
}

interface SeenProps {
  readonly name: string
  readonly count: number
  /** The last time, ms; null where it is not known. */
  readonly at: number | null
  readonly timeZone: string | undefined
}

/** How often something was said of an entry, and when last. "never" for 0. */
const Seen = ({ name, count, at, timeZone }: SeenProps) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd>
      {count === 0 ? 'never' : times(count)}
      {count > 0 && at !== null && (
        <>
          {count === 1 ? ', ' : ', last '}
          <TimeText at={at} timeZone={timeZone} />
        </>
      )}
    </dd>
  </>
)

/** What an entry replaces, and what replaced it; nothing where there is neither. */
const Links = ({ replaces, replacedBy }: Pick<EntryDetailsAnswer, 'replaces' | 'replacedBy'>) => (
  <>
    {replaces.length > 0 && (
      <>
        <dt className="text-muted">Replaces</dt>
        <dd className="grid gap-1" data-replaces="">
          {replaces.map((former) => (
            <EntryLink key={former.id} entry={former} />
          ))}
        </dd>
      </>
    )}
    {replacedBy !== null && (
      <>
        <dt className="text-muted">Replaced by</dt>
        <dd data-replaced-by="">
          <EntryLink entry={replacedBy} />
        </dd>
      </>
    )}
  </>
)

interface EntryDetailsProps {
  readonly id: string
  readonly isWritable: boolean
  readonly timeZone: string | undefined
}

/**
 * What a row does not tell of an entry, also of one that has ended: where it was learnt, how often it was confirmed,
 * applied and contradicted, what it replaces or replaced it, its versions; where it may be changed, what to do with it.
 */
export const EntryDetails = ({ id, isWritable, timeZone }: EntryDetailsProps) => {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.memory.entry.queryOptions({ id }))
  if (error !== null) return <p className="text-sm text-danger">{failureOf(error).text}</p>
  if (data === undefined) return <p className="text-sm text-muted">Loading…</p>
  const { entry, session, versions, replaces, replacedBy } = data
  return (
    <div className="grid gap-4" data-details={id}>
      {entry === null ? (
        <p className="text-sm text-muted">This entry has ended; its history is what is left.</p>
      ) : isWritable ? (
        <Actions entry={entry} />
      ) : (
        <CommandLine command={`cairn memory confirm ${shortId(id)}`} />
      )}
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
        <dt className="text-muted">Learnt in</dt>
        <dd>{session === null ? 'no session that is known' : <SourceLink session={session} />}</dd>
        {entry !== null && (
          <>
            <dt className="text-muted">From</dt>
            <dd>
              <StoreText text={entry.source} />
              {entry.commit !== null && (
                <>
                  , at commit{' '}
                  <code className="font-mono text-xs">
                    <StoreText text={entry.commit.slice(0, 12)} />
                  </code>
                </>
              )}
            </dd>
            <dt className="text-muted">First seen</dt>
            <dd>
              <TimeText at={entry.firstSeenAt} timeZone={timeZone} />
            </dd>
            <Seen name="Confirmed" count={entry.confirmations} at={entry.lastConfirmedAt} timeZone={timeZone} />
            <Seen name="Applied" count={entry.applications} at={null} timeZone={timeZone} />
            <Seen name="Contradicted" count={entry.contradictions} at={entry.contradictedAt} timeZone={timeZone} />
          </>
        )}
        <Links replaces={replaces} replacedBy={replacedBy} />
        <dt className="text-muted">Id</dt>
        <dd className="font-mono text-xs [overflow-wrap:anywhere]">{id}</dd>
      </dl>
      <div>
        <h2 className="mb-1 text-xs font-semibold text-muted">
          History: {versions.length === 1 ? '1 version' : `${versions.length} versions`}
        </h2>
        <Versions versions={versions} timeZone={timeZone} />
      </div>
    </div>
  )
}
