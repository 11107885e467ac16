/** Which files are source code, by their names. */

const EXTENSIONS = new Set(
  'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyx ipynb go rs java kt kts scala groovy clj cljs c h cc cpp cxx hpp hh m mm swift cs fs vb rb php pl pm lua r jl dart ex exs erl hs ml mli elm nim zig sh bash zsh fish ps1 sql prisma graphql gql proto thrift css scss sass less html htm tf sol v vhd asm s cu glsl wgsl cmake gradle'.split(
    ' ',
  ),
)
const NAMES = new Set([
  'dockerfile',
  'makefile',
  'rakefile',
  'gemfile',
  'justfile',
  'cmakelists.txt',
  'build',
  'workspace',
])
/** Generated files, whatever their language. */
const GENERATED = /(?:\.min\.(?:js|css)|\.d\.ts\.map|\.bundle\.js|[.-]lock\.\w+)$/

/**
 * Whether a file is source code, by its name alone, ignoring case; false for documents, data, images and generated
 * files.
 */
export const isSourcePath = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (GENERATED.test(name)) return false
  const dot = name.lastIndexOf('.')
  return dot > 0 ? EXTENSIONS.has(name.slice(dot + 1)) || NAMES.has(name) : NAMES.has(name)
}
