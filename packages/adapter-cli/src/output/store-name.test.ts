import { describe, expect, it } from '@jest/globals'
import { storeName } from './store-name.ts'

describe('storeName', () => {
  it.each([
    ['file:/data/cairn.db', '/data/cairn.db'],
    ['postgresql://cairn:s3cret@db.example:5432/cairn', 'postgresql://cairn:***@db.example:5432/cairn'],
    [
      'postgres://cairn@db/cairn?password=s3cret&sslmode=require',
      'postgres://cairn@db/cairn?password=***&sslmode=require',
    ],
    ['postgresql://db/cairn', 'postgresql://db/cairn'],
  ])('of %s is %s', (address, name) => {
    expect(storeName(address)).toBe(name)
  })
})
