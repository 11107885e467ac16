// `npm test`: all suites. `npm test -- <name>`: only test files whose path holds the name, in the projects that have such files.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(
    'The tests need Node 22 or newer; run them with npm, which brings the Node of this repository: npm test',
  )
  process.exit(1)
}
const names = process.argv.slice(2)
process.exitCode = names.length === 0 ? allSuites() : namedSuites(names)

/** Runs the tests of all projects; their exit code, 1 where they could not be started. */
function allSuites() {
  return (
    spawnSync('nx', ['run-many', '-t', 'test'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
      .status ?? 1
  )
}

/** Jest itself, without Nx: a single suite is to start at once. */
function namedSuites(names) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.*'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => file !== '' && names.some((name) => file.includes(name)))
  if (files.length === 0) {
    console.error(`No test file has ${names.map((name) => `"${name}"`).join(' or ')} in its path.`)
    return 1
  }
  const projects = Map.groupBy(files, projectOf)
  let status = 0
  for (const [project, own] of projects) {
    const jest = join(root, 'node_modules/jest/bin/jest.js')
    const run = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--no-warnings', jest, '--runTestsByPath', ...own.map((file) => join(root, file))],
      {
        cwd: join(root, project),
        stdio: 'inherit',
      },
    )
    status ||= run.status ?? 1
  }
  return status
}

/** The folder above a file that has a Jest configuration. */
function projectOf(file) {
  let folder = dirname(file)
  while (folder !== '.' && !existsSync(join(root, folder, 'jest.config.mjs'))) folder = dirname(folder)
  return folder
}
