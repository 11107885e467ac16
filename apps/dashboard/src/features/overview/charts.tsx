'use client'
/** The overview's two charts over the same steps of time: cost and tokens, both by class. */
import { formatUsd, nanoFromUsd } from '@cairn/core'
import { useState } from 'react'
import { StackedBars } from '../../components/chart/stacked-bars.tsx'
import { Swatch } from '../../components/chart/swatch.tsx'
import { Panel } from '../../components/panel.tsx'
import { COST_CLASSES } from '../usage/cost-classes.ts'
import { dollars } from '../usage/dollars.ts'
import type { PointView } from './overview-view.ts'
import { TOKEN_CLASSES, usedClasses } from '../usage/token-classes.ts'

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

interface Toggled<Field extends string> {
  readonly classes: readonly {
    readonly field: Field
    readonly name: string
    readonly color: string
    readonly meaning: string
  }[]
  readonly hidden: ReadonlySet<string>
  readonly toggle: (field: string) => void
}

/** Buttons for classes that are shown: each leaves its class out of the chart or takes it in again. */
const ClassToggle = <Field extends string>({
  label,
  classes,
  hidden,
  toggle,
}: Toggled<Field> & { readonly label: string }) => (
  <div role="group" aria-label={label} className="flex flex-wrap gap-x-1 gap-y-1 px-2.5 pt-3 text-xs sm:px-3.5">
    {classes.map(({ field, name, color, meaning }) => (
      <button
        key={field}
        type="button"
        aria-pressed={!hidden.has(field)}
        title={`${meaning}. Click to leave it out or take it in.`}
        onClick={() => toggle(field)}
        className={`flex items-center gap-1.5 rounded-md px-1.5 py-1 text-muted hover:bg-sunken ${hidden.has(field) ? 'line-through' : ''}`}
      >
        <Swatch color={hidden.has(field) ? 'var(--line)' : color} />
        {name}
      </button>
    ))}
  </div>
)

/** Returns which series are hidden; `toggle` hides one or shows it again. None is at first. */
const useHidden = (): Pick<Toggled<string>, 'hidden' | 'toggle'> => {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const toggle = (field: string): void => {
    const next = new Set(hidden)
    if (!next.delete(field)) next.add(field)
    setHidden(next)
  }
  return { hidden, toggle }
}

/** Returns the line below the costs: their sum. */
const costFoot = (point: PointView) => ({ name: point.requestsText, text: point.cost.text })

/** Returns the line below the tokens: their sum, including hidden classes. */
const tokenFoot = (point: PointView) => ({
  name: `${point.requestsText}, ${point.cost.text}`,
  text: compact.format(TOKEN_CLASSES.reduce((sum, { field }) => sum + point[field], 0)),
})

interface ChartsProps {
  readonly points: readonly PointView[]
  readonly stepName: string
  /** Goes to the days of a bar; undefined where they are shown already. */
  readonly lookAt: ((days: NonNullable<PointView['days']>) => void) | undefined
}

/**
 * The charts of cost and of tokens with their legends, in which classes are switched off; classes without any are left
 * out. A bar leads to its days where `lookAt` is given.
 */
export const Charts = ({ points, stepName, lookAt }: ChartsProps) => {
  const choose =
    lookAt === undefined
      ? undefined
      : ({ days }: PointView): void => {
          if (days !== null) lookAt(days)
        }
  const cost = useHidden()
  const tokens = useHidden()
  const costClasses = COST_CLASSES.filter(({ field }) => points.some((point) => point[field] > 0))
  const tokenClasses = usedClasses(points)
  const shownCost = costClasses.filter(({ field }) => !cost.hidden.has(field))
  const shownTokens = tokenClasses.filter(({ field }) => !tokens.hidden.has(field))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Cost" aside={stepName}>
        <ClassToggle label="Classes of cost shown" classes={costClasses} {...cost} />
        <StackedBars
          label="Cost over time, by class"
          points={points}
          series={shownCost}
          axisText={dollars}
          choose={choose}
          hintOf={(point) => ({
            title: point.title,
            lines: shownCost.map(({ field, name, color }) => ({
              name,
              color,
              text: formatUsd(nanoFromUsd(point[field])),
            })),
            foot: costFoot(point),
          })}
        />
      </Panel>
      <Panel title="Tokens" aside={stepName}>
        <ClassToggle label="Classes of tokens shown" classes={tokenClasses} {...tokens} />
        <StackedBars
          label="Tokens over time, by class"
          points={points}
          series={shownTokens}
          axisText={(value) => compact.format(value)}
          choose={choose}
          hintOf={(point) => ({
            title: point.title,
            lines: shownTokens.map(({ field, name, color }) => ({ name, color, text: compact.format(point[field]) })),
            foot: tokenFoot(point),
          })}
        />
      </Panel>
    </div>
  )
}
