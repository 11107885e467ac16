/** Options of the commands that run an agent. */
import { Option, type Command } from 'commander'
import type { CacheAwarePreset, PolicyName } from '@cairn/core'
import { APPROVAL_PRESETS, type AgentMode, type ApprovalPreset } from '@cairn/core/agent'
import type { CommonOptions } from '../command.ts'
import { withModelOptions, withPolicyOptions } from '../options/model-options.ts'
import { amountInUsd, collecting, oneOf, someText, wholeNumber } from '../options/option-values.ts'
import { readRule } from './approval-rule.ts'

/** The options of `cairn run` and `cairn chat`, as they were given. */
export interface AgentCommandOptions extends CommonOptions {
  readonly model?: string
  readonly provider?: string
  readonly baseUrl?: string
  readonly policy: PolicyName
  readonly preset: CacheAwarePreset
  /** Tokens. */
  readonly window?: number
  readonly mode?: AgentMode
  readonly maxCost?: number
  readonly maxTurns?: number
  readonly maxTokens?: number
  readonly approve?: ApprovalPreset
  /** Requests in a row without a question. */
  readonly maxAuto?: number
  readonly rule?: readonly string[]
  /** A session's id or its beginning; true: the newest of the project. */
  readonly resume?: string | true
  /** `where-possible`: what is in the way is told, and the turn goes on. */
  readonly checkpoint?: boolean | 'where-possible'
  readonly systemFile?: string
}

/**
 * Adds the options of `run` and `chat` (model, policy, limits, approvals, resume) to a command, and returns it. Invalid
 * values are wrong usage.
 */
export const withAgentOptions = (command: Command): Command => {
  const checkedRule = (text: string): string => {
    readRule(text)
    return text
  }
  return withPolicyOptions(withModelOptions(command, 'ask this model (default: the one that is set)'))
    .option('--window <tokens>', "use a smaller context window than the model's", wholeNumber('--window', 1000))
    .option('--mode <mode>', 'act, or plan without changing anything (default: act)', oneOf('--mode', ['plan', 'act']))
    .option(
      '--approve <which>',
      'what runs without asking: ask, edits, all, never',
      oneOf('--approve', APPROVAL_PRESETS),
    )
    .option('--max-auto <requests>', 'ask again after this many without a question', wholeNumber('--max-auto', 1))
    .option('--rule <rule>', '"allow command npm test", "deny path x/**" (repeatable)', collecting(checkedRule))
    .option('--max-cost <usd>', 'stop before a request that would cost more', amountInUsd('--max-cost'))
    .option('--max-turns <requests>', 'stop after this many requests (default: 100)', wholeNumber('--max-turns', 1))
    .option('--max-tokens <tokens>', 'stop before using more than this', wholeNumber('--max-tokens', 1))
    .addOption(
      new Option('--resume [session]', 'continue a session (default: the newest)').argParser(
        someText('--resume', "a session's id"),
      ),
    )
    .option('--checkpoint', 'make a checkpoint before the first change')
    .option(
      '--system-file <path>',
      "use this file instead of Cairn's instructions",
      someText('--system-file', 'a path'),
    )
}
