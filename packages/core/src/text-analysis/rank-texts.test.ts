import { expect, it } from '@jest/globals'
import { findMarks } from './marks.ts'
import { analyseQuery } from './query.ts'
import { rankTexts } from './rank-texts.ts'

const order = (query: string, texts: readonly string[]) => rankTexts(query, texts).map(({ index }) => index)

it('ranks by shared words, and leaves out texts without any', () => {
  expect(order('refresh tokens', ['bread and butter', 'token store', 'refreshing of tokens'])).toEqual([2, 1])
  expect(order('zeppelin', ['walrus'])).toEqual([])
  expect(order('', ['walrus'])).toEqual([])
  expect(order('walrus', [])).toEqual([])
})

it('prefers the exact form of the query, and is stable', () => {
  expect(order('refreshing', ['it refreshed', 'refreshing it', 'it refreshed'])).toEqual([1, 0, 2])
})

it('finds nothing by function words alone', () => {
  expect(order('what is the port of the server', ['the best of all', 'a port'])).toEqual([1])
})

it('marks words of the query in a text', () => {
  const text = 'Ann’s sessions in session-log.ts 黒い猫'
  const marks = (query: string) =>
    findMarks(text, new Set(analyseQuery(query).map(({ hash }) => hash))).map(({ start, end }) =>
      text.slice(start, end),
    )
  expect(marks('ann')).toEqual(['Ann'])
  expect(marks('session log')).toEqual(['sessions', 'session-log', 'session', 'log'])
  expect(marks('猫')).toEqual(['猫'])
})
