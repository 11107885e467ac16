/** Answers the dashboard server's request for the settings, when a page shows them. */
import type { CommonOptions, Context } from '../command.ts'
import { SETTING_KEYS } from '../config/settings.ts'
import { shownSettings } from '../config/shown-settings.ts'
import type { ShownSetting } from '../config/shown-settings.ts'
import { sentenceOf } from '../runtime/failure.ts'

/** The settings for the dashboard's page about them. */
export interface SettingsAnswer {
  /** Null where they can't be read; `problem` says why. */
  readonly settings: readonly (ShownSetting & { readonly what: string })[] | null
  readonly problem: string | null
  /** The project whose settings these are: a path. */
  readonly project: string
}

/**
 * Returns the settings as they are now, as `cairn config` lists them; if they can't be read, null and the problem.
 * Never rejects.
 */
export const settingsAnswer = async (
  options: CommonOptions,
  context: Context,
  project: string,
): Promise<SettingsAnswer> => {
  try {
    const settings = shownSettings(await context.settings(options))
    return { settings: settings.map((each) => ({ ...each, what: SETTING_KEYS[each.key] })), problem: null, project }
  } catch (error) {
    return { settings: null, problem: sentenceOf(error), project }
  }
}
