/** Arguments that the engine finds wrong are wrong usage of the command: exit code 2. */
import { CairnError } from '@cairn/core'
import type { Command } from 'commander'
import { didYouMean } from './close-matches.ts'

/** What the engine answers; its `invalid-input` becomes `usage`. For calls whose input was typed by the user. */
export const asUsage = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    if (CairnError.is(error) && error.code === 'invalid-input')
      throw new CairnError('usage', error.message, { cause: error })
    throw error
  }
}

/** For a subcommand without arguments that is meant where none is named: a word that comes with it may be another one's name. */
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
