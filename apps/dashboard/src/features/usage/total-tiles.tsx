/** The totals of the period, large. */
import { FigureText } from './figure-text.tsx'
import type { Figure } from './figure.ts'
import type { OverviewView } from './overview-view.ts'

interface TileProps {
  readonly name: string
  readonly figure: Figure
  readonly below: string
}

const Tile = ({ name, figure, below }: TileProps) => (
  <div className="rounded-xl border border-line bg-panel px-4 py-3.5 sm:px-5">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums" data-total={name}>
      <FigureText figure={figure} />
    </dd>
    <dd className="mt-0.5 text-xs text-muted">{below}</dd>
  </div>
)

const counted = (count: number, noun: string): string => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

export const TotalTiles = ({ total, models, projects }: Pick<OverviewView, 'total' | 'models' | 'projects'>) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
    <Tile name="Cost" figure={total.cost} below={total.cost.notes[0] ?? ''} />
    <Tile name="Tokens" figure={total.tokens} below={`${total.output.text} of them output`} />
    <Tile name="Cache hits" figure={total.cacheHit} below="of all input tokens" />
    <Tile name="Requests" figure={total.requests} below={`to ${counted(models.count, 'model')}, in ${counted(projects.count, 'project')}`} />
  </dl>
)
