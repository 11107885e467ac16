// The program as it is handed out, in the tarball and in the editor's extension: the command and the built dashboard with
// the libraries that they load.
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyDashboard } from './dashboard.mjs'
import { copyLibraries } from './libraries.mjs'
import { writeNotices } from './notices.mjs'

/**
 * Fills a folder with the program and its licences; the versions by name of the libraries at its top. Command and dashboard
 * have to be built.
 */
export async function stageProgram(root, folder) {
  const command = join(root, 'packages', 'adapter-cli')
  cpSync(join(command, 'bin'), join(folder, 'bin'), { recursive: true })
  const isForUsers = (path) => !path.endsWith('.map')
  cpSync(join(command, 'dist'), join(folder, 'dist'), { recursive: true, filter: isForUsers })
  copyDashboard(root, folder)
  const libraries = await copyLibraries(root, folder)
  writeNotices(root, folder)
  return libraries
}

/**
 * Removes the native files for other platforms than one.
 * @param {string} folder of a program that was staged
 * @param {string} prebuild better-sqlite3's name of the platform, such as `linux-x64`
 * @param {boolean} isOwn whether it is this machine's; the parser is installed for that alone, and no other takes it along
 */
export function keepPlatform(folder, prebuild, isOwn) {
  const binaries = join(folder, 'node_modules', 'better-sqlite3', 'prebuilds')
  const names = readdirSync(binaries)
  if (!names.includes(`${prebuild}.node`)) throw new Error(`There is no SQLite for ${prebuild}: ${names.join(', ')}.`)
  for (const name of names) if (name !== `${prebuild}.node`) rmSync(join(binaries, name))
  if (!isOwn) rmSync(join(folder, 'node_modules', '@oxc-parser'), { recursive: true, force: true })
}
