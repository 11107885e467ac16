/** The backup that a restore would take, where all of them are, and what to do where there is none or it is old. */
import type { ReactNode } from 'react'
import { bytesText } from '../../components/bytes-text.ts'
import { CommandLine } from '../../components/command-line.tsx'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { counted } from '../usage/figure.ts'
import type { BackupsView } from './backup-view.ts'

interface BackupsProps {
  /** Null: the store is on PostgreSQL. */
  readonly backups: BackupsView | null
  readonly timeZone: string | undefined
}

/** What is known of the newest backup, and of all of them. */
const Facts = ({
  backups: { latest, folder, count, bytes },
  timeZone,
}: BackupsProps & { readonly backups: BackupsView }) => {
  const facts: readonly { readonly name: string; readonly figure: ReactNode }[] = [
    ...(latest === null
      ? []
      : [
          { name: 'Made', figure: <TimeText at={latest.at} timeZone={timeZone} /> },
          { name: 'Why', figure: latest.why },
          { name: 'Size', figure: bytesText(latest.bytes) },
          { name: 'Verified', figure: latest.verified },
          { name: 'File', figure: <StoreText text={latest.name} /> },
        ]),
    { name: 'Kept', figure: count === 0 ? 'none' : `${counted(count, 'backup')}, ${bytesText(bytes)} together` },
    { name: 'In', figure: <StoreText text={folder} /> },
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5" data-table="backups" data-key="latest">
      {facts.map(({ name, figure }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere] tabular-nums" data-measure={name}>
            {figure}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * Commands to run for a damaged store, a missing or an old backup, and for what going back would lose; nothing else.
 */
const Advice = ({ backups: { latest, isDue, damagedSince } }: { readonly backups: BackupsView }) => (
  <>
    {damagedSince > 0 && (
      <div>
        <p className="text-warning">
          {counted(damagedSince, 'copy', 'copies')} made since then {damagedSince === 1 ? 'is' : 'are'} of a damaged
          store. This puts right what can be:
        </p>
        <CommandLine command="cairn doctor --repair" />
      </div>
    )}
    {latest === null ? (
      <div>
        <p className="text-warning">There is no backup to go back to. This makes one, while the store is in use:</p>
        <CommandLine command="cairn backup" />
      </div>
    ) : (
      isDue && (
        <div>
          <p className="text-warning">It is a day old or more. This makes a new one, while the store is in use:</p>
          <CommandLine command="cairn backup" />
        </div>
      )
    )}
    {latest !== null && (
      <div>
        <p className="text-muted">What going back to it would lose; changes nothing:</p>
        <CommandLine command="cairn restore-backup latest --dry-run" />
      </div>
    )}
  </>
)

/** A panel with the newest backup; with what the server does where the store is on PostgreSQL. */
export const Backups = ({ backups, timeZone }: BackupsProps) => (
  <Panel title="Last backup">
    <div className="grid gap-3 px-4 py-3 text-sm sm:px-5">
      {backups === null ? (
        <p className="text-muted">
          This store is on PostgreSQL, which is backed up with the server’s own tools: pg_dump and pg_restore.
        </p>
      ) : (
        <>
          <Facts backups={backups} timeZone={timeZone} />
          <Advice backups={backups} />
        </>
      )}
    </div>
  </Panel>
)
