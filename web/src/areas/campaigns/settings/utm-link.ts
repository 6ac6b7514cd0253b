/** Adds UTM values to the address of a page; undefined if it is no address of a page. */
export function buildUtmLink(
  page: string,
  values: Readonly<Record<'utm_campaign' | 'utm_source' | 'utm_medium', string>>,
): string | undefined {
  const url = URL.parse(page.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  for (const [name, value] of Object.entries(values)) {
    if (value.trim()) url.searchParams.set(name, value.trim())
    else url.searchParams.delete(name)
  }
  return url.href
}
