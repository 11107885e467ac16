/** Converts errors about arguments into wrong usage of the command: exit code 2. */
import { CairnError } from '@cairn/core'
import type { Command } from 'commander'
import { didYouMean } from './close-matches.ts'

/**
 * Passes an answer of the engine on; its `invalid-input` becomes `usage`, any other error stays. For calls whose input
 * the user typed.
 */
export const asUsage = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    if (CairnError.is(error) && error.code === 'invalid-input')
      throw new CairnError('usage', error.message, { cause: error })
    throw error
  }
}

/**
 * Throws `usage` when a default subcommand, which takes no arguments, was given a word: that may be a misspelt
 * subcommand. Passes where it was given none.
 */
export const checkNoWords = (subcommand: Command, command: Command): void => {
  const [word] = subcommand.args
  if (word === undefined) return
  const name = command.name()
  throw new CairnError(
    'usage',
    `Unknown command '${word}'; "${name} ${subcommand.name()}" takes no words.${didYouMean(
      word,
      command.commands.map((each) => each.name()),
    )} See: cairn ${name} --help`,
  )
}
