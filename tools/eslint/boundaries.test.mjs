// The boundaries of the architecture hold only if lint really fails where they are crossed: each is crossed here once.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { coreLevels } from './core-levels.mjs'
import { noCycle } from './no-cycle.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the repository’s configuration', () => {
  // The rules under test need no types, and files that exist only as text have none.
  const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] })
  const rulesBroken = async (file, text) => {
    const [result] = await eslint.lintText(text, { filePath: join(root, file) })
    return result.messages.map((message) => message.ruleId ?? message.message)
  }
  beforeAll(() => {
    // Nx would start a process of its own to keep the project graph.
    process.env.NX_DAEMON = 'false'
  })

  it('lets core import what is below', async () => {
    const text = "import type { Clock } from '../ports/clock.ts'\nexport type Time = Clock\n"
    expect(await rulesBroken('packages/core/src/session/made-up.ts', text)).toEqual([])
  })

  it('forbids core from importing storage', async () => {
    const text = "import { anything } from '@cairn/storage-prisma'\nexport const used = anything\n"
    expect(await rulesBroken('packages/core/src/session/made-up.ts', text)).toContain('@nx/enforce-module-boundaries')
  })

  it('lets storage import core', async () => {
    const text = "import type { Clock } from '@cairn/core'\nexport type Time = Clock\n"
    expect(await rulesBroken('packages/storage-prisma/src/made-up.ts', text)).toEqual([])
  })

  it.each([
    ['upwards', 'packages/core/src/session/made-up.ts', "export { a } from '../recall/a.ts'\n"],
    ['a sibling of its level', 'packages/core/src/usage/made-up.ts', "export { a } from '../session/a.ts'\n"],
    ['the edge from inside', 'packages/core/src/usage/made-up.ts', "export { a } from '../node/a.ts'\n"],
    ['from a folder without a level', 'packages/core/src/surprise/made-up.ts', "export { a } from '../money.ts'\n"],
  ])('stops an import %s', async (_what, file, text) => {
    expect(await rulesBroken(file, text)).toContain('cairn/core-levels')
  })

  it.each(['node:fs', 'fs', 'node:fs/promises'])('stops %s in core', async (name) => {
    const text = `import * as builtin from '${name}'\nexport const used = builtin\n`
    expect(await rulesBroken('packages/core/src/session/made-up.ts', text)).toContain('no-restricted-imports')
    expect(await rulesBroken('packages/core/src/node/made-up.ts', text)).toEqual([])
    expect(await rulesBroken('packages/core/src/session/made-up.test.ts', text)).toEqual([])
  })

  it('stops Node’s globals in core', async () => {
    const text = 'export const home: unknown = process.env\n'
    expect(await rulesBroken('packages/core/src/session/made-up.ts', text)).toContain('no-restricted-globals')
  })

  it('stops `export *` in a package’s index', async () => {
    expect(await rulesBroken('packages/core/src/index.ts', "export * from './money.ts'\n")).toContain(
      'no-restricted-syntax',
    )
  })
})

describe('our rules on files', () => {
  let folder
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-lint-'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  const lint = (files, file) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return new Linter({ cwd: folder })
      .verify(
        files[file],
        {
          files: ['**/*.ts'],
          languageOptions: { parser: tseslint.parser },
          plugins: { cairn: { rules: { 'no-cycle': noCycle, 'core-levels': coreLevels } } },
          rules: { 'cairn/no-cycle': 'error', 'cairn/core-levels': ['error', { src: folder }] },
        },
        join(folder, file),
      )
      .map((message) => message.message)
  }

  it('names the files of a cycle', () => {
    const files = {
      'usage/a.ts': "import './b.ts'\n",
      'usage/b.ts': "import './c.ts'\n",
      'usage/c.ts': "import type { A } from './a.ts'\n",
    }
    expect(lint(files, 'usage/a.ts')).toEqual(['Import cycle: usage/a.ts → usage/b.ts → usage/c.ts → usage/a.ts'])
  })

  it('lets a chain without a cycle pass', () => {
    const files = { 'usage/x.ts': "import './y.ts'\nimport '../money.ts'\n", 'usage/y.ts': '', 'money.ts': '' }
    expect(lint(files, 'usage/x.ts')).toEqual([])
  })
})
