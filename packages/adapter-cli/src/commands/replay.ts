/** `cairn replay`: simulates a recorded session under other context policies: cost and misses. */
import { CairnError, DEFAULT_REPLAY_PRICES, PRESET_NAMES, needsOf, paidUsage, trajectoryOf } from '@cairn/core'
import type { ReplaySettings, TrajectorySource } from '@cairn/core'
import type { Context, Define } from '../command.ts'
import { oneOf, someText, wholeNumber } from '../options/option-values.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { arePricesOf, policiesIn, positiveNumber, pricesIn, settingsOf, type ReplayOptions } from './replay-options.ts'
import type { Bill } from './replay-bill.ts'
import { reportJson, showReport } from './replay-report.ts'
import { runPolicies } from './replay-run.ts'
import { sourceOf } from './replay-source.ts'
import { checkTraceTarget } from './replay-trace.ts'

const { input, output, write, read } = DEFAULT_REPLAY_PRICES

const HELP = `
Policies: none only appends, whatever the window; cline and clio work like those
agents; cache-aware is Cairn's own; recorded repeats what the session's agent
did: its compactions, truncations and edits. Each gets the same requests,
replies and pauses, so that only the content of the context differs. All costs
are simulated, and savings are relative to recorded in the same simulation,
never to none. What was really paid is listed separately; it differs, because
tokens and cache hits are estimated here.

The cost includes the provider's cache: unchanged input is read cheaply, changed
input is written again. A miss is something the agent needed again when it was
no longer in the context; fetching it again is part of the cost.

A file is read directly, without a store. docs/replay.md explains how each
number is calculated.

Examples:
  cairn replay session.jsonl
  cairn replay session.jsonl.gz --window 128000 --policy cline,cache-aware
  cairn replay 0ccf1a04                            a session of the store
  cairn replay session.jsonl --preset lean --prices gpt-5
  cairn replay session.jsonl --prices 1.25,10,-,0.125   writes cost as input
  cairn replay session.jsonl --prices 3,15,-,-          no cache at all
  cairn replay session.jsonl --json --trace requests.jsonl`

/** Declares `cairn replay`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Replay a recorded session under context policies: cost, cache hits and misses.')
    .argument('<transcript|sessionId>', 'a transcript, a folder with one, or a session (the beginning of its id)')
    .option(
      '--policy <names>',
      'none, cline, clio, cache-aware, recorded, separated by commas (default: all; recorded only if the agent changed its context)',
      policiesIn,
    )
    .option('--preset <name>', `of cache-aware: ${PRESET_NAMES.join(', ')}`, oneOf('--preset', PRESET_NAMES), 'safe')
    .option('--window <tokens>', "the model's context window", wholeNumber('--window', 1), 200_000)
    .option('--prefix <tokens>', 'system prompt and tools', wholeNumber('--prefix'), 20_000)
    .option('--ttl <seconds>', 'how long the provider caches a prefix; 0: no cache', wholeNumber('--ttl'), 300)
    .option(
      '--prices <model|numbers>',
      `a model's name, or input,output,write,read in USD per million tokens (default: ${[input, output, write, read].join(',')})`,
      pricesIn,
    )
    .option(
      '--chars-per-token <number>',
      'characters per token, for estimates',
      positiveNumber('--chars-per-token'),
      2.7,
    )
    .option(
      '--trace <file>',
      'write each request, block by block, to a file (JSON Lines)',
      someText('--trace', 'a file'),
    )
    .addHelpText('after', HELP)
    .action((source: string, options: ReplayOptions) => runReplay(source, options, context))
}

/**
 * Replays the session under the policies, and prints what each would have cost and missed beside what was paid; with
 * `--trace` also writes each request to that file. Nothing is sent. Rejects with `invalid-input` if it holds no reply
 * of a model, with `usage` for a trace that would replace the transcript, and as `sourceOf` and `settingsOf` do.
 */
const runReplay = async (argument: string, options: ReplayOptions, context: Context): Promise<void> => {
  const settings: ReplaySettings = await settingsOf(options, context)
  const { source, file, notes } = await sourceOf(argument, options, context)
  if (options.trace !== undefined) checkTraceTarget(options.trace, file, context)
  const trajectory = trajectoryOf(source)
  if (trajectory.turns.length === 0)
    throw new CairnError(
      'invalid-input',
      `${neutraliseLine(argument)} holds no reply of a model: there is nothing to replay.`,
    )
  for (const note of notes) context.terminal.note(note)
  const outcome = await runPolicies({ trajectory, needs: needsOf(trajectory), settings, options, context })
  const bill = await billFor(source, settings, options, context)
  if (options.json === true) return context.json(reportJson(trajectory, settings, outcome, bill))
  await showReport(trajectory, settings, { ...outcome, bill }, context)
  if (options.trace !== undefined) await context.terminal.line(`Every request is in ${neutraliseLine(options.trace)}.`)
}

/** Returns what was paid for the session's main conversation; undefined if no usage was recorded. */
const billFor = async (
  { paid = [] }: TrajectorySource,
  settings: ReplaySettings,
  options: ReplayOptions,
  context: Context,
): Promise<Bill | undefined> => {
  const usage = paidUsage(paid, settings.prices)
  if (usage === undefined) return undefined
  return { ...usage, arePricesOwn: await arePricesOf(usage.model, settings, options, context) }
}
