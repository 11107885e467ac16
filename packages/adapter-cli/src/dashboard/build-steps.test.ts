import { describe, expect, it } from '@jest/globals'
import { createBuildSteps } from './build-steps.ts'

const OUTPUT = `
 NX   Running target build for project @cairn/dashboard and 2 tasks it depends on:

> nx run @cairn/core:build  [existing outputs match the cache, left as is]

> nx run @cairn/storage-prisma:generate

@cairn/storage-prisma:generate: Loaded Prisma config

> nx run @cairn/dashboard:build

@cairn/dashboard:build: ▲ Next.js 16
@cairn/dashboard:build:   Creating an optimized production build ...
@cairn/dashboard:build: ✓ Compiled successfully in 20s
@cairn/dashboard:build:   Running TypeScript ...
@cairn/dashboard:build:   Collecting page data ...
@cairn/dashboard:build:   Generating static pages (0/7) ...
@cairn/dashboard:build:   Generating static pages (3/7) ...
@cairn/dashboard:build:   Finalizing page optimization ...
`

describe('steps of a build', () => {
  it.each([1, 7, OUTPUT.length])('are reported once each, in order, from pieces of %i characters', (length) => {
    const steps: string[] = []
    const read = createBuildSteps((step) => steps.push(step))
    for (let at = 0; at < OUTPUT.length; at += length) read(OUTPUT.slice(at, at + length))
    expect(steps).toEqual([
      'core, step 1 of 3',
      'storage-prisma (generate), step 2 of 3',
      'dashboard, step 3 of 3',
      'compiling the pages',
      'checking types',
      'collecting the pages',
      'writing the pages',
      'finishing',
    ])
  })
})
