'use client'
/** The checkpoints of a session, and those made in its project while it went on. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { shellWord } from '../../components/shell-word.ts'
import { TableLoading } from '../../components/table-loading.tsx'
import { usePage } from '../../components/use-page.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { counted } from '../usage/figure.ts'
import { CheckpointTable } from './checkpoint-table.tsx'
import { CHECKPOINT_PAGE } from './page-sizes.ts'

interface SessionCheckpointsProps {
  /** Of the session. */
  readonly id: string
  readonly timeZone: string | undefined
}

/** A page of checkpoints, or how one is made. */
export const SessionCheckpoints = ({ id, timeZone }: SessionCheckpointsProps) => {
  const trpc = useTRPC()
  const [wanted, go] = usePage()
  const { data, error, refetch } = useQuery(
    trpc.checkpoints.ofSession.queryOptions({ id, page: wanted }, { placeholderData: keepPreviousData }),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={4} />
  if (data.count === 0)
    return (
      <div role="status" className="px-4 py-6 text-sm text-muted sm:px-5">
        <p>
          No checkpoint was made in this session, or in its project while it went on. One for it, of the files as they
          are now:
        </p>
        <CommandLine command={`cairn checkpoint create --session ${shellWord(id)}`} />
        <p className="mt-3">One at each prompt to an agent and after each of its turns:</p>
        <CommandLine command="cairn config set hooks.checkpoints true" />
      </div>
    )
  return (
    <>
      <p className="px-4 pt-3 text-sm text-muted sm:px-5">
        <span data-total="Checkpoints">{counted(data.count, 'checkpoint')}</span> of this session, or made in its
        project while it went on. This page changes nothing: files are given back on the command line.
      </p>
      <CheckpointTable rows={data.rows} timeZone={timeZone} isMixed={false} />
      <Pager page={data.page} rows={CHECKPOINT_PAGE} count={data.count} go={go} />
    </>
  )
}
