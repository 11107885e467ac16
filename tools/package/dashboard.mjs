// The built dashboard without what only its build needs.
import { cpSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const FILES = ['bin', 'next.config.mjs', 'package.json']
/** Parts of `.next` that no server reads. `node_modules` holds links only, which a tarball can't. */
const LEFT_OUT = new Set([
  'build',
  'cache',
  'diagnostics',
  'lock',
  'node_modules',
  'required-server-files.js',
  'standalone',
  'trace',
  'trace-build',
  'turbopack',
  'types',
])

/** Copies the dashboard to the same place below `folder` where the repository has it. Throws where it was not built. */
export function copyDashboard(root, folder) {
  const from = join(root, 'apps', 'dashboard')
  const to = join(folder, 'apps', 'dashboard')
  for (const file of FILES) cpSync(join(from, file), join(to, file), { recursive: true })
  const build = join(from, '.next')
  cpSync(build, join(to, '.next'), {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(relative(build, path).split(sep)[0]) && !/\.(map|nft\.json)$/.test(path),
  })
  nameLibraries(build, join(to, '.next'))
  makePathsRelative(root, join(to, '.next', 'required-server-files.json'))
}

/** Makes the paths in a file of JSON relative to the repository, which users don't have. */
function makePathsRelative(root, file) {
  const location = JSON.stringify(join(root, '/')).slice(1, -1)
  const text = readFileSync(file, 'utf8')
    .replaceAll(location, '')
    .replaceAll(JSON.stringify(location.replace(/[/\\]+$/, '')), '"."')
  writeFileSync(file, text)
}

/**
 * The server's code asks for libraries by the names of the links in `.next/node_modules`; here it gets their own names.
 * Throws if it names none.
 */
function nameLibraries(build, copied) {
  const names = linkNames(join(build, 'node_modules'))
  const alternatives = names.map(([link]) => link).join('|')
  if (alternatives === '') throw new Error('The dashboard names no library: its build is not as expected.')
  const own = new Map(names)
  for (const file of globSync('server/**/*.js', { cwd: copied })) {
    const path = join(copied, file)
    const code = readFileSync(path, 'utf8')
    const named = code.replace(new RegExp(alternatives, 'g'), (link) => own.get(link))
    if (named !== code) writeFileSync(path, named)
  }
}

/** Pairs of a link's name and the library's, `pg-587764f78a6c7a9c` and `pg`. */
function linkNames(folder) {
  const found = []
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('@')) {
      for (const scoped of readdirSync(join(folder, entry))) found.push(`${entry}/${scoped}`)
    } else found.push(entry)
  }
  return found.map((link) => {
    const name = /^(.+)-[0-9a-f]{16}$/.exec(link)?.[1]
    if (name === undefined) throw new Error(`The dashboard's build has a link of an unknown form: ${link}`)
    return [link, name]
  })
}
