import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledScripts, writeBundledScripts } from './bundled-scripts.ts'
import type { BundledProgram } from './bundled-scripts.ts'

describe('the scripts of the command in the extension', () => {
  let folder: string
  let bundled: BundledProgram

  const put = (path: string, text: string): string => {
    const whole = join(folder, path)
    mkdirSync(join(whole, '..'), { recursive: true })
    writeFileSync(whole, text)
    chmodSync(whole, 0o755)
    return whole
  }
  const run = (script: string, ...words: readonly string[]) =>
    spawnSync(join(bundled.folder, 'bin', script), words, { encoding: 'utf8', env: { PATH: '/nowhere' } })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-scripts-'))
    // As above the editor's storage where a home folder is a package too: the scripts are no ES modules even so.
    put('package.json', '{"type": "module"}')
    // Electron is Node only when it is told.
    const node = put(
      "an editor's/electron",
      `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${process.execPath}' "$@"\n`,
    )
    put('extension/package.json', '{"type": "module"}')
    put(
      'extension/bin/cairn.js',
      'console.log(JSON.stringify([process.argv.slice(2), process.env.CAIRN_PROGRAM_FOLDER]))',
    )
    put('extension/dist/hook.js', 'console.log("hook", ...process.argv.slice(2))')
    bundled = {
      program: join(folder, 'extension'),
      folder: join(folder, "ada's storage"),
      node,
      isElectron: true,
      platform: 'linux',
    }
    writeBundledScripts(bundled)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('start the command and the hook on the editor’s Node, with their words as they are', () => {
    const words = ['a b', "it's", '$HOME', '"']
    expect(JSON.parse(run('cairn', ...words).stdout)).toEqual([words, bundled.folder])
    expect(run('cairn-node', join(bundled.folder, 'dist', 'hook.js'), 'stop').stdout).toBe('hook stop\n')
  })

  it('say that the extension is gone, but not to agents', () => {
    rmSync(bundled.program, { recursive: true })
    expect(run('cairn', 'usage')).toMatchObject({ status: 1, stderr: expect.stringContaining('Install') })
    expect(run('cairn-node', join(bundled.folder, 'dist', 'hook.js'), 'stop')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('are written again when the extension has moved, and else left alone', () => {
    const path = join(bundled.folder, 'dist', 'hook.js')
    const written = statSync(path, { bigint: true }).mtimeNs
    writeBundledScripts(bundled)
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(written)
    writeBundledScripts({ ...bundled, program: '/new' })
    expect(readFileSync(path, 'utf8')).toContain('"/new/dist/hook.js"')
    expect(readdirSync(join(bundled.folder, 'bin')).sort()).toEqual(['cairn', 'cairn-node', 'cairn.js'])
  })

  it('are batch files on Windows, which keep a percent sign', () => {
    const scripts = bundledScripts({
      program: 'C:\\x\\extension',
      folder: 'C:\\100% A&B\\cairn',
      node: 'C:\\Code\\Code.exe',
      isElectron: true,
      platform: 'win32',
    })
    expect([...scripts.keys()]).toEqual([
      'package.json',
      'bin/cairn.cmd',
      'bin/cairn-node.cmd',
      'bin/cairn.js',
      'dist/hook.js',
    ])
    expect(scripts.get('bin/cairn-node.cmd')).toMatch(
      /\r\nset "CAIRN_PROGRAM_FOLDER=C:\\100%% A&B\\cairn"\r\nset "ELECTRON_RUN_AS_NODE=1"\r\n"C:\\Code\\Code\.exe" %\*\r\n$/,
    )
  })
})
