/** Chinese, Japanese and Korean text around a mention, which has no blanks to begin or end one at. */

/** Punctuation, as the inside of a character class: 、。「」（），：！ and the like, and “ ” … — that other scripts share. */
const PUNCTUATION = String.raw`\u2014\u2018-\u201d\u2026\u3001-\u3003\u3008-\u3020\u3030\u303d\u30fb\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`
/** Letters, as the inside of a character class. */
const LETTERS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc`
/** What a mention may follow without a blank, as the inside of a character class. */
export const CJK = PUNCTUATION + LETTERS

/** A punctuation mark (first group), or a letter (second group) that follows something else. */
const BOUNDARY = new RegExp(`([${PUNCTUATION}])|(?<=[^${CJK}])([${LETTERS}])`, 'gu')
/** A keyword, or the end of a path: an extension or lines. */
const ENDED =
  /^(?:git|session|memory|problems|selection)$|^(?:git|session):[\w.~^:/-]+$|\.[a-z][a-z0-9]{0,9}$|(?:[:-]|#L|-L)\d{1,9}$/iu
/** Each word is looked up under at most so many endings. */
const MOST_ENDS = 8
/** A word is searched for its end up to so many marks and changes of script. */
const MOST_BOUNDARIES = 64

/**
 * Returns where a word may end before CJK text that follows it without a blank, as lengths, the longest first: before
 * each punctuation mark, and before letters behind what looks like a whole path or keyword. Empty for other words.
 */
export const cjkEnds = (word: string): readonly number[] => {
  const ends: number[] = []
  let boundaries = 0
  for (const { 1: mark, index } of word.matchAll(BOUNDARY)) {
    boundaries += 1
    if (boundaries > MOST_BOUNDARIES || ends.length === MOST_ENDS) break
    if (index > 0 && (mark !== undefined || isEndedAt(word, index))) ends.push(index)
  }
  return ends.reverse()
}

/** Whether letters at `index` follow a whole path or keyword; behind a folder, if no path goes on there. */
const isEndedAt = (word: string, index: number): boolean =>
  word[index - 1] === '/' ? !/[./\\]/.test(word.slice(index)) : ENDED.test(word.slice(0, index))
