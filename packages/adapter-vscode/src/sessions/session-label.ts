/** The texts of a session in the list. */
import type { SessionSummary } from '@cairn/core'
import { ageText, agoText, counted, timeText } from '../text/format.ts'
import { neutraliseLine, shorten } from '../text/neutralise.ts'
import { costText } from '../usage/figures.ts'
import { escapeMarkdown } from '../usage/status-item.ts'

const LONGEST_TITLE = 120

/**
 * Returns a session's title, or the agent's id for it if it has none, on one line, safe to show, at most
 * `LONGEST_TITLE` characters.
 */
export const sessionTitle = ({ title, externalId }: Pick<SessionSummary, 'title' | 'externalId'>): string => {
  const text = shorten(neutraliseLine(title ?? ''), LONGEST_TITLE)
  return text === '' ? shorten(neutraliseLine(externalId), LONGEST_TITLE) : text
}

/** Returns a session's cost; '' for one without requests. */
const sessionCost = (session: SessionSummary): string => (session.requests === 0 ? '' : costText(session))

/**
 * Returns the text beside a session's title, safe to show: agent, cost, and how long ago it changed (`now` in ms);
 * unknown parts are left out.
 */
export const sessionDescription = (session: SessionSummary, now: number): string =>
  [neutraliseLine(session.agent), sessionCost(session), ageText(session.updatedAt, now)]
    .filter((part) => part !== '')
    .join(' · ')

/**
 * Returns the tooltip as Markdown: title, and a table of agent, project with branch, times, number of messages and
 * requests, cost, and secrets replaced, if any. Every text of the session is escaped.
 */
export const sessionTooltip = (session: SessionSummary): string => {
  const safe = (text: string): string => escapeMarkdown(neutraliseLine(text))
  const cost = sessionCost(session)
  const facts: readonly (readonly [string, string])[] = [
    ['Agent', safe(session.agent)],
    ['Project', `${safe(session.workspace ?? 'none')}${session.branch === null ? '' : ` (${safe(session.branch)})`}`],
    ['Time', `${safe(timeText(session.startedAt))} to ${safe(timeText(session.updatedAt))}`],
    ['Length', `${counted(session.messages, 'message')}, ${counted(session.requests, 'request')}`],
    ['Cost', cost === '' ? 'no requests recorded' : safe(cost)],
    ...(session.redactions > 0
      ? [['Secrets', `${counted(session.redactions, 'secret')} replaced before storage`] as const]
      : []),
  ]
  return [
    `**${safe(sessionTitle(session))}**`,
    '',
    '| | |',
    '|:--|:--|',
    ...facts.map(([name, text]) => `| ${name} | ${text} |`),
  ].join('\n')
}

/**
 * Returns a session's label for screen readers: title, agent, cost and age (`now` in ms), separated by commas; unknown
 * parts are left out.
 */
export const sessionSpoken = (session: SessionSummary, now: number): string =>
  [sessionTitle(session), session.agent, sessionCost(session), agoText(session.updatedAt, now)]
    .map(neutraliseLine)
    .filter((part) => part !== '')
    .join(', ')
