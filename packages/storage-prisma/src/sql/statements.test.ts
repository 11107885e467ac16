import { describe, expect, it } from '@jest/globals'
import { required } from './required.ts'
import { named } from './statements.ts'

describe('parameters by name', () => {
  it('are in the order in which the statement names them, once per mention', () => {
    expect(named('SELECT :b, :a WHERE x = :b', { a: 1, b: 'two' })).toEqual([
      'SELECT ?, ? WHERE x = ?',
      ['two', 1, 'two'],
    ])
  })

  it('do not affect casts', () => {
    expect(named('SELECT :count::int', { count: 3 })).toEqual(['SELECT ?::int', [3]])
  })

  it('may be null', () => {
    expect(named('SELECT :title', { title: null })).toEqual(['SELECT ?', [null]])
  })

  it('refuse a name without a value and a value without a name', () => {
    expect(() => named('SELECT :a', {})).toThrow('no value for :a')
    expect(() => named('SELECT :a', { a: 1, b: 2 })).toThrow('does not use :b')
  })
})

describe('a required value', () => {
  it('is returned, zero and empty text too', () => {
    expect([required(0, 'the id'), required('', 'the name')]).toEqual([0, ''])
  })

  it('is refused with its name when it is missing', () => {
    expect(() => required([][0], 'the id of an entry')).toThrow('the id of an entry is missing')
    expect(() => required(null, 'the pack')).toThrow('the pack is missing')
  })
})
