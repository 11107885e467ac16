/** What leaves for a team's store, by workspace. */

/** From least to most: nothing; figures without any text; the text of messages, too. */
export const SHARE_LEVELS = ['nothing', 'figures', 'text'] as const
export type ShareLevel = (typeof SHARE_LEVELS)[number]

export interface SyncChoices {
  /** For workspaces that are not named, and sessions without one. */
  readonly share: ShareLevel
  /** By folder; the deepest one that a workspace lies in counts. */
  readonly workspaces: Readonly<Record<string, ShareLevel>>
  /** How workspaces and branches are sent with figures: as hashes, or as they are. */
  readonly names: 'hashed' | 'plain'
}

/** What is sent where nothing was chosen. */
export const DEFAULT_CHOICES: SyncChoices = { share: 'figures', workspaces: {}, names: 'hashed' }

/** A path without slashes at its end, which are of one kind. */
const comparable = (path: string): string => path.replaceAll('\\', '/').replace(/\/+$/, '')

/**
 * What is shared of a workspace (its path): the level of the deepest named folder that it is or lies in, else what
 * holds for all; also for undefined, a session without one. Letter case counts; `\` and `/` are the same.
 */
export const shareLevelOf = (choices: SyncChoices, workspace: string | undefined): ShareLevel => {
  if (workspace === undefined) return choices.share
  const path = `${comparable(workspace)}/`
  let deepest = -1
  let level = choices.share
  for (const [folder, chosen] of Object.entries(choices.workspaces)) {
    const prefix = `${comparable(folder)}/`
    if (!path.startsWith(prefix) || prefix.length <= deepest) continue
    deepest = prefix.length
    level = chosen
  }
  return level
}
