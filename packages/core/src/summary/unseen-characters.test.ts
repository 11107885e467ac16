import { describe, expect, it } from '@jest/globals'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '../testing/unsafe-examples.ts'
import { hasUnsafe } from '../unsafe-characters.ts'
import { showUnseen } from './unseen-characters.ts'

describe('showUnseen', () => {
  it.each([
    ['a zero width space', 'a\u200bb', 'a\\u{200b}b'],
    ['marks of direction', 'a\u200f\u200e\u061c\u202eb', 'a\\u{200f}\\u{200e}\\u{61c}\\u{202e}b'],
    ['a text of tag characters', 'hi\u{e0069}\u{e0067}', 'hi\\u{e0069}\\u{e0067}'],
    ['bytes as variation selectors', 'x\u{e0100}\u{e0101}', 'x\\u{e0100}\\u{e0101}'],
    ['more than one form of an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
    ['a joiner between letters that need none', 'pass\u200dword', 'pass\\u{200d}word'],
    [
      'separators, fillers, soft hyphens',
      'a\u2028b\u2029c\u3164d\u00ade\ufefff',
      'a\\u{2028}b\\u{2029}c\\u{3164}d\\u{ad}e\\u{feff}f',
    ],
  ])('shows %s', (_, text, shown) => {
    expect(showUnseen(text)).toBe(shown)
    expect(showUnseen(shown)).toBe(shown)
  })

  it.each(UNSAFE_EXAMPLES.filter(({ kind }) => kind !== 'control' && kind !== 'lone-surrogate'))(
    'makes everything visible: $name',
    ({ text }) => {
      expect(hasUnsafe(showUnseen(`a${text}b`))).toBe(false)
    },
  )

  it.each([...HARMLESS_EXAMPLES, 'plain <text>\n\twith ünï 漢字'])(
    'keeps what a script or an emoji needs: %s',
    (text) => {
      expect(showUnseen(text)).toBe(text)
    },
  )
})
