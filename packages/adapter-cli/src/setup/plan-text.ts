/** What setup says before and after it writes. */
import { redact } from '@cairn/core'
import type { AgentPlan, AppliedFile, FilePlan } from '@cairn/core/node/setup'
import { unifiedDiff } from '@cairn/core/setup'
import type { Terminal } from '../terminal/terminal.ts'
import { neutralise } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'

/** In characters; a line of somebody's settings may be a megabyte long. */
const LONGEST_LINE = 400

const KEPT: Readonly<Record<FilePlan['kept'][number], string>> = {
  server: 'has an entry "cairn" that starts something else; it is kept as it is.',
  'data-folder':
    'names another data folder (CAIRN_HOME) in the entry "cairn" than this command uses, and keeps it. To change it, edit the entry, or run cairn setup --remove and set up again.',
  'status-line': "has a status line already, which is kept; --replace-status-line puts Cairn's there.",
}

const LEFTOVERS = 'holds nothing of Cairn; its copy and the note about it are removed'

/**
 * Returns the change that a plan makes to a file as the lines of a unified diff, safe to print, with secrets replaced.
 * Empty if nothing changes.
 */
export const diffOf = ({ path, before = '', after = '' }: FilePlan): readonly string[] => {
  const hunks = unifiedDiff(before, after)
  if (hunks.length === 0) return []
  const shown = neutralise(redact(hunks.join('\n')).text).split('\n')
  return [`--- ${path}`, `+++ ${path}`, ...shown]
}

/** A line of at most 400 characters. */
const shortened = (line: string): string =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1).toWellFormed()}…` : line

const STYLES: Readonly<Record<string, Parameters<Terminal['style']>[0]>> = { '+': 'green', '-': 'red', '@': 'cyan' }

/** Prints a text, wrapped with its own indentation. */
const say = async (terminal: Terminal, text: string): Promise<void> => {
  const [indent = ''] = /^ */.exec(text) ?? []
  for (const line of wrapAfter(indent, neutralise(text.slice(indent.length)), terminal.width)) await terminal.line(line)
}

/**
 * Prints, for each agent, the change to each of its files as a diff, or that it is up to date, or why it is refused;
 * nothing for an agent without files.
 */
export const showPlans = async (plans: readonly AgentPlan[], terminal: Terminal): Promise<void> => {
  for (const { descriptor, files } of plans) {
    if (files.length === 0) continue
    await terminal.line(terminal.style('bold', descriptor.name))
    for (const file of files) {
      if (file.status === 'unchanged') await say(terminal, `  ${file.path}: up to date`)
      if (file.status === 'leftovers') await say(terminal, `  ${file.path} ${LEFTOVERS}`)
      for (const line of diffOf(file)) {
        const style = STYLES[line.charAt(0)]
        await terminal.line(`  ${style === undefined ? shortened(line) : terminal.style(style, shortened(line))}`)
      }
      for (const sentence of remarksOn(file)) await say(terminal, `  ${sentence}`)
    }
    await terminal.line()
  }
}

/**
 * Returns sentences on why agents are not set up although none was named: what was looked for, and what to do. Empty if
 * all were found.
 */
export const notFoundSentences = (plans: readonly AgentPlan[], home: string): readonly string[] => {
  const agentsOf = (isInstalled: boolean): readonly string[] =>
    plans.filter((plan) => !plan.isFound && plan.isInstalled === isInstalled).map(({ descriptor: { agent } }) => agent)
  const [installed, others] = [agentsOf(true), agentsOf(false)]
  return [
    ...(installed.length === 0
      ? []
      : [
          `Installed, but never used by this user, as there are no settings in ${home}: ${installed.join(', ')}. To set up all the same: cairn setup ${installed.join(' ')}`,
        ]),
    ...(others.length === 0 ? [] : [`Not found, neither settings nor program: ${others.join(', ')}.`]),
  ]
}

/** Returns sentences about a file besides its change: why it is refused, and what of it is kept. Empty for most. */
export const remarksOn = ({ path, status, reason, kept }: FilePlan): readonly string[] => [
  ...(status === 'refused' ? [`${path} is left as it is: ${reason ?? ''}.`] : []),
  ...kept.map((entry) => `${path} ${KEPT[entry]}`),
]

/**
 * Prints what was written, removed or refused, with backups, in the order of `applied`. Refusals that the plan has
 * shown are not repeated.
 */
export const showResult = async (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[],
  terminal: Terminal,
): Promise<void> => {
  const planned = new Set(
    plans.flatMap(({ files }) => files.filter(({ status }) => status === 'refused')).map(({ path }) => path),
  )
  for (const { path, status, backup, reason } of applied) {
    if (status === 'written') await say(terminal, `Wrote ${path}`)
    if (backup !== undefined) await say(terminal, `  backup: ${backup}`)
    if (status === 'removed') await say(terminal, `Removed ${path}`)
    if (status === 'cleaned') await say(terminal, `Removed what setup kept of ${path}`)
    if (status === 'refused' && !planned.has(path)) await say(terminal, `${path} is left as it is: ${reason ?? ''}.`)
  }
}

/** Prints what the user still has to do in each agent that was set up, then the notes; nothing if there is neither. */
export const showNextSteps = async (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[],
  notes: readonly string[],
  terminal: Terminal,
): Promise<void> => {
  const steps = nextSteps(plans, applied)
  if (steps.length + notes.length > 0) await terminal.line()
  for (const { descriptor, sentences } of steps)
    for (const line of wrapAfter(`${descriptor.name}: `, sentences.join(' '), terminal.width)) await terminal.line(line)
  for (const note of notes) await say(terminal, note)
}

/** Returns, for each agent of which a file was written, what its user has to do now and what it can't do. */
export const nextSteps = (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[],
): readonly { readonly descriptor: AgentPlan['descriptor']; readonly sentences: readonly string[] }[] => {
  const written = new Set(applied.filter(({ status }) => status === 'written').map(({ path }) => path))
  return plans
    .filter(({ files }) => files.some(({ path }) => written.has(path)))
    .map(({ descriptor }) => ({ descriptor, sentences: [...descriptor.afterwards, ...descriptor.missing] }))
}
