import { describe, expect, it } from '@jest/globals'
import { withoutPassword } from './store-address.ts'

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
  ])('of %s is %s', (address, expected) => {
    expect(withoutPassword(address)).toBe(expected)
  })
})
