/** The agents that `watch.exclude` names. */
import { CairnError, messageOf } from '@cairn/core'
import { findImporter } from '@cairn/core/importers'

/**
 * Returns the names unchanged if all are agents whose transcripts are imported.
 * @throws CairnError `usage` or `unsupported`, naming the setting, if one is not
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
