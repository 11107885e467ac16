import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeAlone } from './change-alone.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-alone-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PROCESSES = 4
const CHANGES = 40
/** Adds one to the number in a file, again and again. */
const COUNTING = `
  const { readFileSync } = await import('node:fs')
  const { changeAlone } = await import(process.env.MODULE)
  const { replaceFile } = await import(process.env.REPLACE)
  for (let count = 0; count < ${CHANGES}; count++)
    changeAlone(process.env.FILE, () => replaceFile(process.env.FILE, String(Number(readFileSync(process.env.FILE, 'utf8')) + 1)))
`

it('loses no change of several processes', async () => {
  const file = join(folder, 'count')
  writeFileSync(file, '0')
  const env = {
    PATH: process.env['PATH'],
    FILE: file,
    MODULE: new URL('change-alone.ts', import.meta.url).href,
    REPLACE: new URL('replace-file.ts', import.meta.url).href,
  }
  const ends = Array.from(
    { length: PROCESSES },
    () =>
      new Promise((resolve) => {
        spawn(process.execPath, ['--input-type=module', '--eval', COUNTING], { env, stdio: 'ignore' }).once(
          'close',
          resolve,
        )
      }),
  )
  expect(await Promise.all(ends)).toEqual(Array.from({ length: PROCESSES }, () => 0))
  expect(Number(readFileSync(file, 'utf8'))).toBe(PROCESSES * CHANGES)
  expect(readdirSync(folder)).toEqual(['count'])
})

it('removes what killed processes left, and nothing else', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid
  const stays = [
    'settings.json',
    `settings.json.${process.pid}.tmp`,
    `settings.json.${ended}.backup`,
    `other.${ended}.tmp`,
  ]
  for (const name of [
    ...stays,
    `settings.json.${ended}.tmp`,
    `settings.json.lock.${ended}`,
    `settings.json.lock.${ended}.stale`,
  ])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'settings.json.lock'), JSON.stringify({ pid: ended, host: hostname() }))
  expect(changeAlone(join(folder, 'settings.json'), () => 'done')).toBe('done')
  expect(readdirSync(folder).sort()).toEqual(stays.sort())
})

it('gives up in a sentence while another process is at work, and lets go after a change that failed', () => {
  const file = join(folder, 'settings.json')
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, host: hostname() }))
  expect(() => changeAlone(file, () => 'never', 0)).toThrow(`settings.json is being changed by process ${process.ppid}`)
  rmSync(`${file}.lock`)
  expect(() =>
    changeAlone(file, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(readdirSync(folder)).toEqual([])
})
