/** Texts that differ only in what formatters change have the same shape. */

/** White space, byte order marks, separators at line ends, quotes, and round brackets (of parameters, expressions, tuples). */
const FORM = /[\s\uFEFF;,'"`()]+/gu
const WHITE_SPACE = /[\s\uFEFF]+/gu

/**
 * What is left of a text without its form: equal for two texts that only a formatter made different. A text of nothing
 * but separators and brackets keeps them, without white space: there they are all that it says.
 */
export const textShape = (text: string): string => {
  const shape = text.replace(FORM, '')
  return shape === '' ? text.replace(WHITE_SPACE, '') : shape
}
