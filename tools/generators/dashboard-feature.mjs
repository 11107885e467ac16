// `npx nx g @cairn/tools:dashboard-feature budgets`
import { formatFiles } from '@nx/devkit'
import { camelCase, insertBefore, pascalCase, refuseExisting, sentenceCase } from './names.mjs'

const SOURCE = 'apps/dashboard/src'

/** The first letter of a name that leads to no page yet, or of the alphabet where all of them do; '' when none is free. */
const freeKey = (name, pages) => {
  const taken = new Set([...pages.matchAll(/key: '(.)'/g)].map(([, key]) => key))
  return [...`${name}abcdefghijklmnopqrstuvwxyz`].find((key) => /[a-z]/.test(key) && !taken.has(key)) ?? ''
}

/**
 * Writes a feature of the dashboard: router, page and panel. Throws where there is one already.
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string }} options
 */
export default async function dashboardFeature(tree, { name }) {
  const folder = `${SOURCE}/features/${name}`
  refuseExisting(tree, folder)
  refuseExisting(tree, `${SOURCE}/app/${name}`)
  const [called, type, title] = [camelCase(name), pascalCase(name), sentenceCase(name)]
  tree.write(
    `${folder}/router.ts`,
    `/** The procedures of this feature. */
import 'server-only'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'

export const ${called}Router = router({
  statistics: procedure.query(() => fromStore((store) => store.statistics())),
})
`,
  )
  tree.write(
    `${folder}/${name}.tsx`,
    `'use client'
/** What this page shows. */
import { useQuery } from '@tanstack/react-query'
import { PageHead } from '../../components/page-head.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { useTRPC } from '../../trpc/client.tsx'

export const ${type} = () => {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.${called}.statistics.queryOptions())
  return (
    <>
      <PageHead title="${title}" />
      {data === undefined ? <TableLoading rows={4} /> : <p>{data.sessions} sessions</p>}
    </>
  )
}
`,
  )
  tree.write(
    `${SOURCE}/app/${name}/page.tsx`,
    `import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ${type} } from '../../features/${name}/${name}.tsx'

export const metadata: Metadata = { title: '${title}' }

export default function ${type}Page() {
  return (
    <Suspense>
      <${type} />
    </Suspense>
  )
}
`,
  )
  const routers = `${SOURCE}/trpc/app-router.ts`
  insertBefore(
    tree,
    routers,
    /^import \{ router \}/m,
    `import { ${called}Router } from '../features/${name}/router.ts'\n`,
  )
  insertBefore(tree, routers, /^\}\)$/m, `  ${called}: ${called}Router,\n`)
  const pages = `${SOURCE}/features/shell/page-names.ts`
  const key = freeKey(name, tree.read(pages, 'utf-8') ?? '')
  insertBefore(tree, pages, /^\] as const/m, `  { path: '/${name}', name: '${title}', key: '${key}' },\n`)
  await formatFiles(tree)
}
