import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { elementSpans } from './json-elements.ts'

const textsOf = (text: string, field = 'list'): readonly string[] | undefined =>
  elementSpans(text, field)?.map(({ start, end }) => text.slice(start, end))

describe('elementSpans', () => {
  it('finds the elements as they are written, whatever stands around them', () => {
    expect(textsOf('{"list":[1.0, "a\\"]", {"b" : [ ]} ,null]}')).toEqual(['1.0', '"a\\"]"', '{"b" : [ ]}', 'null'])
    expect(textsOf(' {\n"x": {"list": [7]}, "list" :\t[ true ]\n}\n')).toEqual(['true'])
    expect(textsOf('{"\\u006cist":[12345678901234567890]}')).toEqual(['12345678901234567890'])
    expect(textsOf('{"list":[],"after":"\\\\"}')).toEqual([])
  })

  it('takes the last of fields with one name, as parsers do, and nothing where there is no list', () => {
    expect(textsOf('{"list":[1],"list":[2,3]}')).toEqual(['2', '3'])
    expect(textsOf('{"list":[1],"list":"x"}')).toBeUndefined()
    expect(textsOf('{"other":[1]}')).toBeUndefined()
    expect(textsOf('[1]')).toBeUndefined()
  })

  it('finds in any JSON what the parser finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.constantFrom(0, 1, '\t'),
        (around, list, space) => {
          const text = JSON.stringify({ ...around, list }, null, space)
          expect(textsOf(text)?.map((element) => JSON.parse(element) as unknown)).toEqual(
            JSON.parse(JSON.stringify(list)),
          )
        },
      ),
    )
  })

  it('does not run out of stack in a deep value', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(textsOf(`{"list":[${deep},1]}`)?.[1]).toBe('1')
  })
})
