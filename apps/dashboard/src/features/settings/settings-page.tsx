'use client'
/** What holds and where it comes from, the prices in force, what was replaced, and how long things are kept. To read only. */
import { useQuery } from '@tanstack/react-query'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf, isShutOut } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import { PriceTable } from './price-table.tsx'
import { SettingTable } from './setting-table.tsx'
import type { SettingsReport } from './settings-query.ts'

/** The settings of files; why they can't be shown where they are null. */
const FileSettings = ({ settings, problem }: Pick<SettingsReport, 'settings' | 'problem'>) =>
  settings === null ? (
    <Panel title="Settings in files">
      <div className="px-4 py-3 text-sm text-muted sm:px-5" data-settings-problem>
        <p className="[overflow-wrap:anywhere]">
          They can’t be shown: <StoreText text={problem} />
        </p>
        <CommandLine command="cairn config" />
      </div>
    </Panel>
  ) : (
    <SettingTable
      title="Settings in files"
      aside={`${settings.filter(({ isDefault }) => !isDefault).length} of ${settings.length} are set; the others are as they come`}
      rows={settings}
    />
  )

/** The page counts the whole store, too much for each write; ms. */
const REFRESH_MS = 60_000

/** How many secrets were replaced, and in how many sessions. */
const Redactions = ({ redactions, sessions }: Pick<SettingsReport, 'redactions' | 'sessions'>) => (
  <Panel title="Secrets">
    <div className="px-4 py-3 text-sm sm:px-5">
      <p>
        <span className="text-2xl font-semibold tabular-nums" data-total="Secrets replaced">
          {redactions.toLocaleString('en-US')}
        </span>{' '}
        <span className="text-muted">replaced before anything was stored, in {counted(sessions, 'session')}</span>
      </p>
      <p className="mt-2 text-muted">
        Keys and passwords of known forms are replaced by what kind they are. A session’s page tells how many it had.
      </p>
    </div>
  </Panel>
)

/** How long each kind of thing is kept, and the command that shows or changes it. */
const Kept = ({ kept }: Pick<SettingsReport, 'kept'>) => (
  <Panel title="How long things are kept">
    <dl className="grid gap-3 px-4 py-3 text-sm sm:px-5">
      {kept.map(({ what, howLong, command }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd className="text-muted">{howLong}</dd>
          <dd>
            <CommandLine command={command} />
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
)

/** The page `/settings`; a notice where the store can't be read. */
export const SettingsPage = () => {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(
    trpc.settings.report.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.error !== null && isShutOut(state.error) ? false : REFRESH_MS),
    }),
  )
  return (
    <>
      <PageHead
        title="Settings"
        below={
          <>
            <p className="[overflow-wrap:anywhere]">
              What holds
              {data !== undefined && data.project !== null && (
                <>
                  {' '}
                  in <StoreText text={data.project} />
                </>
              )}
              , as cairn config lists it. This changes a setting:
            </p>
            <CommandLine command="cairn config set timezone Europe/Berlin" />
          </>
        }
      />
      {error !== null ? (
        <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
      ) : data === undefined ? (
        <TableLoading rows={12} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <FileSettings settings={data.settings} problem={data.problem} />
          <SettingTable
            title="Settings in the store"
            aside="for all projects, or for this one; the nearest holds"
            rows={data.stored}
          />
          <PriceTable prices={data.prices} otherModels={data.otherModels} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <Kept kept={data.kept} />
            <Redactions redactions={data.redactions} sessions={data.sessions} />
          </div>
        </div>
      )}
    </>
  )
}
