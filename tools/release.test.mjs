// A release raises the version of every package, and of the repository itself, whose version names the tarball.
import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifests = () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return ['package.json', ...workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }))]
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
}

describe('nx release', () => {
  it('raises every version', () => {
    // Neither what a run of Nx around this one hands on, nor colours.
    const inherited = Object.entries(process.env).filter(([name]) => !/^NX_|COLOR/.test(name))
    const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js')
    const { status, stdout, stderr } = spawnSync(process.execPath, [nx, 'release', '98.76.54', '--dry-run'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...Object.fromEntries(inherited), NX_DAEMON: 'false', NO_COLOR: '1' },
    })
    expect({ status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, stderr: '' })
    const raised = [...stdout.matchAll(/New version 98\.76\.54 written to manifest: (\S+)/g)].map(([, path]) => path)
    expect(raised.sort()).toEqual(manifests())
  }, 120_000)
})
