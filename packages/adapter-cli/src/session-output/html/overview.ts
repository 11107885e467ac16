/** The part above the conversation: facts, tokens and cost, files, tasks, and a link to each question. */
import {
  allInputTokens,
  createFileActivity,
  createLiveEntries,
  createTodoFold,
  formatEstimate,
  formatUsd,
  isRequest,
  userAuthoredText,
  cacheWriteTokens,
} from '@cairn/core'
import type { Engine, LiveEntries, LogEntry, SessionFiles, SessionSummary, TodoItem, UsageReport } from '@cairn/core'
import { counted, formatDuration, formatTime, formatWhole } from '../../terminal/format.ts'
import { escapeText } from './escape.ts'

/** What the page shows above the conversation. */
export interface Overview {
  /** Of the session, by model. */
  readonly usage: UsageReport
  readonly files: SessionFiles
  readonly todo: readonly TodoItem[]
  /** The user's requests in the main conversation, in order, each cut to one line. */
  readonly questions: readonly { readonly seq: number; readonly text: string }[]
  /** How many messages each subagent has, by its id. */
  readonly subagents: ReadonlyMap<string, number>
  /** Which entries no rewind took back. */
  readonly live: LiveEntries
  /** Time of the last message, ms. Later entries, such as a new title, do not make the conversation longer. */
  readonly lastAt: number | null
}

const QUESTION_LENGTH = 110

/**
 * Collects what the page shows above the conversation, and how many messages each subagent has. Reads the entries once,
 * to their end. Rejects as the store does.
 */
export const overviewOf = async (
  session: SessionSummary,
  entries: AsyncIterable<LogEntry>,
  engine: Pick<Engine, 'usage'>,
): Promise<Overview> => {
  const files = createFileActivity(session.workspace ?? undefined)
  const todo = createTodoFold()
  const live = createLiveEntries()
  const questions: { readonly seq: number; readonly text: string }[] = []
  const subagents = new Map<string, number>()
  let lastAt: number | null = null
  for await (const entry of entries) {
    files.step(entry)
    todo.step(entry)
    live.step(entry)
    if (entry.kind !== 'message') continue
    if (entry.at !== null) lastAt = Math.max(lastAt ?? entry.at, entry.at)
    if (entry.subagent !== undefined) subagents.set(entry.subagent, (subagents.get(entry.subagent) ?? 0) + 1)
    else {
      const words = userAuthoredText(entry)
      if (words !== undefined && isRequest(words)) questions.push({ seq: entry.seq, text: firstWords(words) })
    }
  }
  return {
    usage: await engine.usage.report({ by: 'model', filter: { session: session.id } }),
    files: files.result(),
    todo: todo.items(),
    questions,
    subagents,
    live,
    lastAt,
  }
}

/** Returns the beginning of a question on one line, at most `QUESTION_LENGTH` characters and `…`. Not escaped. */
const firstWords = (text: string): string => {
  const line = text
    .slice(0, QUESTION_LENGTH * 8)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > QUESTION_LENGTH ? `${line.slice(0, QUESTION_LENGTH)}…` : line
}

const MARKS = { pending: '\u2610', in_progress: '\u25d0', completed: '\u2611' } as const

/** Returns a todo list as HTML, in its order; an empty list if there are no items. */
export const todoHtml = (items: readonly TodoItem[]): string =>
  `<ul class="todo">${items.map(({ text, status }) => `<li class="${status}"><span class="box">${MARKS[status]}</span> ${escapeText(text)}</li>`).join('')}</ul>\n`

/**
 * Returns the part above the conversation as HTML. Empty parts are left out; questions are listed if there are at least
 * two.
 */
export const overviewHtml = (session: SessionSummary, overview: Overview): string => {
  const { files, todo, questions, usage } = overview
  const done = todo.filter(({ status }) => status === 'completed').length
  return [
    `<h1>${escapeText(session.title ?? session.externalId)}</h1>\n`,
    factsHtml(session, overview),
    usage.rows.length === 0 ? '' : panel(`Tokens and cost`, usageTable(usage)),
    files.files.length === 0 ? '' : panel(`${counted(files.files.length, 'file')} touched`, filesTable(files)),
    todo.length === 0 ? '' : panel(`Tasks: ${done} of ${todo.length} done`, todoHtml(todo)),
    questions.length < 2
      ? ''
      : panel(
          counted(questions.length, 'question'),
          `<ol class="questions">${questions.map(({ seq, text }) => `<li><a href="#m${seq}">${escapeText(text)}</a></li>\n`).join('')}</ol>\n`,
        ),
  ].join('')
}

/** A part that opens below its title; both are HTML already. */
const panel = (title: string, html: string): string =>
  `<details class="panel"><summary>${title}</summary>\n${html}</details>\n`

const DAY_MS = 86_400_000
/** A duration (ms) in hours and smaller units; in whole days from two days on. */
const durationText = (ms: number): string =>
  ms < 2 * DAY_MS ? formatDuration(ms) : counted(Math.round(ms / DAY_MS), 'day')

/**
 * Returns the facts about a session as an HTML list: agent, project with branch, time (local, with its zone), length,
 * cost, tokens, replaced secrets, id. Project and time are left out where unknown, secrets where none was replaced; the
 * others are always there. The session lasts until its last message, or its last change if no message has a time.
 */
const factsHtml = (session: SessionSummary, { usage, lastAt }: Overview): string => {
  const { total } = usage
  const { startedAt, workspace, branch, redactions } = session
  const endedAt = lastAt ?? session.updatedAt
  const lasted =
    startedAt === null || endedAt === null ? '' : ` <span class="soft">${durationText(endedAt - startedAt)}</span>`
  const facts: readonly (readonly [string, string] | undefined)[] = [
    ['Agent', escapeText(session.agent)],
    workspace === null
      ? undefined
      : [
          'Project',
          `${escapeText(workspace)}${branch === null ? '' : ` <span class="soft">on</span> ${escapeText(branch)}`}`,
        ],
    startedAt === null
      ? undefined
      : [
          'Time',
          `${formatTime(startedAt)} – ${formatTime(endedAt)} <span class="soft">${escapeText(Intl.DateTimeFormat().resolvedOptions().timeZone)}</span>${lasted}`,
        ],
    ['Length', `${counted(session.messages, 'message')}, ${counted(session.requests, 'request')}`],
    [
      'Cost',
      `<strong>${formatUsd(total.costNano)}</strong>${missingCost(total)}${total.unpricedRequests > 0 ? ` <span class="soft">without ${counted(total.unpricedRequests, 'request')} of unknown cost</span>` : ''}`,
    ],
    ['Tokens', `${formatWhole(allInputTokens(total))} in, ${formatWhole(total.outputTokens)} out`],
    redactions === 0 ? undefined : ['Secrets', `${formatWhole(redactions)} replaced`],
    ['Session', `<code>${escapeText(session.id)}</code>`],
  ]
  return `<dl class="facts">${facts.flatMap((fact) => (fact === undefined ? [] : [`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`])).join('')}</dl>\n`
}

/** The estimated cost of output that was not recorded, as HTML after the cost; '' if there is none. */
const missingCost = ({ missingOutputCostNano }: UsageReport['total']): string => {
  const estimate = formatEstimate(missingOutputCostNano)
  return estimate === undefined ? '' : ` <span class="soft">+ ${estimate} for output that was not recorded</span>`
}

/** A row of a table; all cells but the first are numbers. Cells are HTML already. */
const row = (cells: readonly string[], tag: 'td' | 'th' = 'td'): string =>
  `<tr>${cells.map((cell, index) => `<${tag}${index === 0 ? '' : ' class="num"'}>${cell}</${tag}>`).join('')}</tr>\n`

/** A table with head and total, as HTML; cells are HTML already. */
const table = (head: readonly string[], rows: readonly (readonly string[])[], total: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells)).join('')}</tbody><tfoot>${row(total)}</tfoot></table></div>\n`

/** Returns tokens and cost by model as a table, with a total. */
const usageTable = ({ rows, total }: UsageReport): string => {
  /** The cells of a row: key, requests, tokens by class, cost. */
  const cells = (key: string, totals: UsageReport['total']): readonly string[] => [
    escapeText(key),
    ...[totals.requests, totals.inputTokens, totals.cacheReadTokens, cacheWriteTokens(totals), totals.outputTokens].map(
      formatWhole,
    ),
    formatUsd(totals.costNano),
  ]
  return table(
    ['Model', 'Requests', 'Input', 'From cache', 'To cache', 'Output', 'Cost'],
    rows.map((one) => cells(one.key, one)),
    cells('Total', total),
  )
}

/** Returns files that were read and edited, and how often, as a table with a total; 0 is left out. */
const filesTable = ({ files, rereads }: SessionFiles): string => {
  const sum = (pick: (file: SessionFiles['files'][number]) => number): string =>
    formatWhole(files.reduce((total, file) => total + pick(file), 0))
  return table(
    ['File', 'Read', 'Again', 'Edited', 'Tokens read'],
    files.map(({ path, reads, rereads: again, edits, readTokens }) => [
      `<code>${escapeText(path)}</code>`,
      ...[reads, again, edits, readTokens].map((count) => (count === 0 ? '' : formatWhole(count))),
    ]),
    [
      'Total',
      sum(({ reads }) => reads),
      formatWhole(rereads),
      sum(({ edits }) => edits),
      sum(({ readTokens }) => readTokens),
    ],
  )
}
