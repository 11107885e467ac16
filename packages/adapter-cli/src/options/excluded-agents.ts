/** The agents that `watch.exclude` names. */
import { CairnError, messageOf } from '@cairn/core'
import { findImporter } from '@cairn/core/importers'

/**
 * The names as they are, in their order. @throws CairnError `usage` or `unsupported`, which names the setting, for one
 * that is no agent whose transcripts are taken in
 */
export const excludedAgents = (names: readonly string[]): readonly string[] =>
  names.map((name) => {
    try {
      return findImporter(name).agent
    } catch (error) {
      if (!CairnError.is(error)) throw error
      throw new CairnError(error.code, `The setting watch.exclude: ${messageOf(error)}`, { cause: error })
    }
  })
