/** `cairn setup`: connects Cairn to the agents on this machine, and disconnects it. */
import { CairnError } from '@cairn/core'
import { importAgents } from '@cairn/core/importers'
import { applyRemoval, applySetup, hasSetupTraces, planRemoval, planSetup } from '@cairn/core/node/setup'
import type { AgentPlan, AppliedFile, FilePlan, SetupRequest } from '@cairn/core/node/setup'
import { findAgent, setupAgents } from '@cairn/core/setup'
import type { CommonOptions, Context, Define } from '../command.ts'
import { didYouMean } from '../options/close-matches.ts'
import { assertHome, assertHooksStart, setupRequest } from '../setup/installation.ts'
import {
  diffOf,
  nextSteps,
  notFoundSentences,
  remarksOn,
  showNextSteps,
  showPlans,
  showResult,
} from '../setup/plan-text.ts'
import { historyNotes, obstacleNotes } from '../setup/history-notes.ts'

/** The options of `setup`. */
interface SetupOptions extends CommonOptions {
  readonly yes?: boolean
  readonly remove?: boolean
  readonly replaceStatusLine?: boolean
}

const HELP = `
Agents: ${setupAgents().slice(0, 6).join(', ')},
        ${setupAgents().slice(6).join(', ')}
Without a name: every agent that has settings in your home folder.

You see the change to each settings file before it is written. Your own settings
stay as they are, including comments and layout, and a copy of the file is kept
next to it. Run again, setup changes only what is out of date.

Exit codes: 0 done, or nothing to do; 1 a file was skipped, because its agent
could not read it; 3 nothing was written, because it was not confirmed (no
terminal to ask on, and no --yes).

Examples:
  cairn setup                      shows the changes, asks, then writes
  cairn setup claude-code --yes
  cairn setup --remove             removes all of it again
  cairn setup --json               the changes as JSON; writes nothing`

/** Declares `cairn setup`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Connect Cairn to the agents on this machine: MCP server, hooks, status line.')
    .argument('[agents...]', 'only these agents')
    .option('--yes', 'write without asking')
    .option('--remove', 'remove everything that setup added')
    .option('--replace-status-line', "replace your own status line with Cairn's")
    .addHelpText('after', HELP)
    .action((agents: readonly string[], options: SetupOptions) => runSetup(agents, options, context))
}

/** Returns why an agent can't be set up: only its transcripts are read, or the name is unknown. */
const whyNotSetUp = (name: string): string =>
  importAgents().some((agent) => agent === name)
    ? `Setup writes no settings of '${name}' yet; cairn import and cairn watch take in its transcripts.`
    : `There is no agent '${name}' to set up.${didYouMean(name, setupAgents())} See: cairn setup --help`

/**
 * Returns the agents that were named, each once.
 * @throws CairnError `usage` for a name that is not an agent's
 */
const namedAgents = (names: readonly string[]): SetupRequest['agents'] =>
  [...new Set(names)].map((name) => {
    if (!setupAgents().some((agent) => agent === name)) throw new CairnError('usage', whyNotSetUp(name))
    return findAgent(name)
  })

/** Whether setup would change the file. */
const isChange = ({ status }: FilePlan): boolean => status === 'change' || status === 'leftovers'

/** Whether the file was changed. */
const isDone = ({ status }: AppliedFile): boolean => status !== 'unchanged' && status !== 'refused'

/** Whether the file can't be changed. */
const isRefused = ({ status }: FilePlan | AppliedFile): boolean => status === 'refused'

/**
 * Plans the changes of the agents' settings (all agents that are found, if none is named), shows them, asks unless
 * `--yes`, and makes them. `--json` does not ask: it writes only with `--yes`. The exit code is that of `exitCodeOf`.
 * Rejects with `usage` for an unknown agent or without a home folder, with `not-found` where the program for hooks is
 * missing.
 */
const runSetup = async (names: readonly string[], options: SetupOptions, context: Context): Promise<void> => {
  const agents = namedAgents(names)
  assertHome(context.surroundings)
  const request = setupRequest(context.surroundings, agents, options.replaceStatusLine === true)
  const isRemoval = options.remove === true
  const plans = (isRemoval ? planRemoval : planSetup)(request)
  const changes = plans.flatMap(({ files }) => files).filter(isChange)
  if (changes.length > 0 && !isRemoval) assertHooksStart(request)
  const isJson = options.json === true
  if (!isJson) await showPlans(isRemoval ? plans.map(withoutUnchanged) : plans, context.terminal)
  const isWanted = changes.length === 0 || options.yes === true || (!isJson && (await confirm(changes, context)))
  const hasWork = changes.length > 0 || hasTraces(request, options)
  const applied = isWanted && hasWork ? carryOut(request, plans, options) : undefined
  context.setExitCode(exitCodeOf(plans, applied, isWanted))
  if (isJson) return context.json(document(plans, applied, isRemoval, context))
  await conclude(plans, applied, { isWanted, isRemoval, isAll: agents.length === 0 }, context)
}

/** Returns the plan of a removal without the files that stay as they are. */
const withoutUnchanged = (plan: AgentPlan): AgentPlan => ({
  ...plan,
  files: plan.files.filter(({ status }) => status !== 'unchanged'),
})

/**
 * Whether a removal would find a note or a lock of setup in the data folder that belongs to no file. False for a setup,
 * and with `--json` without `--yes`, where nothing is written.
 */
const hasTraces = ({ dataFolder }: SetupRequest, { remove, json, yes }: SetupOptions): boolean =>
  remove === true && (json !== true || yes === true) && hasSetupTraces(dataFolder)

/**
 * Returns the exit code: 3 if nobody agreed to the changes, otherwise 1 if a file is refused, by the plan or while
 * writing, otherwise 0. `isWanted`: the user agreed.
 */
const exitCodeOf = (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[] | undefined,
  isWanted: boolean,
): 0 | 1 | 3 => {
  if (applied?.some(isRefused) === true) return 1
  if (!isWanted) return 3
  return plans.some(({ files }) => files.some(isRefused)) ? 1 : 0
}

/** Makes the changes: only those of `plans`, which the user saw; with `--yes` those that are needed at this moment. */
const carryOut = (
  request: SetupRequest,
  plans: readonly AgentPlan[],
  { remove, yes }: SetupOptions,
): readonly AppliedFile[] => (remove === true ? applyRemoval : applySetup)(request, yes === true ? undefined : plans)

/** Asks whether to make the changes; false if there is no terminal to ask on. Any answer but yes is no. */
const confirm = async (changes: readonly FilePlan[], { terminal }: Context): Promise<boolean> => {
  if (!terminal.canAsk) return false
  const answer = await terminal.ask(
    `Change ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}? [y/N] `,
  )
  return /^y(?:es)?$/i.test(answer ?? '')
}

/** How a setup went. */
interface Conclusion {
  readonly isWanted: boolean
  readonly isRemoval: boolean
  readonly isAll: boolean
}

/**
 * Prints what was done and what is left to do, or why nothing was done; agents that were not found on standard error.
 * `applied` is undefined if nothing was written. `isAll`: no agent was named.
 */
const conclude = async (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[] | undefined,
  { isWanted, isRemoval, isAll }: Conclusion,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  if (applied !== undefined) {
    await showResult(plans, applied, terminal)
    if (!isRemoval)
      await showNextSteps(plans, applied, [...obstacleNotes(plans, context), ...historyNotes(plans, context)], terminal)
  }
  if (isAll && !isRemoval)
    for (const sentence of notFoundSentences(plans, context.surroundings.home)) terminal.note(sentence)
  if (!isWanted) {
    terminal.note(
      terminal.canAsk
        ? 'Nothing was written.'
        : 'Nothing was written, as there is no terminal to ask at: add --yes to write without asking.',
    )
    return
  }
  if (applied?.some(isDone) !== true && !plans.some(({ files }) => files.some(isChange)))
    await terminal.line(nothingToDo(plans, isRemoval))
}

/**
 * Returns why there was nothing to do: files that can't be changed, nothing to remove, all done already, or no agent.
 */
const nothingToDo = (plans: readonly AgentPlan[], isRemoval: boolean): string => {
  const files = plans.flatMap((plan) => plan.files)
  if (files.some(isRefused)) return 'Nothing was changed.'
  if (isRemoval) return 'Nothing of Cairn is set up.'
  return files.length > 0
    ? 'Everything is set up already.'
    : 'No agent was found. Name the one that you use, for example: cairn setup claude-code'
}

/**
 * Returns the document of `--json`; without `applied` it is what would be done. `isRemoval`: no next steps are in it.
 */
const document = (
  plans: readonly AgentPlan[],
  applied: readonly AppliedFile[] | undefined,
  isRemoval: boolean,
  context: Context,
) => {
  const results = new Map((applied ?? []).map((file) => [file.path, file]))
  const steps = isRemoval ? [] : nextSteps(plans, applied ?? [])
  return {
    written: applied?.some(({ status }) => status === 'written' || status === 'removed') ?? false,
    agents: plans.map(({ descriptor, isFound, files }) => ({
      agent: descriptor.agent,
      name: descriptor.name,
      found: isFound,
      files: files.map((file) => ({
        path: file.path,
        status: results.get(file.path)?.status ?? file.status,
        diff: diffOf(file).join('\n'),
        backup: results.get(file.path)?.backup ?? null,
        notes: [
          ...remarksOn(file),
          ...(results.get(file.path)?.status === 'refused' && file.status !== 'refused'
            ? [`${file.path} is left as it is: ${results.get(file.path)?.reason ?? ''}.`]
            : []),
        ],
      })),
      afterwards: steps.find((step) => step.descriptor === descriptor)?.sentences ?? [],
    })),
    obstacles: isRemoval ? [] : obstacleNotes(plans, context),
    history: isRemoval ? [] : historyNotes(plans, context),
  }
}
