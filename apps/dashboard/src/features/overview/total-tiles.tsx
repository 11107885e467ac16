/** A sum, large: of a period or of a session. */
import type { ReactNode } from 'react'
import { Tile, Tiles } from '../../components/tile.tsx'
import type { Comparison } from './comparison.ts'
import { FigureText } from '../usage/figure-text.tsx'
import type { SumView } from '../usage/table-view.ts'

interface TotalTilesProps {
  readonly total: SumView
  readonly comparison?: Comparison | null
  /** The last tile, in place of the requests. */
  readonly children?: ReactNode
}

/**
 * Cost, savings, cache hits, tokens and requests as tiles. `comparison` adds how each changed since the period before;
 * `children` stand in place of the tile of requests. A null one adds nothing.
 */
export const TotalTiles = ({ total, comparison = null, children }: TotalTilesProps) => {
  const change = (name: keyof Comparison): ReactNode => {
    const figure = comparison?.[name]
    return figure !== undefined && <FigureText figure={figure} />
  }
  return (
    <Tiles>
      <Tile name="Cost" below={total.cost.notes[0] ?? ''} change={change('cost')}>
        <FigureText figure={total.cost} isTotal />
      </Tile>
      <Tile name="Caching saved" below="less than without caching" change={change('saved')}>
        <FigureText figure={total.saved} isTotal />
      </Tile>
      <Tile name="Cache hits" below="of all input tokens" change={change('cacheHit')}>
        <FigureText figure={total.cacheHit} isTotal />
      </Tile>
      <Tile
        name="Tokens"
        below={
          <>
            <FigureText figure={total.output} /> of them output
          </>
        }
        change={change('tokens')}
      >
        <FigureText figure={total.tokens} isTotal />
      </Tile>
      {children ?? (
        <Tile name="Requests" below="to models, subagents’ included" change={change('requests')}>
          <FigureText figure={total.requests} isTotal />
        </Tile>
      )}
    </Tiles>
  )
}
