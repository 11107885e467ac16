// `npx nx g @cairn/tools:provider acme --baseUrl=https://api.acme.example/v1 --wire=own`
import { formatFiles, generateFiles } from '@nx/devkit'
import { fileURLToPath } from 'node:url'
import { insertBefore, pascalCase, refuseExisting } from './names.mjs'

const FOLDER = 'packages/core/src/providers'
const REGISTRY = `${FOLDER}/registry.ts`

/**
 * Writes a provider and enters it in the registry. Throws where there is one of that name already.
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, baseUrl?: string, wire?: 'chat' | 'own', title?: string }} options
 */
export default async function provider(
  tree,
  { name, baseUrl = 'http://localhost:8000/v1', wire = 'chat', title = titleOf(name) },
) {
  refuseExisting(tree, `${FOLDER}/${name}.ts`)
  if (isRegistered(tree.read(REGISTRY, 'utf8') ?? '', name))
    throw new Error(`There is a provider ${name} already, in ${REGISTRY}; nothing was written.`)
  const type = pascalCase(name)
  const keyName = `${name.replaceAll('-', '_').toUpperCase()}_API_KEY`
  generateFiles(tree, fileURLToPath(new URL(`./provider/${wire}`, import.meta.url)), FOLDER, {
    name,
    title,
    type,
    keyName,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    tmpl: '',
  })
  const create = wire === 'chat' ? `(options) => create${type}Model(openAIOptions(options))` : `create${type}Model`
  insertBefore(
    tree,
    REGISTRY,
    importPosition(tree.read(REGISTRY, 'utf8') ?? '', name),
    `import { create${type}Model } from './${name}.ts'\n`,
  )
  insertBefore(
    tree,
    REGISTRY,
    // Behind the last row of the table.
    /(?<=^export const PROVIDERS[^]*?)^\}$/m,
    `  '${name}': { title: '${title}', keyNames: ['${keyName}'], create: ${create} },\n`,
  )
  await formatFiles(tree)
}

/** @param {string} name */
const titleOf = (name) => pascalCase(name).replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')

/**
 * Where the import stands in order: before the first file with a later name, or behind all imports.
 * @param {string} registry
 * @param {string} name
 */
const importPosition = (registry, name) => {
  const names = [...registry.matchAll(/^import .* from '\.\/([\w-]+)\.ts'$/gm)].map(([, file]) => file)
  const next = names.find((file) => file > name)
  return next === undefined ? /(?<=^import [^\n]*\n)(?=\n)/m : new RegExp(`^import .* from '\\./${next}\\.ts'$`, 'm')
}

/**
 * @param {string} registry
 * @param {string} name
 */
const isRegistered = (registry, name) => new RegExp(`^ {2}'?${name}'?: \\{`, 'm').test(registry)
