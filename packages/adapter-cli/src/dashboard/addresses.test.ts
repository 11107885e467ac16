import { describe, expect, it } from '@jest/globals'
import { assertOwnAddress, isLoopback, openableUrls } from './addresses.ts'

const interfaces = [
  { address: '127.0.0.1', family: 'IPv4', internal: true },
  { address: '192.168.1.7', family: 'IPv4', internal: false },
  { address: 'fd00::7', family: 'IPv6', internal: false },
  { address: 'fe80::7', family: 'IPv6', internal: false },
]
const URL_HERE = 'http://127.0.0.1:4300/?token=x'

describe('the addresses to open', () => {
  it("are all of this machine's when it listens on all", () => {
    expect(openableUrls(URL_HERE, '0.0.0.0', interfaces)).toEqual([URL_HERE, 'http://192.168.1.7:4300/?token=x'])
    expect(openableUrls('http://[::1]:4300/?token=x', '::', interfaces)).toEqual([
      'http://[::1]:4300/?token=x',
      'http://192.168.1.7:4300/?token=x',
      'http://[fd00::7]:4300/?token=x',
    ])
  })

  it('are otherwise those that the server printed', () => {
    expect(openableUrls(URL_HERE, '127.0.0.1', interfaces)).toEqual([URL_HERE])
  })
})

describe('--host', () => {
  it('may be any address of the machine', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0', 'localhost']) await assertOwnAddress(host)
  })

  it.each(['nonsense.invalid', '192.0.2.1', 'http://127.0.0.1'])('refuses %s', async (host) => {
    await expect(assertOwnAddress(host)).rejects.toThrow(`--host takes an address of this machine, not '${host}'.`)
  })

  it("can't be an address of another machine", () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].map(isLoopback)).toEqual([true, true, true, true])
    expect(['0.0.0.0', '::', '192.168.1.7', 'box'].map(isLoopback)).toEqual([false, false, false, false])
  })
})
