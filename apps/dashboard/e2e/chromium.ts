/** Finds a Chromium for the tests in the browser; on a machine of CI's, where we are root, installs Debian's. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** No first-run pages, no network of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser that CAIRN_CHROMIUM names, else one in the usual places; undefined where there is none. */
const find = (): string | undefined => {
  const named = process.env['CAIRN_CHROMIUM']
  return (named === undefined ? USUAL_PATHS : [named]).find((path) => existsSync(path))
}

/** Installs Chromium by apt; throws where that fails. */
const install = (): void => {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env: environment })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  })
}

/**
 * Path of the browser to test with, or undefined when there is none. In CI, as root where there is apt-get, one is
 * installed first; that it can't be is only told.
 */
export const findChromium = (): string | undefined => {
  const found = find()
  if (found !== undefined) return found
  const isRoot = process.getuid?.() === 0
  if (process.env['CI'] !== 'true' || !isRoot || !existsSync('/usr/bin/apt-get')) return undefined
  try {
    install()
  } catch (error) {
    console.error(`Chromium could not be installed: ${String(error)}`)
  }
  return find()
}
