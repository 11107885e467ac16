/** Refuses an option of one value that is given twice, as it is not known which one was meant. */
import { CairnError } from '@cairn/core'
import type { Command } from 'commander'
import { collects } from './option-values.ts'

/**
 * Makes the subcommands of a command refuse options of one value that are given more than once. Call it after their
 * options are added; parsing then throws CairnError `usage`.
 */
export const refuseRepeated = (command: Command): void => {
  for (const each of command.commands) {
    for (const option of each.options) {
      if ((!option.required && !option.optional) || option.variadic || collects(option.parseArg)) continue
      let count = 0
      each.on(`option:${option.name()}`, () => {
        count += 1
        if (count > 1)
          throw new CairnError('usage', `${option.long ?? option.flags} was given twice; it takes one value.`)
      })
    }
  }
}
