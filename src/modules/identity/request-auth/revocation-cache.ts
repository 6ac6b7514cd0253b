import { setWithEviction } from '#platform/cache'

const maxEntries = 50_000

/** Remembers revoked sessions and API keys with their tenant. Revocation is final, so no lookup is needed. */
export function createRevocationCache(max = maxEntries) {
  const tenants = new Map<string, string>()

  function add(credential: string, tenantId: string): void {
    setWithEviction(tenants, credential, tenantId, max)
  }

  return {
    add,
    tenantOf(credential: string): string | undefined {
      const tenantId = tenants.get(credential)
      if (tenantId !== undefined) add(credential, tenantId)
      return tenantId
    },
  }
}
