// Gets what the tests in the workbench need, and says what it does meanwhile: Chromium and Kerberos' headers from Debian's
// packages (as root, as on CI's machines), code-server from npm into the user's cache. Ends with 1 and a sentence when
// something can't be had: a run that tested nothing must not look like one that passed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './browser.mjs'
import { VERSION, cacheFolder, codeServer } from './code-server.mjs'

/** Compiling takes a minute or two, and many times that on a machine that is busy. */
const LIMIT_MS = 1_800_000
const TELL_EVERY_MS = 20_000
const LOG_KEPT = 20_000

class Missing extends Error {}

/** Runs a program without its output, and says now and then that it still runs; `{status, log}`. */
const run = (what, command, args, { cwd, env } = {}) =>
  new Promise((resolve) => {
    const started = Date.now()
    const seconds = () => Math.round((Date.now() - started) / 1_000)
    console.log(`${what} …`)
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    })
    const progressTimer = setInterval(() => console.log(`${what} … ${seconds()} s`), TELL_EVERY_MS)
    let log = ''
    const keep = (text) => (log = (log + text).slice(-LOG_KEPT))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const end = (status) => {
      clearInterval(progressTimer)
      console.log(`${what}: ${status === 0 ? 'done' : 'FAILED'} after ${seconds()} s`)
      resolve({ status, log })
    }
    child.once('error', ({ message }) => {
      keep(message)
      end(1)
    })
    child.once('close', (status) => end(status ?? 1))
  })

const hasPackage = (name) => spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status === 0

/**
 * Installs Debian's and Ubuntu's packages.
 * @throws Missing without root, naming the command, or if it fails
 */
const installPackages = async (names) => {
  if (names.length === 0) return
  const command = `apt-get install --no-install-recommends ${names.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Missing(`Missing: ${names.join(', ')}. On Debian and Ubuntu: sudo ${command}`)
  // Another program may be installing something.
  const wait = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await run('Reading the lists of packages', 'apt-get', [...wait, 'update'], { env })
  const installed = await run(
    `Installing ${names.join(', ')}`,
    'apt-get',
    [...wait, 'install', '--no-install-recommends', ...names],
    { env },
  )
  if (installed.status !== 0) throw new Missing(`${command} failed: ${lastLines(updated.log + installed.log)}`)
}

const lastLines = (log) => log.trim().split('\n').slice(-4).join('\n')

/** Installs a package into a folder of its own; rejects with Missing where that fails. */
const npmInstall = async (folder, spec, env) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const { status, log } = await run(
    `Installing ${spec} into ${folder}`,
    'npm',
    ['install', '--no-audit', '--no-fund', '--omit=dev', spec],
    { cwd: folder, env },
  )
  if (status !== 0) throw new Missing(`${spec} could not be installed: ${lastLines(log)}`)
}

/**
 * Installs code-server with the Node headers that its native parts need; takes minutes. An unfinished installation is
 * made anew.
 */
const installCodeServer = async () => {
  const { folder, complete } = codeServer()
  // Its native parts are compiled against the headers that come with this package of Node.
  const node = `node-${process.platform}-${process.arch}`
  const nodeFolder = join(cacheFolder(), `node-${process.versions.node}`)
  const home = join(nodeFolder, 'node_modules', node)
  if (!existsSync(join(home, 'include'))) await npmInstall(nodeFolder, `${node}@${process.versions.node}`)
  rmSync(folder, { recursive: true, force: true })
  await npmInstall(folder, `code-server@${VERSION}`, {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    npm_config_nodedir: home,
  })
  writeFileSync(complete, '')
}

try {
  if (process.platform === 'win32') throw new Missing('code-server does not run on Windows.')
  if (Number(process.versions.node.split('.')[0]) !== 24)
    throw new Missing(
      `code-server ${VERSION} needs Node 24, and this is ${process.versions.node}; run it with "npx nx".`,
    )
  const isInstalled = existsSync(codeServer().complete)
  const isDebian = existsSync('/usr/bin/dpkg')
  const compiling =
    isInstalled || !isDebian ? [] : ['g++', 'make', 'python3', 'libkrb5-dev'].filter((name) => !hasPackage(name))
  await installPackages([...(findChromium() === undefined ? ['chromium'] : []), ...compiling])
  if (findChromium() === undefined) throw new Missing('There is no Chromium: install it, or name it in CHROMIUM.')
  if (!isInstalled) await installCodeServer()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
