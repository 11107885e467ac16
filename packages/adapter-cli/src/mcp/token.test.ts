import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Surroundings } from '../config/locations.ts'
import { mcpToken } from './token.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-token-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const surroundings = (variables: Readonly<Record<string, string>> = {}): Surroundings => ({
  variables: { CAIRN_HOME: join(folder, 'data'), ...variables },
  platform: 'linux',
  home: folder,
  folder,
})

describe('the token', () => {
  it('is made once, is long, and is kept in a file that only its owner can read', async () => {
    const { token, file } = await mcpToken(surroundings(), true)
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(statSync(file ?? '').mode & 0o777).toBe(0o600)
    expect(readFileSync(file ?? '', 'utf8').trim()).toBe(token)
    expect((await mcpToken(surroundings(), true)).token).toBe(token)
  })

  it('is replaced when others could read it', async () => {
    const { token, file } = await mcpToken(surroundings(), true)
    chmodSync(file ?? '', 0o644)
    const again = await mcpToken(surroundings(), true)
    expect(again.token).not.toBe(token)
    expect(statSync(file ?? '').mode & 0o777).toBe(0o600)
  })

  it("is the user's own if that is usable", async () => {
    expect(await mcpToken(surroundings({ CAIRN_MCP_TOKEN: 'sixteen-letters-' }), true)).toEqual({
      token: 'sixteen-letters-',
      file: undefined,
    })
    await expect(mcpToken(surroundings({ CAIRN_MCP_TOKEN: 'short' }), true)).rejects.toMatchObject({ code: 'usage' })
    await expect(
      mcpToken(surroundings({ CAIRN_MCP_TOKEN: 'with spaces and more of them' }), true),
    ).rejects.toMatchObject({ code: 'usage' })
  })

  it('is not written where nothing is to be stored', async () => {
    expect((await mcpToken(surroundings(), false)).file).toBeUndefined()
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})
