/** A page of ours as the editor is given it: a script and a style of the package, and nothing else may run or load. */

/** Returns a text escaped for an attribute in double quotes. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Returns the HTML of a page of ours: empty but for its script and style, which build it, with a policy that allows
 * nothing else but, with `showsImages`, images of data. Texts are escaped.
 * @param nonce new for each document, of letters and digits
 */
export const pageHtml = ({
  nonce,
  title,
  script,
  style,
  cspSource,
  showsImages = false,
}: {
  readonly nonce: string
  readonly title: string
  /** Addresses that the page may load them from. */
  readonly script: string
  readonly style: string
  /** Where the editor serves the package's files from. */
  readonly cspSource: string
  /** Images may be shown whose bytes the extension gives; none is ever loaded from anywhere. */
  readonly showsImages?: boolean
}): string => {
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
    ...(showsImages ? ['img-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
    // Whatever would make markup of a text fails, ours included.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
</head>
<body>
<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>
`
}
