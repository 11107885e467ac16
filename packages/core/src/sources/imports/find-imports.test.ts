import { describe, expect, it } from '@jest/globals'
import { findImports } from './source-language.ts'

/** `line kind specifier`, a line each. */
const found = (path: string, text: string): readonly string[] =>
  findImports(path, text).map(({ specifier, kind, line }) => `${line} ${kind} ${specifier}`)

describe('imports of JavaScript and TypeScript', () => {
  it('are found in all their forms, types apart', () => {
    const text = `import './bare'
import a, { b as c } from "./names"
import * as all from './all'
import type { T } from './type'
import { type U, type V } from './types'
import { type W, value } from './mixed'
import type from './named-type'
export * from './star'
export * as inner from './inner'
export { x } from './exported'
export type { Y } from './exported-type'
const later = await import('./later')
const template = import(\`./template\`)
const old = require('./old')
import equals = require('./equals')
let z: import('./query').Z
type M = typeof import('./module')
import('./then').then(run)
import{d}from'./tight'
import {
  // don't stop at a comment's quote
  e, /* import x from './commented' */
  f,
} /* here */ from // and here
  './spread'`
    expect(found('a.ts', text)).toEqual([
      '1 static ./bare',
      '2 static ./names',
      '3 static ./all',
      '4 type ./type',
      '5 type ./types',
      '6 static ./mixed',
      '7 static ./named-type',
      '8 static ./star',
      '9 static ./inner',
      '10 static ./exported',
      '11 type ./exported-type',
      '12 dynamic ./later',
      '13 dynamic ./template',
      '14 static ./old',
      '15 static ./equals',
      '16 type ./query',
      '17 type ./module',
      '18 dynamic ./then',
      '19 static ./tight',
      '20 static ./spread',
    ])
  })

  it('are none in strings, templates, comments, regular expressions, properties and computed names', () => {
    const text = `// import './a'
/* import './b' */
const s = "import './c'" + 'require("./d")'
const t = \`
import './e'
\${await import('./not-seen-in-a-template')}\`
const r = /import '[/'"]/.test(x) || [/require\\('.\\/f'\\)/]
loader.import('./g'); loader.require('./h'); this.#import('./i')
import(\`./\${name}\`); require(name); important './j'
const half = a / b; import './real'`
    expect(found('a.mjs', text)).toEqual(['10 static ./real'])
  })

  it.each([
    ['import /**/'.repeat(20_000)],
    ['import{'.repeat(50_000)],
    ['/*'.repeat(200_000)],
    [`import${' // x\n'.repeat(50_000)}`],
    ['`${'.repeat(100_000)],
    [`import { ${'a, '.repeat(100_000)}`],
  ])('take a time that grows with the text only: %#', (text) => {
    const before = performance.now()
    expect(found('a.ts', text)).toEqual([])
    expect(performance.now() - before).toBeLessThan(4_000)
  })
})

describe('imports of Python', () => {
  it('are found name by name, types apart, and none in strings and comments', () => {
    const text = `"""
import a
"""
import os, pkg.sub as s
from . import x, y as z
from ..up.er import (  # a comment, with a comma
    one,
    two as t,
)
from pkg import *
from pkg.long \\
    import name
if TYPE_CHECKING:
    from typed import T

    import typed.other
else:
    import real
try: import quick; import second
except ImportError: pass
x = "import b"  # import c
def f():
    from inner import g
if not TYPE_CHECKING:
    import runtime
important = 1`
    expect(found('a.py', text)).toEqual([
      '4 static os',
      '4 static pkg.sub',
      '5 static .:x',
      '5 static .:y',
      '6 static ..up.er:one',
      '6 static ..up.er:two',
      '10 static pkg:*',
      '11 static pkg.long:name',
      '14 type typed:T',
      '16 type typed.other',
      '18 static real',
      '19 static quick',
      '19 static second',
      '23 static inner:g',
      '25 static runtime',
    ])
  })
})

describe('imports of Go', () => {
  it('are found before the first declaration', () => {
    const text = `// import "a"
package main

import "fmt"
import (
	alias "example.com/m/one" // "b"
	_ "example.com/m/two"
	. \`example.com/m/three\`
)
import ("x"; "y")

func main() { print("import", "c") }`
    expect(found('a.go', text)).toEqual([
      '4 static fmt',
      '6 static example.com/m/one',
      '7 static example.com/m/two',
      '8 static example.com/m/three',
      '10 static x',
      '10 static y',
    ])
  })
})

describe('imports of Rust', () => {
  it('are the leaves of each tree, seen from the module of the file', () => {
    const text = `//! use a::b;
use std::{fmt, io::{self, Read as R}};
pub(crate) use crate::one::*;
mod child;
#[cfg(test)]
mod tests {
    use super::*;
    use super::super::up::X;
    mod deeper { use super::Y; mod own; }
    fn f<'a>(x: &'a str) { let c = '{'; let s = "}"; }
}
use super::sibling; // back in the file's own module
#[path = "other/name.rs"]
mod renamed;
extern crate alloc_like;
const S: &str = r#"use not::this; } mod nor_this;"#;
use ::outer::{
    // a comment; with a semicolon
    inner,
};
fn g() -> impl Sized + use<'a> {}`
    expect(found('a.rs', text)).toEqual([
      '2 static std::fmt',
      '2 static std::io',
      '2 static std::io::Read',
      '3 static crate::one::*',
      '4 static mod child',
      '7 static self::*',
      '8 static super::up::X',
      '9 static self::tests::Y',
      '9 static mod tests::deeper::own',
      '12 static super::sibling',
      '14 static mod "other/name.rs"',
      '15 static ::alloc_like',
      '17 static ::outer::inner',
    ])
  })
})
