'use client'
/** What the session would have cost, and what it would have missed. */
import { Tile } from '../../components/tile.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import type { ReplayView } from './replay-view.ts'

export const DEFINITIONS_ID = 'replay-definitions'

/** What was paid, beside the simulation: no tile, as nothing in the tiles is reckoned from it. */
export const PaidText = ({ view: { paid } }: { readonly view: ReplayView }) => (
  <p data-paid className="max-w-[90ch] px-4 pt-3 text-sm text-muted sm:px-5">
    {paid.join(' ')}
  </p>
)

/**
 * Cost, savings, cache hits, peak, rewrites and misses of the simulation. From left to right; "Saved" compares with
 * what its agent did, simulated too.
 */
export const ReplayTiles = ({ view: { figures, overflows, policy } }: { readonly view: ReplayView }) => (
  <dl className="grid grid-cols-2 gap-3 px-4 pt-4 sm:grid-cols-3 sm:px-5 xl:grid-cols-6">
    <Tile
      name="Cost"
      below={
        <>
          simulated; <FigureText figure={figures.sent} isTotal /> as its agent did, simulated too
        </>
      }
    >
      <FigureText figure={figures.cost} isTotal />
    </Tile>
    <Tile name="Saved" below={figures.saved.notes[0] ?? ''}>
      <FigureText figure={figures.saved} isTotal />
    </Tile>
    <Tile name="Cache hit ratio" below="of all input tokens">
      <FigureText figure={figures.cacheHit} isTotal />
    </Tile>
    <Tile
      name="Peak"
      below={
        overflows === 0
          ? 'tokens of the largest request, simulated'
          : `tokens, simulated; as its agent sent, ${overflows.toLocaleString('en-US')} ${overflows === 1 ? 'request is' : 'requests are'} over the window`
      }
    >
      <FigureText figure={figures.peak} isTotal />
    </Tile>
    <Tile
      name="Rewrites"
      below={
        policy === 'none'
          ? 'nothing is ever taken out'
          : policy === 'recorded'
            ? 'by its agent, marked on the axis'
            : 'marked on the axis'
      }
    >
      <FigureText figure={figures.rewrites} isTotal />
    </Tile>
    <Tile
      name="Misses"
      below={
        <a href={`#${DEFINITIONS_ID}`} className="text-accent underline underline-offset-4">
          How they are counted
        </a>
      }
    >
      <FigureText figure={figures.misses} isTotal />
    </Tile>
  </dl>
)
