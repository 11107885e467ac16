/** The facts on which the usual locations of settings depend. */

export interface Machine {
  /** The user's home folder, absolute. */
  readonly home: string
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** The value of an environment variable, untrimmed; undefined if it is not set or blank. */
export const variable = ({ variables }: Machine, name: string): string | undefined => {
  const value = variables[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/**
 * The path of names below a folder, in the platform's style. Names are not checked. Separators at the end of the folder
 * are left out.
 */
export const below = ({ platform }: Machine, folder: string, ...names: readonly string[]): string => {
  const separator = platform === 'win32' ? '\\' : '/'
  return [folder.replace(/[\\/]+$/, ''), ...names].join(separator)
}

/** `$XDG_CONFIG_HOME`, or else `~/.config`; programs that use it do so on every platform. Empty counts as not set. */
export const xdgConfig = (machine: Machine): string =>
  variable(machine, 'XDG_CONFIG_HOME') ?? below(machine, machine.home, '.config')

/** The folder in which the platform's desktop programs store the user's data, whether or not it exists. */
export const applicationData = (machine: Machine): string => {
  const { home, platform } = machine
  if (platform === 'darwin') return below(machine, home, 'Library', 'Application Support')
  if (platform === 'win32') return variable(machine, 'APPDATA') ?? below(machine, home, 'AppData', 'Roaming')
  return xdgConfig(machine)
}
