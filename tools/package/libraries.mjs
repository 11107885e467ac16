// The files of libraries that the command and the dashboard load, found by following their imports, with the licences.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'

const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')

/** Files and packages that a program which is neither built nor developed here never loads. */
const NEVER_LOADED = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\.development\.js$/,
  /\.dev\.js$/,
  /-experimental\//,
  /^node_modules\/(webpack|webpack-sources|terser|@swc\/core[^/]*|esbuild|@esbuild|lightningcss|browserslist)\//,
  /^node_modules\/(caniuse-lite|postcss|typescript|jest-worker|minimizer-webpack-plugin|node-addon-api)\//,
  // For pages on an experimental React.
  /^node_modules\/next\/dist\/compiled\/next-server\/app-page(-turbo)?-experimental\.runtime\.prod\.js$/,
  // The dashboard scales no images.
  /^node_modules\/(sharp|@img)\//,
  /^node_modules\/next\/dist\/docs\//,
  /^node_modules\/next\/dist\/compiled\/(webpack|babel|babel-packages|next-devtools|@next\/font|@vercel\/og)\//,
]
/** Files whose existence Next checks at every start, though only its build loads them; the large bundle behind them is left out. */
const LOOKED_UP = [
  'node_modules/next/dist/compiled/webpack/[!b]*.js',
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
]
/** What of a package's own manifest says how it is loaded. Its scripts are not for the installer. */
const MANIFEST = ['name', 'version', 'license', 'author', 'type', 'main', 'module', 'exports', 'imports', 'sideEffects']
/** The folder of the package that a file belongs to. */
const PACKAGE_FOLDER = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LEGAL = /^(licen[cs]e|notice|copying)/i

/** Copies libraries into `folder/node_modules`; returns the versions by name of those at its top. */
export async function copyLibraries(root, folder) {
  const lookedUp = LOOKED_UP.flatMap((pattern) => globSync(pattern, { cwd: root })).map(slashed)
  const found = [...(await imported(root)), ...tracedByBuild(root)].filter(isLoaded)
  const files = [...new Set([...lookedUp, ...found])]
  const versions = new Map()
  for (const file of files) {
    const location = PACKAGE_FOLDER.exec(file)?.[1]
    if (location === undefined || !statSync(join(root, file)).isFile()) continue
    if (!versions.has(location)) versions.set(location, manifestOf(root, location).version)
    if (file !== `${location}/package.json`) copy(join(root, file), join(folder, file))
  }
  for (const location of versions.keys()) copyPackageFacts(root, folder, location, versions)
  const top = [...versions].map(([location, version]) => [location.slice('node_modules/'.length), version])
  return Object.fromEntries(
    top.filter(([name]) => !name.includes('node_modules/')).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function slashed(path) {
  return path.replaceAll(sep, '/')
}

/** Whether a file of a library is loaded when the program runs. */
function isLoaded(file) {
  return file.includes('node_modules/') && !NEVER_LOADED.some((pattern) => pattern.test(file))
}

/** Files that are imported from the command and from the dashboard's server, relative to the root, with `/`. */
async function imported(root) {
  const entries = [
    ...globSync('packages/adapter-cli/{bin,dist}/**/*.js', { cwd: root }),
    'apps/dashboard/bin/serve.mjs',
  ].map((file) => join(root, file))
  const { fileList } = await nodeFileTrace(entries, {
    base: root,
    processCwd: root,
    ignore: (path) => path.startsWith('apps/dashboard/.next') || NEVER_LOADED.some((pattern) => pattern.test(path)),
  })
  return [...fileList].map(slashed)
}

/** Files that Next found its pages to load. */
function tracedByBuild(root) {
  const build = join(root, 'apps', 'dashboard', '.next')
  const lists = globSync('**/*.nft.json', { cwd: build, exclude: (path) => String(path) === 'cache' })
  return lists.flatMap((list) => {
    const path = join(build, list)
    const { files } = JSON.parse(readFileSync(path, 'utf8'))
    return files
      .map((file) => slashed(relative(root, resolve(dirname(path), file))))
      .filter((file) => file.startsWith('node_modules/') && existsSync(join(root, file)))
  })
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { dereference: true })
}

/** Copies a package's licences, and writes the manifest that loading needs. */
function copyPackageFacts(root, folder, location, versions) {
  for (const file of readdirSync(join(root, location)).filter((name) => LEGAL.test(name)))
    cpSync(join(root, location, file), join(folder, location, file), { recursive: true })
  const manifest = manifestOf(root, location)
  const kept = Object.fromEntries(MANIFEST.filter((key) => key in manifest).map((key) => [key, manifest[key]]))
  const dependencies = present(manifest, location, versions)
  writeFileSync(join(folder, location, 'package.json'), `${JSON.stringify({ ...kept, dependencies }, null, 2)}\n`)
}

/** What a package depends on, as far as it is in the tarball: the installer finds all of it there and fetches nothing. */
function present({ dependencies, optionalDependencies, peerDependencies }, location, versions) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const found = names.map((name) => [
    name,
    versions.get(`${location}/node_modules/${name}`) ?? versions.get(`node_modules/${name}`),
  ])
  return Object.fromEntries(found.filter(([, version]) => version !== undefined))
}

function manifestOf(root, location) {
  return JSON.parse(readFileSync(join(root, location, 'package.json'), 'utf8'))
}
