import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInMemoryStore } from '@cairn/core/testing'
import { openEngine } from '../store/open-engine.ts'
import { relatedItems } from './related-files.ts'

let folder = ''
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-related-')))
  put('shop/src/cart/discount.ts', 'export const discount = (total: number) => total * 0.9\n')
  put('shop/src/cart/discount.test.ts', "import { discount } from './discount'\nit('is a tenth', () => discount(10))\n")
  put('shop/src/login.ts', 'export const login = () => true\n')
  put('shop/src/theme\u202e.ts', 'export const theme = 1 // discount\n')
  put('shop/README.md', 'All about the discount\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const found = (text: string, file?: string) => {
  const root = join(folder, 'shop')
  const engine = openEngine(createInMemoryStore(), { dataFolder: join(folder, 'data'), home: folder })
  return relatedItems(engine, { root, project: root, text, file })
}

describe('related files of a selection', () => {
  it('are source files with their folder and why they belong to it, the best first', async () => {
    const [first, ...others] = await found('the discount')
    expect(first).toMatchObject({ label: 'discount.ts', description: 'src/cart', path: 'src/cart/discount.ts' })
    expect(first?.detail).toMatch(/^path: discount/)
    expect(others.map(({ label }) => label)).not.toContain('README.md')
    expect(others.find(({ label }) => label.startsWith('theme'))?.label).not.toContain('\u202e')
  })

  it('are those beside the file that it is selected in; in a document the text alone decides', async () => {
    const [beside] = await found('total', 'src/cart/discount.ts')
    expect(beside).toMatchObject({ path: 'src/cart/discount.test.ts' })
    expect(beside?.detail).toContain('src/cart/discount.ts')
    expect((await found('discount', 'README.md')).map(({ path }) => path)).toContain('src/cart/discount.ts')
  })

  it('say what is wrong with a selection that has no word', async () => {
    await expect(found('{ }')).rejects.toThrow('no word to go by')
  })
})
