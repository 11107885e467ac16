// The real workbench and extension host without a desktop: code-server, kept in the user's cache (617 MB; prepare.mjs puts
// it there). `serve()` runs it on loopback.
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentTarget } from '../targets.mjs'

export const VERSION = '4.139.1'
const START_LIMIT_MS = 120_000

const extension = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'))
/** The extension's package for this machine, as the target `package` makes it. */
export const vsix = join(extension, 'dist-packages', `cairn-${currentTarget()}-${version}.vsix`)
/** Where the screenshots of the documentation lie. */
export const pictures = join(extension, 'media', 'screenshots')

/**
 * The folder for what is downloaded for these tests: `CAIRN_WORKBENCH_CACHE`, else one in the user's cache. Nothing is
 * made.
 */
export const cacheFolder = () => {
  if (process.env.CAIRN_WORKBENCH_CACHE) return process.env.CAIRN_WORKBENCH_CACHE
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'cairn-workbench')
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cairn-workbench')
}

/** Where code-server is kept: its folder, its program, and a file that exists once all of it is there. Nothing is made. */
export const codeServer = () => {
  const folder = join(cacheFolder(), `code-server-${VERSION}`)
  return {
    folder,
    entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
    complete: join(folder, '.complete'),
  }
}

/** A port that was free a moment ago. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The variables for code-server: without a gallery of extensions, and without anything of the machine's own editor. */
const environment = (home, variables) => {
  const nowhere = 'https://127.0.0.1:9/none'
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:VSCODE_|ELECTRON_|XDG_|CAIRN_|NODE_OPTIONS$|NX_)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: nowhere, itemUrl: nowhere }),
    ...variables,
  }
}

/** Installs an extension's package as a user would. Throws with what the program said where it can't be. */
export const installExtension = (entry, { home, profile, file }) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [entry, ...profileArguments(profile), '--install-extension', file],
    { env: environment(home, {}), encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The extension could not be installed: ${stdout}${stderr}`)
}

const profileArguments = (profile) => [
  '--user-data-dir',
  join(profile, 'data'),
  '--extensions-dir',
  join(profile, 'extensions'),
  '--config',
  join(profile, 'config.yaml'),
]

/** Writes the user's settings of a profile, in place of former ones. */
export const writeSettings = (profile, settings) => {
  mkdirSync(join(profile, 'data', 'User'), { recursive: true })
  writeFileSync(join(profile, 'data', 'User', 'settings.json'), JSON.stringify(settings))
}

/**
 * Starts the server on a free port; resolves with `{url, stop}` once it answers, and rejects, with it stopped, where it
 * ends or takes too long. With `asksForTrust` folders are not trusted until the user says so.
 */
export const serve = async (entry, { home, profile, variables, log, asksForTrust = false }) => {
  writeFileSync(join(profile, 'config.yaml'), '{}\n')
  const port = await freePort()
  const options = [
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    ...(asksForTrust ? [] : ['--disable-workspace-trust']),
    '--disable-getting-started-override',
    '--ignore-last-opened',
  ]
  const server = spawn(
    process.execPath,
    [entry, '--bind-addr', `127.0.0.1:${port}`, ...options, ...profileArguments(profile)],
    {
      env: environment(home, variables),
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own group: the extension hosts outlive it for seconds.
      detached: true,
    },
  )
  const output = createWriteStream(log)
  server.stdout.pipe(output)
  server.stderr.pipe(output)
  const gone = new Promise((resolve) => server.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    signalGroup(server.pid, 'SIGTERM')
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3_000))])
    signalGroup(server.pid, 'SIGKILL')
    await gone
  }
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    try {
      if ((await fetch(`${url}/healthz`)).ok) return { url, stop }
    } catch {
      // It does not listen yet.
    }
    if (Date.now() > deadline || server.exitCode !== null) {
      await stop()
      throw new Error(`code-server did not start; see ${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Sends a signal to a process and those that it started; one that is gone is no error. */
const signalGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone.
  }
}
