import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
/** All but this one, which has imports in its texts. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && file !== 'independence.test.ts',
)

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name)

const isOwn = (file: string, name: string): boolean =>
  name.startsWith('node:') ||
  (name.startsWith('.') && !relative(folder, resolve(folder, dirname(file), name)).startsWith('..'))

describe('the model server', () => {
  it('imports only Node and its own folder', () => {
    expect(files.length).toBeGreaterThan(10)
    const foreign = files.flatMap((file) =>
      importsOf(readFileSync(join(folder, file), 'utf8'))
        .filter((name) => !isOwn(file, name))
        .map((name) => `${file}: ${name}`),
    )
    expect(foreign).toEqual([])
  })

  it('would be found out', () => {
    const text =
      "import { a } from '../../json.ts'\nexport type { B } from '../json.ts'\nconst c = await import('openai')"
    expect(importsOf(text).map((name) => isOwn('anthropic/made-up.ts', name))).toEqual([false, true, false])
  })
})
