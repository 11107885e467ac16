// `npx nx g @cairn/tools:core-module session/idle-time`
import { formatFiles } from '@nx/devkit'
import { camelCase, pascalCase, refuseExisting } from './names.mjs'

const SOURCE = 'packages/core/src'
const LEVELS = 'tools/eslint/core-levels.mjs'

/**
 * Writes a module of core with its test, and its folder's level where that is new. Throws where there is one already,
 * and for a new folder without a level.
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, level?: string }} options
 */
export default async function coreModule(tree, { name, level }) {
  const [folder, file = folder] = name.split('/')
  const path = `${SOURCE}/${folder}/${file}.ts`
  refuseExisting(tree, path)
  if (!tree.exists(`${SOURCE}/${folder}`)) addLevel(tree, folder, level)
  const [called, type] = [camelCase(file), pascalCase(file)]
  tree.write(
    path,
    `/** What this module is for, and where its boundary is. */

export interface ${type}Input {
  readonly values: readonly number[]
}

/** What goes in and comes out, with units; which errors; the source of an algorithm. */
export const ${called} = ({ values }: ${type}Input): number => values.reduce((sum, value) => sum + value, 0)
`,
  )
  tree.write(
    `${SOURCE}/${folder}/${file}.test.ts`,
    `import { describe, expect, it } from '@jest/globals'
import { ${called} } from './${file}.ts'

describe('${called}', () => {
  it('says what it does', () => {
    expect(${called}({ values: [1, 20, 300] })).toBe(321)
  })
})
`,
  )
  await formatFiles(tree)
}

/** Puts a new folder into the row of one that is there; nothing if it is in the table. Throws if no level is named. */
function addLevel(tree, folder, level) {
  const table = tree.read(LEVELS, 'utf8')
  if (table.includes(`'${folder}'`)) return
  if (level === undefined || !table.includes(`'${level}'`))
    throw new Error(
      `"${folder}" is a new folder: name one of the level that it belongs to, as --level=session; the levels stand in ${LEVELS}.`,
    )
  tree.write(LEVELS, table.replace(`'${level}'`, `'${level}', '${folder}'`))
}
