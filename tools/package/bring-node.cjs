// Runs after an installation. Where Node is too old for Cairn, it fetches one that is new enough from npm's registry into
// this package; bin/cairn.js finds it there. Never fails the installation: without it the command says what it needs.
const { spawnSync } = require('node:child_process')
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const OLDEST = [22, 15]
const folder = join(__dirname, '..')
const runtime = join(folder, 'runtime')

/** npm's package of Node for this machine. */
function packageName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${process.arch}`
}

/**
 * Installs Node with npm into a folder of this package, without running scripts; removes the folder again if that
 * fails.
 */
function fetchNode(version) {
  mkdirSync(runtime, { recursive: true })
  writeFileSync(join(runtime, 'package.json'), '{ "private": true }\n')
  const script = process.env.npm_execpath
  const args = [
    'install',
    `node@npm:${packageName()}@${version}`,
    '--prefix',
    runtime,
    '--global=false',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { status } =
    script === undefined
      ? spawnSync('npm', args, { cwd: runtime, stdio: 'inherit', shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [script, ...args], { cwd: runtime, stdio: 'inherit' })
  if (status !== 0) rmSync(runtime, { recursive: true, force: true })
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  try {
    fetchNode(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).cairnNode)
  } catch (error) {
    console.error(`No newer Node could be fetched: ${error.message}`)
  }
}
