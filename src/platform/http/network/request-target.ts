/** Makes every target routable, because Fastify rejects others before any hook runs: `%ff` is a literal percent sign and ff. */
export function toRoutableTarget({ url = '' }: { url?: string }): string {
  const target = url.startsWith('/') ? url : `/${url}`
  const path = target.split(/[?#]/, 1)[0]!
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length)
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
