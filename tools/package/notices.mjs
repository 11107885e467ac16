// The licences of libraries whose code is inside of Cairn's own files: found by the sources that the source maps name.
import { existsSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MAPS = [
  'packages/adapter-cli/dist/**/*.map',
  'apps/dashboard/.next/static/**/*.map',
  'apps/dashboard/.next/server/**/*.map',
]
const LICENCE = /^(licen[cs]e|copying)/i

/** Writes THIRD-PARTY-NOTICES.txt: name, version and licence of each. */
export function writeNotices(root, folder) {
  const names = new Set(
    MAPS.flatMap((pattern) => globSync(pattern, { cwd: root })).flatMap((map) => bundled(join(root, map))),
  )
  const notices = [...names].sort().flatMap((name) => notice(join(root, 'node_modules', name)))
  const rule = `\n${'-'.repeat(80)}\n`
  writeFileSync(
    join(folder, 'THIRD-PARTY-NOTICES.txt'),
    `Cairn's files hold code of these libraries.\n${rule}${notices.join(rule)}`,
  )
}

/** The packages whose code a source map names. */
function bundled(map) {
  const text = readFileSync(map, 'utf8')
  return [...text.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g)].map(([, name]) => name)
}

/** The notice of a library as a list of one; empty where it is not there. */
function notice(folder) {
  if (!existsSync(join(folder, 'package.json'))) return []
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => LICENCE.test(entry))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return [`${name} ${version} (${license})\n${text}`]
}
