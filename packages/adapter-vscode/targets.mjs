// The platforms that the extension is packaged for, and the native build of SQLite that each takes along.

/** VS Code's name of a platform → better-sqlite3's. */
const PREBUILDS = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'alpine-x64': 'linuxmusl-x64',
  'alpine-arm64': 'linuxmusl-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64',
  'win32-arm64': 'win32-arm64',
}

export const targets = Object.keys(PREBUILDS)

/**
 * The prebuilt binaries' name for a platform of an extension's package. Throws an Error for one that there is none for.
 * @param {string} target
 */
export const prebuildOf = (target) => {
  const prebuild = PREBUILDS[target]
  if (prebuild === undefined) throw new Error(`there is no platform "${target}": use one of ${targets.join(', ')}`)
  return prebuild
}

/** The platform of an extension's package for the machine that this runs on, such as `linux-x64`. */
export const currentTarget = () => {
  const isMusl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined
  return `${isMusl ? 'alpine' : process.platform}-${process.arch}`
}
