#!/usr/bin/env node
// Starts the command. Plain JavaScript that any Node from 18 on can read, because its first job is to find a Node
// that is new enough; its second is to build the command when a checkout has not done so yet.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(packageFolder, 'dist', 'main.js')
/** What agents run, which must be there at once. */
const hook = join(packageFolder, 'dist', 'hook.js')

/**
 * An import makes many short-lived objects. With V8's usual limit for them a large one takes 120 MB more memory and is
 * no faster.
 */
const IMPORT_FLAG = '--max-semi-space-size=4'
/** Names the process that waits for this one, by its id. */
const LAUNCHER = 'CAIRN_LAUNCHER_PID'
const wantedFlags = process.argv[2] === 'import' ? [IMPORT_FLAG] : []

if (!isNewEnough()) {
  restart()
} else if (wantedFlags.every((flag) => process.execArgv.includes(flag)) || !replaceProcess()) {
  await start()
}

/** The store's native module needs Node-API 10, which came with 22.14; compiled-in features need 22.15. */
function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return (major > 22 || (major === 22 && minor >= 15)) && Number(process.versions.napi) >= 10
}

/** Starts this command again in the same process with other flags; false where the system can't. */
function replaceProcess() {
  if (typeof process.execve !== 'function' || process.platform === 'win32') return false
  try {
    // A channel to a parent process would not survive.
    if (process.channel) return false
    process.execve(
      process.execPath,
      [process.execPath, ...wantedFlags, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
      process.env,
    )
  } catch {
    return false
  }
  return true
}

/** Starts the command, built first in a checkout; what agents call starts a smaller program. */
async function start() {
  if (!existsSync(main)) build()
  endWithLauncher()
  const forAgents = argumentsForAgents(process.argv.slice(2))
  if (forAgents !== undefined) {
    process.argv = [process.execPath, hook, ...forAgents]
    await import(pathToFileURL(hook).href)
    return
  }
  // Keeps compiled code between runs: about 10 ms of each.
  nodeModule.enableCompileCache?.()
  await import(pathToFileURL(main).href)
}

/** The arguments of a hook or of the status line, options that stood before moved behind; their help is the command's. */
function argumentsForAgents(argv) {
  let index = 0
  while (argv[index]?.startsWith('-')) index += argv[index] === '--store' || argv[index] === '--workspace' ? 2 : 1
  const name = argv[index]
  const options = argv.slice(0, index)
  const rest = argv.slice(index + 1)
  if ([...options, ...rest].some((argument) => argument === '--help' || argument === '-h')) return undefined
  if (name === 'statusline') return [name, ...rest, ...options]
  return name === 'hook' && rest[0]?.startsWith('-') === false ? [...rest, ...options] : undefined
}

/** Ends this process when the one that started it was killed, which can't pass a signal on. Not possible on Windows. */
function endWithLauncher() {
  const launcher = Number(process.env[LAUNCHER])
  // It is meant for this process, not for those that it starts.
  delete process.env[LAUNCHER]
  if (launcher !== process.ppid) return
  const watch = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

/** Runs this same command on the Node that the repository, or the installed package in its `runtime`, has for itself. */
function restart() {
  const node = findUpwards(
    join(packageFolder, 'runtime'),
    join('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
  )
  if (node === undefined) {
    console.error(`cairn needs Node 22.15 or newer, and this is ${process.versions.node}: install a newer one.`)
    process.exit(1)
  }
  const child = spawn(
    node,
    [...wantedFlags, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, [LAUNCHER]: String(process.pid) } },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`cairn could not start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // Ends the way the child did, so that a shell sees the same.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Builds the command from the repository's sources. Of several processes one builds, and the others wait. */
function build() {
  const script = join(packageFolder, 'build.mjs')
  if (!existsSync(script)) {
    console.error('cairn is not complete: dist is missing. Install it again.')
    process.exit(1)
  }
  // Making a folder succeeds in one process only.
  const lock = join(packageFolder, '.build-lock')
  const staleAfterMs = 120_000
  while (!existsSync(main)) {
    try {
      mkdirSync(lock)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (ageMs(lock) > staleAfterMs) rmSync(lock, { recursive: true, force: true })
      else sleep(50)
      continue
    }
    try {
      // Meanwhile another call may have finished.
      if (existsSync(main)) return
      console.error('cairn: building, this happens once…')
      const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2], cwd: packageFolder })
      if (status !== 0) {
        console.error('cairn could not be built; the reason is above. Nothing else was changed.')
        process.exitCode = 1
        rmSync(lock, { recursive: true, force: true })
        process.exit()
      }
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

/** How long ago a file was changed, in ms; 0 if it is missing or can't be looked at. */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** The path in the nearest folder upwards that has it; undefined if none does. */
function findUpwards(folder, path) {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, path))) return join(at, path)
    if (at === dirname(at)) return undefined
  }
}
