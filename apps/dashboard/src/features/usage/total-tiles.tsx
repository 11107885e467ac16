/** The totals of the period, large. */
import { Tile, Tiles } from '../../components/tile.tsx'
import { FigureText } from './figure-text.tsx'
import type { SumView } from './table-view.ts'

export const TotalTiles = ({ total }: { readonly total: SumView }) => (
  <Tiles>
    <Tile name="Cost" below={total.cost.notes[0] ?? ''}>
      <FigureText figure={total.cost} />
    </Tile>
    <Tile name="Caching saved" below="next to the price without it">
      <FigureText figure={total.saved} />
    </Tile>
    <Tile name="Cache hits" below="of all input tokens">
      <FigureText figure={total.cacheHit} />
    </Tile>
    <Tile name="Tokens" below={`${total.output.text} of them output`}>
      <FigureText figure={total.tokens} />
    </Tile>
    <Tile name="Requests" below="to models, subagents’ included">
      <FigureText figure={total.requests} />
    </Tile>
  </Tiles>
)
