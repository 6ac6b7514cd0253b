/** `content_download` becomes `Content download`, for keys whose label is not known. */
export function labelOfKey(key: string): string {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
