/** Options that several commands have, to choose a model and how its context is made. */
import type { Command } from 'commander'
import { POLICY_NAMES, PRESET_NAMES } from '@cairn/core'
import { httpAddress, oneOf, someText } from './option-values.ts'

/** Adds `--model`, `--provider` and `--base-url` to a command and returns it. `which` is the help of `--model`. */
export const withModelOptions = (command: Command, which: string): Command =>
  command
    .option('--model <name>', which, someText('--model', "a model's name"))
    .option(
      '--provider <name>',
      'the provider of the model, such as ollama',
      someText('--provider', 'the name of a provider'),
    )
    .option('--base-url <url>', 'the address of a compatible server', httpAddress('--base-url'))

/** Adds `--policy` (default `cache-aware`) and `--preset` (default `safe`) to a command and returns it. */
export const withPolicyOptions = (command: Command): Command =>
  command
    .option(
      '--policy <name>',
      'what leaves the context: none (nothing), cline or clio (old parts, as the window fills), cache-aware (when that is cheapest)',
      oneOf('--policy', POLICY_NAMES),
      'cache-aware',
    )
    .option(
      '--preset <name>',
      'of cache-aware: safe, quality (for long sessions) or lean (keeps least)',
      oneOf('--preset', PRESET_NAMES),
      'safe',
    )
