import { describe, expect, it } from '@jest/globals'
import { createPathIndex } from './path-index.ts'
import { readSettings } from './project-settings.ts'
import { createImportResolver } from './resolver.ts'

/** Resolves in a workspace of these files; those with no text of interest have ``. */
const workspace = async (files: Readonly<Record<string, string | object>>) => {
  const paths = Object.keys(files)
  const settings = await readSettings(new Set(paths), (path) => {
    const text = files[path]
    return Promise.resolve(typeof text === 'object' ? JSON.stringify(text) : text)
  })
  const resolve = createImportResolver(createPathIndex(paths), settings)
  return (importer: string, specifier: string): readonly string[] =>
    resolve(importer, { specifier, kind: 'static', line: 1 })
}

describe('names in JavaScript and TypeScript', () => {
  it('are relative paths with or without their ending, outputs of sources, folders', async () => {
    const resolve = await workspace({
      'src/a.ts': '',
      'src/b.ts': '',
      'src/b.js': '',
      'src/view.tsx': '',
      'src/m.mts': '',
      'src/types.d.ts': '',
      'src/folder/index.tsx': '',
      'src/data.json': '',
      'src/logo.svg': '',
      'src/dotted.config.ts': '',
      'index.ts': '',
      'top.js': '',
    })
    expect(resolve('src/a.ts', './b.js')).toEqual(['src/b.ts'])
    expect(resolve('top.js', './src/b.js')).toEqual(['src/b.js'])
    expect(resolve('top.js', './src/b')).toEqual(['src/b.js'])
    expect(resolve('src/a.ts', './b')).toEqual(['src/b.ts'])
    expect(resolve('src/a.ts', './view.jsx')).toEqual(['src/view.tsx'])
    expect(resolve('src/a.ts', './m.mjs')).toEqual(['src/m.mts'])
    expect(resolve('src/a.ts', './types')).toEqual(['src/types.d.ts'])
    expect(resolve('src/a.ts', './folder')).toEqual(['src/folder/index.tsx'])
    expect(resolve('src/a.ts', './folder/')).toEqual(['src/folder/index.tsx'])
    expect(resolve('src/folder/index.tsx', '..')).toEqual([])
    expect(resolve('src/a.ts', '..')).toEqual(['index.ts'])
    expect(resolve('src/a.ts', './data.json')).toEqual(['src/data.json'])
    expect(resolve('src/a.ts', './logo.svg?url')).toEqual(['src/logo.svg'])
    expect(resolve('src/a.ts', './dotted.config')).toEqual(['src/dotted.config.ts'])
    for (const name of ['./gone', '../../outside', 'react', 'node:fs', '/src/a.ts', 'https://e.example/src/a.ts'])
      expect(resolve('src/a.ts', name)).toEqual([])
  })

  it('are mapped by the nearest tsconfig, with what it extends and refers to', async () => {
    const resolve = await workspace({
      'base/ts.json': '{ /* comment */ "compilerOptions": { "paths": { "@lib/*": ["../lib/*"], }, } }',
      'app/tsconfig.json': { extends: '../base/ts' },
      'app/a.ts': '',
      'app/deep/b.ts': '',
      'lib/x.ts': '',
      'web/tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
      'web/tsconfig.app.json': { compilerOptions: { paths: { '@/*': ['./src/*'], '@/exact': ['./other.ts'] } } },
      'web/src/c.tsx': '',
      'web/other.ts': '',
      'old/tsconfig.json': { compilerOptions: { baseUrl: './src' } },
      'old/src/parts/d.ts': '',
      'shared/tsconfig.base.json': { compilerOptions: { paths: { '~/*': ['${configDir}/src/*'] } } },
      'shared/package.json': { name: '@acme/config' },
      'site/tsconfig.json': { extends: '@acme/config/tsconfig.base.json' },
      'site/src/e.ts': '',
      'round/tsconfig.json': { extends: './tsconfig.json' },
      'broken/tsconfig.json': '{ "compilerOptions": ',
    })
    expect(resolve('app/deep/b.ts', '@lib/x')).toEqual(['lib/x.ts'])
    expect(resolve('web/src/c.tsx', '@/c')).toEqual(['web/src/c.tsx'])
    expect(resolve('web/src/c.tsx', '@/exact')).toEqual(['web/other.ts'])
    expect(resolve('old/src/parts/d.ts', 'parts/d')).toEqual(['old/src/parts/d.ts'])
    expect(resolve('site/src/e.ts', '~/e')).toEqual(['site/src/e.ts'])
    expect(resolve('round/z.ts', '@lib/x')).toEqual([])
    expect(resolve('broken/z.ts', '@lib/x')).toEqual([])
  })

  it('are packages of the workspace, by their exports, sources and main file, and names of their own imports', async () => {
    const resolve = await workspace({
      'packages/core/package.json': {
        name: '@acme/core',
        exports: {
          '.': { types: './dist/index.d.ts', '@acme/source': './src/index.ts', default: './dist/index.js' },
          './features/*': './src/features/*.ts',
          './features/special': './src/special.ts',
          './built': { types: './types.d.ts', default: './dist/esm/built.js' },
        },
        imports: { '#internal/*': './src/internal/*.js', '#outside': 'react' },
      },
      'packages/core/src/index.ts': '',
      'packages/core/src/features/one.ts': '',
      'packages/core/src/special.ts': '',
      'packages/core/src/built.ts': '',
      'packages/core/types.d.ts': '',
      'packages/core/src/internal/deep/x.ts': '',
      'packages/plain/package.json': { name: 'plain', main: './lib/main.js' },
      'packages/plain/src/main.ts': '',
      'packages/plain/tool.js': '',
      'app/a.ts': '',
    })
    expect(resolve('app/a.ts', '@acme/core')).toEqual(['packages/core/src/index.ts'])
    expect(resolve('app/a.ts', '@acme/core/features/one')).toEqual(['packages/core/src/features/one.ts'])
    expect(resolve('app/a.ts', '@acme/core/features/special')).toEqual(['packages/core/src/special.ts'])
    expect(resolve('app/a.ts', '@acme/core/built')).toEqual(['packages/core/src/built.ts'])
    expect(resolve('packages/core/src/index.ts', '#internal/deep/x')).toEqual(['packages/core/src/internal/deep/x.ts'])
    expect(resolve('packages/core/src/index.ts', '#outside')).toEqual([])
    expect(resolve('app/a.ts', '#internal/deep/x')).toEqual([])
    expect(resolve('app/a.ts', 'plain')).toEqual(['packages/plain/src/main.ts'])
    expect(resolve('app/a.ts', 'plain/tool')).toEqual(['packages/plain/tool.js'])
    expect(resolve('app/a.ts', 'plain/../../app/a')).toEqual(['app/a.ts'])
    expect(resolve('app/a.ts', '@acme')).toEqual([])
  })
})

describe('names in Python', () => {
  it('are modules from the roots that Python could have, and relative ones', async () => {
    const resolve = await workspace({
      'src/pkg/__init__.py': '',
      'src/pkg/logging.py': '',
      'src/pkg/sub/__init__.py': '',
      'src/pkg/sub/deep.py': '',
      'src/single.py': '',
      'testing/test_a.py': '',
      'testing/helper.py': '',
      'testing/stub.pyi': '',
      'spaced/inner/module.py': '',
    })
    expect(resolve('testing/test_a.py', 'pkg')).toEqual(['src/pkg/__init__.py'])
    expect(resolve('testing/test_a.py', 'pkg.sub:deep')).toEqual(['src/pkg/sub/deep.py'])
    expect(resolve('testing/test_a.py', 'pkg.sub:Name')).toEqual(['src/pkg/sub/__init__.py'])
    expect(resolve('testing/test_a.py', 'pkg.sub.deep')).toEqual(['src/pkg/sub/deep.py'])
    expect(resolve('testing/test_a.py', 'helper:x')).toEqual(['testing/helper.py'])
    expect(resolve('testing/test_a.py', 'stub')).toEqual(['testing/stub.pyi'])
    expect(resolve('testing/test_a.py', 'single')).toEqual(['src/single.py'])
    expect(resolve('testing/test_a.py', 'spaced.inner.module')).toEqual(['spaced/inner/module.py'])
    // Not the module beside it: inside of a package, names are absolute.
    expect(resolve('src/pkg/sub/deep.py', 'logging')).toEqual([])
    expect(resolve('src/pkg/sub/deep.py', '..logging:x')).toEqual(['src/pkg/logging.py'])
    expect(resolve('src/pkg/sub/deep.py', '..:logging')).toEqual(['src/pkg/logging.py'])
    expect(resolve('src/pkg/sub/deep.py', '.:Name')).toEqual(['src/pkg/sub/__init__.py'])
    expect(resolve('src/pkg/sub/__init__.py', '.:Name')).toEqual([])
    expect(resolve('src/pkg/sub/deep.py', '.....:x')).toEqual([])
    for (const name of ['os', 'os.path', 'pkg2', 'sub']) expect(resolve('testing/test_a.py', name)).toEqual([])
  })
})

describe('names in Go', () => {
  it('are the files of the folder below the module that a go.mod names', async () => {
    const resolve = await workspace({
      'go.mod': 'module example.com/app // the app\n\nreplace example.com/lib v1.0.0 => ./third/lib\n',
      'main.go': '',
      'cmd/run/run.go': '',
      'cmd/run/more.go': '',
      'cmd/run/run_test.go': '',
      'cmd/run/readme.md': '',
      'tools/go.mod': 'module example.com/app/tools\n',
      'tools/x/x.go': '',
      'third/lib/lib.go': '',
    })
    expect(resolve('main.go', 'example.com/app/cmd/run')).toEqual(['cmd/run/more.go', 'cmd/run/run.go'])
    expect(resolve('cmd/run/run_test.go', 'example.com/app')).toEqual(['main.go'])
    expect(resolve('main.go', 'example.com/app/tools/x')).toEqual(['tools/x/x.go'])
    expect(resolve('main.go', 'example.com/lib')).toEqual(['third/lib/lib.go'])
    for (const name of ['fmt', 'example.com/application', 'example.com/app/none', 'example.com/app/../../x'])
      expect(resolve('main.go', name)).toEqual([])
  })
})

describe('paths in Rust', () => {
  it('are the files of modules, of this crate and of others in the workspace', async () => {
    const resolve = await workspace({
      'Cargo.toml': '[workspace]\nmembers = ["web-core", "web"]\n',
      'web-core/Cargo.toml': '[package]\nname = "web-core"\n',
      'web-core/src/lib.rs': '',
      'web-core/src/extract/mod.rs': '',
      'web-core/src/extract/request.rs': '',
      'web-core/src/ext.rs': '',
      'web-core/src/ext/inner.rs': '',
      'web-core/src/ext/inner/leaf.rs': '',
      'web/Cargo.toml': '[package]\nname = "web"\n[lib]\nname = "webby"\npath = "src/root.rs"\n',
      'web/src/root.rs': '',
      'web/src/main.rs': '',
      'web/src/routes.rs': '',
      'web/tests/all.rs': '',
      'web/tests/common/mod.rs': '',
      'broken/Cargo.toml': '[package\n',
    })
    const core = 'web-core/src'
    expect(resolve(`${core}/lib.rs`, 'mod extract')).toEqual([`${core}/extract/mod.rs`])
    expect(resolve(`${core}/extract/mod.rs`, 'mod request')).toEqual([`${core}/extract/request.rs`])
    expect(resolve(`${core}/ext.rs`, 'mod inner')).toEqual([`${core}/ext/inner.rs`])
    expect(resolve(`${core}/ext/inner.rs`, 'mod leaf')).toEqual([`${core}/ext/inner/leaf.rs`])
    expect(resolve(`${core}/lib.rs`, 'mod ext::inner')).toEqual([`${core}/ext/inner.rs`])
    expect(resolve(`${core}/lib.rs`, 'mod "ext/inner.rs"')).toEqual([`${core}/ext/inner.rs`])
    expect(resolve(`${core}/ext/inner/leaf.rs`, 'crate::extract::request::Request')).toEqual([
      `${core}/extract/request.rs`,
    ])
    expect(resolve(`${core}/ext/inner/leaf.rs`, 'crate::Error')).toEqual([`${core}/lib.rs`])
    expect(resolve(`${core}/ext/inner/leaf.rs`, 'super::X')).toEqual([`${core}/ext/inner.rs`])
    expect(resolve(`${core}/ext/inner/leaf.rs`, 'super::super::super::extract::X')).toEqual([`${core}/extract/mod.rs`])
    expect(resolve(`${core}/extract/mod.rs`, 'self::request::Request')).toEqual([`${core}/extract/request.rs`])
    expect(resolve(`${core}/extract/mod.rs`, 'request::Request')).toEqual([`${core}/extract/request.rs`])
    expect(resolve(`${core}/ext.rs`, 'self::*')).toEqual([])
    expect(resolve('web/src/routes.rs', 'web_core::ext::inner::Y')).toEqual([`${core}/ext/inner.rs`])
    expect(resolve('web/src/routes.rs', '::web_core::Z')).toEqual([`${core}/lib.rs`])
    expect(resolve('web/src/main.rs', 'webby::routes::all')).toEqual(['web/src/routes.rs'])
    expect(resolve('web/tests/all.rs', 'mod common')).toEqual(['web/tests/common/mod.rs'])
    expect(resolve('web/tests/all.rs', 'webby::Router')).toEqual(['web/src/root.rs'])
    for (const path of ['std::fmt', 'tokio::net', 'super::super::super::super::super::x'])
      expect(resolve(`${core}/ext/inner/leaf.rs`, path)).toEqual([])
  })
})
