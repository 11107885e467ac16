import { describe, expect, it } from '@jest/globals'
import { storeAddresses, withoutPassword } from './store-address.ts'

describe('withoutPassword', () => {
  it.each([
    ['postgresql://u:S3cretPw99@h/db', 'postgresql://u:***@h/db'],
    ['postgres://u:a/b@c:d@h:5432/db?sslmode=require', 'postgres://u:***@h:5432/db?sslmode=require'],
    ['postgresql://u:what?no@h/db', 'postgresql://u:***@h/db'],
    ['postgresql://:S3cretPw99@h/db', 'postgresql://:***@h/db'],
    ['postgresql://u@h/db?password=S3cretPw99', 'postgresql://u@h/db?password=***'],
    [
      'postgresql://u@h/db?sslmode=require&PASSWORD=a%26b&sslpassword=x&host=y',
      'postgresql://u@h/db?sslmode=require&PASSWORD=***&sslpassword=***&host=y',
    ],
    ['mysql://u:S3cretPw99@h/db', 'mysql://u:***@h/db'],
    ['postgresql://u@h:5432/db', 'postgresql://u@h:5432/db'],
    ['postgresql://h/db', 'postgresql://h/db'],
    ['file:/a:b@c?password=x.db', 'file:/a:b@c?password=x.db'],
    [
      'postgresql://u:one@h/a  postgres://v:two@k/b?password=three',
      'postgresql://u:***@h/a postgres://v:***@k/b?password=***',
    ],
  ])('of %s is %s', (address, expected) => {
    expect(withoutPassword(address)).toBe(expected)
  })
})

describe('storeAddresses', () => {
  it.each([
    ['postgresql://h/a', ['postgresql://h/a']],
    ['postgresql://h/a  postgres://k:5433/b\nfile:c d.db', ['postgresql://h/a', 'postgres://k:5433/b', 'file:c d.db']],
    ['file:/my folder/file of mine.db', ['file:/my folder/file of mine.db']],
    ['postgresql://h,k/a', ['postgresql://h,k/a']],
    ['', ['']],
  ])('of %j are %j', (address, expected) => {
    expect(storeAddresses(address)).toEqual(expected)
  })
})
