/** An option that takes one value, given twice: which one was meant, nobody knows. */
import { CairnError } from '@cairn/core'
import type { Command } from 'commander'
import { collects } from './option-values.ts'

/** Makes the subcommands refuse options of one value that are given more than once. To be called when they have their options. */
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
