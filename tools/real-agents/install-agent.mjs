// Installs an agent from the npm registry, in exactly one version, into a cache that later runs find again.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { npm } from '../package/npm.mjs'

/** Written last, so that an installation that was broken off is begun again. */
const DONE = 'installed.json'

/** The folder that agents are kept in between runs, by the platform's custom. */
const cacheFolder = () => {
  const { CAIRN_AGENTS_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (CAIRN_AGENTS_CACHE) return CAIRN_AGENTS_CACHE
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'cairn-test-agents')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'cairn-test-agents')
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'cairn-test-agents')
}

/**
 * Scripts of packages are not run: what they do, finding the platform's program, the agents' descriptors do themselves.
 * Installs an agent's package of this version, once: it is kept between runs.
 * @param {{package: string, version: string}} agent
 * @returns {string} the folder `node_modules` that holds it
 * @throws what npm says where the package can't be fetched
 */
export function installAgent({ package: name, version }) {
  const folder = join(cacheFolder(), `${name.replaceAll(/[^\w.-]+/g, '-').replace(/^-/, '')}-${version}`)
  const modules = join(folder, 'node_modules')
  if (isInstalled(folder)) return modules
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  console.log(`installing ${name}@${version} into ${folder}`)
  const options = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  npm(['install', ...options, `${name}@${version}`], folder)
  writeFileSync(join(folder, DONE), `${JSON.stringify({ platform: platformName() })}\n`)
  return modules
}

/** A cache may be shared by containers of several systems. */
const platformName = () => `${process.platform}-${process.arch}`

/** Whether an agent was installed completely, on this platform. */
const isInstalled = (folder) => {
  const mark = join(folder, DONE)
  return existsSync(mark) && JSON.parse(readFileSync(mark, 'utf8')).platform === platformName()
}
