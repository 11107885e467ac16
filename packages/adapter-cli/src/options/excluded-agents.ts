/** The agents that `watch.exclude` names. */
import { findImporter } from '@cairn/core/importers'

/** The names as they are. @throws CairnError `usage` or `unsupported` for one that is no agent whose transcripts are taken in. */
export const excludedAgents = (names: readonly string[]): readonly string[] =>
  names.map((name) => findImporter(name).agent)
