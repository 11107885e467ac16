'use client'
/** What moved the cost since the time before: the projects, models and sessions with the largest changes. */
import Link from 'next/link'
import { Panel } from '../../components/panel.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { writeSelection } from '../selection/selection.ts'
import type { Selection } from '../selection/selection.ts'
import { sessionHrefWithin } from '../sessions/list-address.ts'
import type { ChangeView, MoverView, MoversView } from './change-view.ts'

/**
 * The address of a mover: a session's page, or the overview with the filter for its project or model. Undefined for
 * requests of an unknown session, which have no page.
 */
const hrefOf = (dimension: MoversView['dimension'], key: string, selection: Selection): string | undefined => {
  if (dimension === 'session') return key === 'unknown' ? undefined : sessionHrefWithin(key, selection)
  const filter = { ...selection.filter, [dimension === 'workspace' ? 'project' : 'model']: key }
  return `/${writeSelection({ ...selection, filter })}`
}

/**
 * The bar below a change, without text for screen readers. `share` is 0 to 1 of the largest change in the list: 1 fills
 * the width, and 0 still shows a sliver. A rise is in the warning colour, anything else in the accent colour.
 */
const Bar = ({ isUp, share }: Pick<MoverView, 'isUp' | 'share'>) => (
  <svg aria-hidden="true" className="mt-1 h-1 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
    <rect width="100" height="1" fill="var(--sunken)" />
    <rect width={Math.max(share * 100, 0.5)} height="1" fill={isUp ? 'var(--warning)' : 'var(--accent)'} />
  </svg>
)

/** A change with its bar and its amounts before and after; the label is a link unless `href` is undefined. */
const MoverItem = ({ mover, href }: { readonly mover: MoverView; readonly href: string | undefined }) => (
  <li data-mover={mover.key} data-key={mover.key}>
    <p className="flex items-baseline justify-between gap-3 text-sm">
      <span className="min-w-0 truncate" title={visibleText(mover.detail ?? mover.label)}>
        {href === undefined ? (
          <bdi>{visibleText(mover.label)}</bdi>
        ) : (
          <Link href={href} prefetch={false} className="underline-offset-4 hover:underline">
            <bdi>{visibleText(mover.label)}</bdi>
          </Link>
        )}
      </span>
      <span className="shrink-0 font-medium tabular-nums" data-moved data-measure="change">
        {mover.change}
      </span>
    </p>
    <Bar {...mover} />
    <p className="mt-0.5 text-xs text-muted tabular-nums" data-measure="span">
      {mover.span}
    </p>
  </li>
)

interface ChangePanelProps {
  readonly change: ChangeView | null
  readonly selection: Selection
}

/**
 * The change and its largest movers by project, model and session; the sentence alone if there are no lists, as nothing
 * came before. Renders nothing for a `change` of null: see `changeView`.
 */
export const ChangePanel = ({ change, selection }: ChangePanelProps) => {
  if (change === null) return null
  const sentence = (
    <p className="px-4 pt-2 text-sm last:pb-3 sm:px-5" data-change-sentence="">
      {change.sentence}
    </p>
  )
  if (change.lists.length === 0) return <Panel title="What changed">{sentence}</Panel>
  return (
    <Panel title="What changed" aside="the largest movers and the others add up to the change">
      {sentence}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-4 px-4 py-3 sm:px-5 lg:grid-cols-[repeat(3,minmax(0,1fr))]">
        {change.lists.map(({ dimension, title, movers, others }) => (
          <section
            key={dimension}
            aria-label={`${title} that moved the cost`}
            data-movers={dimension}
            data-table={`movers-${dimension}`}
          >
            <h3 className="text-xs text-muted">{title}</h3>
            <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-2">
              {movers.map((mover) => (
                <MoverItem key={mover.key} mover={mover} href={hrefOf(dimension, mover.key, selection)} />
              ))}
            </ul>
            {others !== null && (
              <p className="mt-2 text-xs text-muted tabular-nums" data-others data-measure="others">
                {others}
              </p>
            )}
          </section>
        ))}
      </div>
    </Panel>
  )
}
