/** The headers that tell the browser what the dashboard's pages may do, which is little. */

/** On every answer, refusals included. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** For answers that are not pages: nothing may be loaded, and nothing may frame them. */
export const emptyPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * The Content-Security-Policy of pages: scripts with this answer's nonce and what they load, styles and data of the
 * server itself. All else is refused.
 * @param isDevelopment `next dev` evaluates code, adds style elements and keeps a socket open for its reloads
 */
export const pagePolicy = (nonce: string, isDevelopment: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
