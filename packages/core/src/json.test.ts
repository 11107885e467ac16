import { describe, expect, it } from '@jest/globals'
import { JSON_LEVELS, isNestedDeeper, parseJson, parseJsonObject } from './json.ts'

/** An array in an array …, so many of them, around `core`. */
const nested = (levels: number, core = '1'): string => '['.repeat(levels) + core + ']'.repeat(levels)
const nestedObjects = (levels: number, core = '1'): string => '{"a":'.repeat(levels) + core + '}'.repeat(levels)

/** What lies at the end of the only way down. */
const innermost = (value: unknown): unknown => {
  let found = value
  while (typeof found === 'object' && found !== null) found = Object.values(found)[0]
  return found
}

describe('parseJson', () => {
  it('returns a value unchanged up to the depth limit', () => {
    for (const text of [nested(JSON_LEVELS), nestedObjects(JSON_LEVELS), '{"a":[1,"x",null,true]}', '"text"', '7'])
      expect(parseJson(text)).toEqual({ value: JSON.parse(text), isCut: false })
  })

  it('keeps what lies deeper as its JSON text', () => {
    const core = '{"k":[1,-2.5,"a\\"\\u0000b",null,true,{},[],{"x":{"y":[]},"z":0}]}'
    for (const around of [nested, nestedObjects])
      for (const levels of [JSON_LEVELS, JSON_LEVELS + 1, 50_000]) {
        const parsed = parseJson(around(levels, core))
        expect(parsed?.isCut).toBe(true)
        expect(isNestedDeeper(parsed?.value)).toBe(false)
        expect(innermost(parsed?.value)).toBe(around(levels - JSON_LEVELS, core))
        expect(() => JSON.stringify(parsed?.value)).not.toThrow()
      }
  })

  it('flattens only what is too deep, and keeps every property name', () => {
    const { value } = parseJson(`{"__proto__":${nested(2000)},"b":[1,2],"c":{"d":"e"}}`) ?? { value: null }
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'b', 'c'])
    expect(value).toMatchObject({ b: [1, 2], c: { d: 'e' } })
  })

  it('returns undefined for invalid JSON, however deep', () => {
    expect(parseJson('['.repeat(100_000))).toBeUndefined()
    expect(parseJson('{')).toBeUndefined()
    expect(parseJsonObject('[1]')).toEqual({})
    expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 })
  })
})

describe('isNestedDeeper', () => {
  it('counts nested arrays and objects', () => {
    expect(isNestedDeeper([[1]], 2)).toBe(false)
    expect(isNestedDeeper([[1]], 1)).toBe(true)
    expect(isNestedDeeper('text', 0)).toBe(false)
  })

  it('terminates on a circular reference', () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(isNestedDeeper(circle)).toBe(true)
  })
})
