// The tarball's package.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `cairn` is another project's package on npm. The command is called cairn nevertheless. */
const NAME = 'cairn-memory'

/** Writes it. `libraries`: versions by name; they lie in the tarball, and nothing is fetched for them. */
export function writeManifest(root, folder, libraries) {
  const { version, description, license, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: NAME,
    version,
    description,
    license,
    author,
    keywords: ['coding-agents', 'claude-code', 'codex', 'memory', 'mcp', 'usage', 'cost'],
    type: 'module',
    bin: { cairn: 'bin/cairn.js' },
    // On a Node that is older than the command needs, the installation brings a newer one.
    engines: { node: '>=20' },
    scripts: { postinstall: 'node bin/bring-node.cjs' },
    cairnNode: nodeVersion(root),
    dependencies: libraries,
    bundleDependencies: Object.keys(libraries),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The version of Node that the repository runs on. */
function nodeVersion(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
}
