import { expect, it } from '@jest/globals'
import { citedPath, looksLikePath, plainPath } from './paths.ts'
import { wholeWordPattern, symbolsIn } from './symbols.ts'

it('symbols are definitions, and words with the spelling of identifiers', () => {
  expect(
    symbolsIn(
      'export function parse(text) {}\nclass Reader extends Base {}\nconst limit = MAX_SIZE\ntype of a thing, class names\ndef load_all(self):\nfunc (r) größeMessen()',
    ),
  ).toEqual(['parse', 'Reader', 'limit', 'load_all', 'MAX_SIZE', 'größeMessen'])
  expect(symbolsIn('plain words, an e-mail, 3D and iPhone')).toEqual(['iPhone'])
  expect(symbolsIn(`${'a'.repeat(200_000)}_b`)).toEqual([])
})

it('a symbol is found as a whole word only', () => {
  expect(wholeWordPattern('auth').test('the auth, and authors')).toBe(true)
  expect(wholeWordPattern('auth').test('authors, re_auth, auth2')).toBe(false)
  expect(wholeWordPattern('größe').test('größen')).toBe(false)
  expect(wholeWordPattern('a.b*c').test('x a.b*c y')).toBe(true)
  expect(wholeWordPattern('a.b*c').test('axbbc')).toBe(false)
})

it('paths are recognised by their form, and cited without line numbers', () => {
  expect(['src/a', 'a.ts', String.raw`src\a`, '.env/x'].every(looksLikePath)).toBe(true)
  expect(['refreshToken', '1a2b3c4', 'a sentence. With dots', 'https://a.b/c', 'cairn:one'].some(looksLikePath)).toBe(
    false,
  )
  expect(
    ['src/a.ts:3-5@1a2b3c4d!', 'src/a.ts:3', './src//a.ts', 'see the docs', 'https://a.b/c'].map(citedPath),
  ).toEqual(['src/a.ts', 'src/a.ts', 'src/a.ts', undefined, undefined])
  expect(plainPath(String.raw`.\src\a.ts/`)).toBe('src/a.ts')
})
