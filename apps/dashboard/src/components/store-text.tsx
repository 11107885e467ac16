/**
 * Text of the store as it is: data, whatever it holds. Control characters (ANSI codes begin with one) are shown as
 * their pictures, and text that changes its direction changes it for itself only.
 */

const PICTURES = 0x2400
const DELETE = 0x7f

/** `ESC[31m` as `␛[31m`; line ends and tabs stay. */
export const visibleText = (text: string): string =>
  // Matching control characters is the purpose here.
  // eslint-disable-next-line no-control-regex
  text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) => {
    const code = character.charCodeAt(0)
    return String.fromCharCode(code === DELETE ? PICTURES + 0x21 : PICTURES + code)
  })

export const StoreText = ({ text }: { readonly text: string }) => <bdi>{visibleText(text)}</bdi>
