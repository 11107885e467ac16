import { execFileSync } from 'node:child_process'
import { shellWord } from './shell-word.ts'

describe('a word of a command line', () => {
  it('is for the shell the text that it was made of, whatever that holds', () => {
    for (const text of [
      'plain-1.2/x:y',
      'two words',
      '',
      "it's",
      '$HOME `id` $(id) "q" \\ ; & | > * ? ~ # !',
      'ünïcödé',
      "'",
      '-n',
      'a\nb',
    ])
      expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text)} end`], { encoding: 'utf8' })).toBe(
        // printf takes the second word for a further argument of the same format.
        `${text}end`,
      )
  })

  it('is left as it is where that is safe', () => {
    expect(shellWord('claude-code:0ccf1a04')).toBe('claude-code:0ccf1a04')
    expect(shellWord('long/../session?#1')).toBe("'long/../session?#1'")
  })
})
