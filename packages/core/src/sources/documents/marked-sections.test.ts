import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createHasher } from '../../node/hasher.ts'
import { mergeSections } from './marked-sections.ts'
import type { MarkedSection } from './marked-sections.ts'

const hash = (text: string): string => createHasher().sha256(text).slice(0, 12)
const merge = (text: string, sections: readonly MarkedSection[], addMissing = true) => {
  const merged = mergeSections(text, sections, { addMissing, hash })
  if ('damage' in merged) throw new Error(merged.damage)
  return merged
}
const damageOf = (text: string): string | undefined => {
  const merged = mergeSections(text, [], { addMissing: true, hash })
  return 'damage' in merged ? merged.damage : undefined
}
const statesOf = ({ sections }: ReturnType<typeof merge>) => sections.map(({ id, state }) => `${id} ${state}`)

const OLD = [
  { id: 'work', body: '## Work\n\nOne thing.' },
  { id: 'files', body: '## Files\n\n- `a.ts`\n- `b.ts`' },
]
const NEW = [
  { id: 'work', body: '## Work\n\nAnother thing, and more.' },
  { id: 'files', body: '## Files\n\n- `c.ts`' },
]

describe('marked sections', () => {
  it('are added behind what a person wrote, and refreshed where they are', () => {
    const first = merge('# Mine\n\nMy words.', OLD)
    expect(statesOf(first)).toEqual(['work added', 'files added'])
    expect(first.text).toMatch(
      /^# Mine\n\nMy words\.\n\n<!-- cairn:begin work [0-9a-f]{12} .*-->\n## Work\n\nOne thing\.\n<!-- cairn:end work -->\n\n<!-- cairn:begin files /,
    )
    expect(statesOf(merge(first.text, OLD))).toEqual(['work current', 'files current'])
    expect(merge(first.text, OLD).text).toBe(first.text)
    const second = merge(`${first.text}\nMore of mine.\n`, NEW)
    expect(statesOf(second)).toEqual(['work refreshed', 'files refreshed'])
    expect(second.text).toContain('Another thing, and more.')
    expect(second.text).not.toContain('One thing.')
    expect(second.text).toMatch(/^# Mine\n\nMy words\.\n\n<!--/)
    expect(second.text).toMatch(/\nMore of mine\.\n$/)
  })

  it('that a person changed stay as they are, and the others are refreshed', () => {
    const changed = merge('', OLD).text.replace('One thing.', 'My own thing.')
    const merged = merge(changed, NEW)
    expect(statesOf(merged)).toEqual(['work edited', 'files refreshed'])
    expect(merged.text).toContain('My own thing.')
    expect(merged.text).toContain('`c.ts`')
  })

  it('that were taken out come back only when they are to be added', () => {
    const only = merge('', OLD.slice(0, 1)).text
    expect(statesOf(merge(only, NEW, false))).toEqual(['work refreshed', 'files missing'])
    expect(merge(only, NEW, false).text).not.toContain('c.ts')
    expect(statesOf(merge(only, NEW))).toEqual(['work refreshed', 'files added'])
  })

  it('keep Windows line ends, a byte order mark, and sections of other versions', () => {
    const first = merge('\ufeff# Mine\r\n', OLD).text
    expect(first).toMatch(/^\ufeff# Mine\r\n\r\n<!-- cairn/)
    expect(first.replaceAll('\r\n', '')).not.toContain('\n')
    expect(statesOf(merge(first, OLD))).toEqual(['work current', 'files current'])
    const second = merge(first, NEW.slice(1))
    expect(second.text).toContain('One thing.')
    expect(second.text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it.each([
    ['<!-- cairn:begin work 12ab -->\nx\n', 'the section "work" has no end'],
    ['<!-- cairn:begin work 12ab -->\n<!-- cairn:begin files 12ab -->\n', 'the section "work" has no end'],
    ['x\n<!-- cairn:end work -->\n', 'the section "work" ends where it did not begin'],
    [
      '<!-- cairn:begin work 1 -->\n<!-- cairn:end work -->\n<!-- cairn:begin work 1 -->\n<!-- cairn:end work -->',
      'it has the section "work" twice',
    ],
  ])('are left alone where marks are damaged: %j', (text, damage) => {
    expect(damageOf(text)).toBe(damage)
  })

  it('change nothing outside of them, whatever stands there', () => {
    const text = fc
      .array(fc.constantFrom('', 'a', '# b', '  c', '<!-- d -->', '```', 'e\r'))
      .map((all) => all.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const first = merge(before, OLD).text
        expect(first.startsWith(before)).toBe(true)
        const second = merge(`${first}${after}`, NEW, false)
        expect(second.text.startsWith(before) && second.text.endsWith(after)).toBe(true)
        expect(statesOf(second)).toEqual(['work refreshed', 'files refreshed'])
        expect(merge(second.text, NEW).text).toBe(second.text)
      }),
    )
  })
})
