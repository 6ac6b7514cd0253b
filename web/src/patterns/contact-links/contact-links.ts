export const toPhoneUrl = (phone: string, e164?: string | null): string => `tel:${e164 ?? phone.replace(/[^\d+]/g, '')}`

/** The address of a website as a link; undefined if it is none, so that no other kind of link can be followed. */
export function toWebUrl(value: string | null | undefined): string | undefined {
  if (!value) return undefined
  const url = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(value) ? value : `https://${value}`)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
