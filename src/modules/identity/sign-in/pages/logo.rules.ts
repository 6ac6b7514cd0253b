import { isSvg } from '#platform/files'

const signatures: [type: string, pattern: RegExp][] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** Decides by the content, because other hosts may send any type. Returns undefined if it is not an image that pages show. */
export function findLogoType(content: Buffer): string | undefined {
  const start = content.subarray(0, 20).toString('latin1')
  return signatures.find(([, pattern]) => pattern.test(start))?.[0] ?? (isSvg(content) ? 'image/svg+xml' : undefined)
}
