// npm run package, after the builds: makes what is handed out, in dist: one tarball with the command and the built dashboard, which
// installs without a build and, on a Node that is new enough, without the network; and the extension for this platform.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeManifest } from './manifest.mjs'
import { npm } from './npm.mjs'
import { stageProgram } from './stage.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'dist')

/** Fills a folder with all that the tarball holds. */
async function stage(folder) {
  const libraries = await stageProgram(root, folder)
  cpSync(join(root, 'tools', 'package', 'bring-node.cjs'), join(folder, 'bin', 'bring-node.cjs'))
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file))
  writeManifest(root, folder, libraries)
}

/** Makes the tarball; its path. */
async function packCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-package-'))
  try {
    await stage(folder)
    const packed = JSON.parse(
      npm(['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', out], folder),
    )
    const [{ filename, unpackedSize, entryCount }] = Array.isArray(packed) ? packed : Object.values(packed)
    const file = join(out, filename)
    console.log(
      `dist/${filename}: ${megabytes(statSync(file).size)}, installed ${megabytes(unpackedSize)} in ${entryCount} files`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the packaged extension beside the tarball; throws if there is none of this version. */
function copyExtension() {
  const made = join(root, 'packages', 'adapter-vscode', 'dist-packages')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = existsSync(made) ? readdirSync(made).filter((file) => file.endsWith(`-${version}.vsix`)) : []
  if (files.length === 0) throw new Error(`The extension was not packaged: ${made} holds no .vsix of ${version}.`)
  for (const file of files) {
    cpSync(join(made, file), join(out, file))
    console.log(`dist/${file}: ${megabytes(statSync(join(out, file)).size)}`)
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await packCommand()
copyExtension()
