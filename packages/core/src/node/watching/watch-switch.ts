/** `CAIRN_WATCH` in the environment: switches off for one run what dashboard and editor do by themselves. */

const OFF: ReadonlySet<string> = new Set(['off', '0', 'false', 'no'])

/** Whether `CAIRN_WATCH` says, in any letter case, that transcripts are not to be followed. */
export const isWatchSwitchedOff = (variables: Readonly<Record<string, string | undefined>>): boolean =>
  OFF.has(variables['CAIRN_WATCH']?.toLowerCase() ?? '')
