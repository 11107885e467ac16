// Writes Cairn as a plugin folder for Claude Code: node tools/plugin/build.mjs [folder]. It starts this checkout.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claudeCodePlugin } from '../../packages/core/src/setup/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(root, 'packages', 'adapter-cli')
const { version } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'))
const folder = resolve(process.argv[2] ?? join(root, 'dist', 'claude-code-plugin'))
const hook = join(cli, 'dist', 'hook.js')

if (!existsSync(hook)) {
  console.error(`${hook} is missing: build the command first (npx nx build @cairn/cli).`)
  process.exit(1)
}

const program = { node: realpathSync(process.execPath), hook, command: join(cli, 'bin', 'cairn.js') }
const machine = { home: homedir(), platform: process.platform, variables: process.env }
const files = claudeCodePlugin(program, machine, version)
for (const [path, text] of files) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  // A link in its place would be written through.
  rmSync(file, { force: true })
  writeFileSync(file, text)
}
console.log(`Wrote ${files.size} files to ${folder}. In Claude Code:
  /plugin marketplace add ${folder}
  /plugin install cairn@cairn`)
