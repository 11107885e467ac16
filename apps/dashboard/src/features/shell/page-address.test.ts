import { describe, expect, it } from '@jest/globals'
import { readSelection } from '../selection/selection.ts'
import { pageHref } from './page-address.ts'

const hrefs = (query: string, ...paths: readonly string[]): readonly string[] =>
  paths.map((path) => pageHref(path, readSelection(new URLSearchParams(query))))

describe('the address of a page', () => {
  it('takes what is selected along', () => {
    expect(hrefs('period=7d&project=/code/shop&model=gpt-5', '/', '/memory', '/checkpoints')).toEqual([
      '/?period=7d&project=%2Fcode%2Fshop&model=gpt-5',
      '/memory?period=7d&project=%2Fcode%2Fshop&model=gpt-5',
      '/checkpoints?period=7d&project=%2Fcode%2Fshop&model=gpt-5',
    ])
    expect(hrefs('', '/', '/memory')).toEqual(['/', '/memory'])
  })

  it('leaves a project of several folders out where a page is of one folder', () => {
    expect(hrefs('project=github.com/acme/shop&agent=codex', '/sessions', '/memory', '/checkpoints')).toEqual([
      '/sessions?project=github.com%2Facme%2Fshop&agent=codex',
      '/memory?agent=codex',
      '/checkpoints?agent=codex',
    ])
    expect(hrefs('project=C:\\code\\shop', '/memory')).toEqual(['/memory?project=C%3A%5Ccode%5Cshop'])
  })
})
