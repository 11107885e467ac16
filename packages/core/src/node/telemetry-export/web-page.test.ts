import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchForWebPage } from './web-page.ts'

let server: Server
let url: string
beforeEach(async () => {
  server = createServer(({ url: path }, response) => {
    const [status, type] = (path ?? '').slice(1).split('-')
    response.writeHead(Number(status), { 'content-type': `${type?.replace('.', '/') ?? ''}; charset=utf-8` }).end('.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
})

const post = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request(address, { method: 'POST', agent: false }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end()
  })

describe('watchForWebPage', () => {
  it.each([
    ['/200-text.html', true],
    ['/200-application.json', false],
    ['/404-text.html', false],
    ['/202-text.html', true],
  ])('of an answer at %s says %s', async (path, expected) => {
    const watch = watchForWebPage(`${url}${path}`)
    await post(`${url}${path}`)
    watch.end()
    expect(watch.wasAnswered).toBe(expected)
  })

  it('looks at its own address only, and no longer than it is asked to', async () => {
    const watch = watchForWebPage(`${url}/200-application.json`)
    await post(`${url}/200-text.html`)
    expect(watch.wasAnswered).toBe(false)
    const ended = watchForWebPage(`${url}/200-text.html`)
    ended.end()
    await post(`${url}/200-text.html`)
    watch.end()
    expect(ended.wasAnswered).toBe(false)
  })
})
