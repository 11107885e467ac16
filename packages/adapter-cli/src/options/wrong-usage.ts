/** Converts errors about arguments into wrong usage of the command: exit code 2. */
import { CairnError } from '@cairn/core'
import type { Command } from 'commander'
import { didYouMean } from './close-matches.ts'

/**
 * Returns the engine's answer; its error `invalid-input` becomes `usage`, and any other stays. For calls whose input
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
 * Does nothing if a default subcommand, which takes no arguments, was given none.
 * @throws CairnError `usage` otherwise, because the word may be a misspelt subcommand
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
