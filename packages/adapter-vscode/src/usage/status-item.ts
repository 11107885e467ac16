/** The text and tooltip of the status bar. */
import type { UsageTotals } from '@cairn/core'
import type { WatchStatusText } from '@cairn/core/node/watching'
import { budgetText } from './budget-text.ts'
import { costText, stateNotes, tokenText } from './figures.ts'
import type { ProjectUsage, SpanUsage } from './project-usage.ts'
import type { UsageState } from './usage-feed.ts'

/** What an item of the status bar shows. */
export interface StatusItem {
  /** May name icons: `$(graph)`. */
  readonly text: string
  /** Markdown, all foreign text escaped. */
  readonly tooltip: string
  /** The label for screen readers, which do not read icons. */
  readonly label: string
  readonly isWarning: boolean
}

/**
 * Returns a text with its Markdown escaped and blanks as single spaces: names and paths come from transcripts, and must
 * not become links.
 */
export const escapeMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+\-.!|<>~$&:/@]/g, '\\$&')

/** Returns cost and tokens for a cell of the tooltip's table; `–` without requests. */
const cell = (totals: UsageTotals): string =>
  totals.requests === 0 ? '–' : `${escapeMarkdown(costText(totals))} · ${tokenText(totals)}`

/**
 * Returns the tooltip: a table of today, this week and all time, of this project (if there is one) and of all; notes
 * below.
 */
const tooltipOf = ({ name, today, week, ever }: ProjectUsage, budgetNotes: readonly string[]): string => {
  const spans: readonly SpanUsage[] = [today, week, ever]
  const row = (label: string, pick: (span: SpanUsage) => UsageTotals): string =>
    `| ${label} | ${spans.map((span) => cell(pick(span))).join(' | ')} |`
  const lines = ['**Cairn**: cost and tokens', '', '| | Today | This week | All time |', '|:--|--:|--:|--:|']
  if (name !== undefined) lines.push(row(escapeMarkdown(name), (span) => span.project ?? span.all))
  lines.push(row('All projects', (span) => span.all))
  for (const note of [...budgetNotes, ...stateNotes(ever.project ?? ever.all)]) lines.push('', escapeMarkdown(note))
  return lines.join('\n')
}

/** Returns what is shown if there is no usage to show. */
const problem = (short: string, sentence: string): StatusItem => ({
  text: `$(graph) ${short}`,
  tooltip: escapeMarkdown(sentence),
  label: `Cairn: ${sentence}`,
  isWarning: true,
})

/**
 * Returns the text, tooltip and label of the status bar's item for a state of the usage. It warns after a failure, and
 * when a budget is exceeded.
 */
export const statusItem = (state: UsageState): StatusItem => {
  switch (state.kind) {
    case 'loading':
      return {
        text: '$(graph) …',
        tooltip: 'Cairn is opening the store',
        label: 'Cairn is opening the store',
        isWarning: false,
      }
    case 'no-store':
      return {
        text: '$(graph) Cairn',
        tooltip: escapeMarkdown(noStore(state.location)),
        label: `Cairn: ${noStore(state.location)}`,
        isWarning: false,
      }
    case 'failed':
      return problem('Cairn', state.sentence)
    case 'ready': {
      const { usage } = state
      const today = usage.today.project ?? usage.today.all
      const where = usage.name ?? 'all projects'
      const budget = budgetText(state.budgets)
      return {
        text: [`$(graph) ${costText(today)}`, tokenText(today), budget.text].filter((part) => part !== '').join(' · '),
        tooltip: tooltipOf(usage, budget.notes),
        label: [`Cairn: ${costText(today)} and ${tokenText(today)} tokens today in ${where}`, ...budget.notes].join(
          '. ',
        ),
        isWarning: budget.isExceeded,
      }
    }
  }
}

/**
 * Returns the item with whether, and by which program, transcripts are followed added to its tooltip; trouble also
 * marks the item. `item` is not changed.
 */
export const withWatchStatus = (item: StatusItem, { text, detail, isTrouble }: WatchStatusText): StatusItem => ({
  ...item,
  tooltip: `${item.tooltip}\n\n${isTrouble ? '$(warning) ' : ''}**${escapeMarkdown(text)}**: ${escapeMarkdown(detail)}`,
  isWarning: item.isWarning || isTrouble,
})

/** Returns a sentence for a store that does not exist yet, with what to do; `location` is not made safe to show. */
export const noStore = (location: string): string =>
  `Nothing has been recorded yet: there is no store at ${location}. Run "Cairn: Import Now" to read what your agents did.`
