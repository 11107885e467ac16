// Packages the extension: `node package.mjs [--all | --target <platform>…]`, into dist-packages; default: this machine's.
// The command and the dashboard, which have to be built, go into it as they go into the tarball.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keepPlatform, stageProgram } from '../../tools/package/stage.mjs'
import { currentTarget, prebuildOf, targets } from './targets.mjs'

/** What is in it, and why it is no less: docs/decisions/086. */
const MOST_BYTES = 18_500_000

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, target: { type: 'string', multiple: true } },
})
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce')
const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
const wanted = values.all ? targets : (values.target ?? [currentTarget()])

const run = (args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}

rmSync(`${here}dist-packages`, { recursive: true, force: true })
mkdirSync(`${here}dist-packages`)
for (const target of wanted) {
  const file = `dist-packages/cairn-${target}-${version}.vsix`
  run(['build.mjs', '--target', target])
  await stageProgram(root, `${here}dist/cairn`)
  keepPlatform(`${here}dist/cairn`, prebuildOf(target), target === currentTarget())
  run([vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--target', target, '--out', file])
  const { size } = statSync(`${here}${file}`)
  console.log(`${file}: ${(size / 1e6).toFixed(2)} MB`)
  if (size > MOST_BYTES) {
    console.error(`${file} is over ${MOST_BYTES / 1e6} MB.`)
    process.exitCode = 1
  }
}
