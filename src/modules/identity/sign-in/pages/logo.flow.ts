import { createHash } from 'node:crypto'
import { EgressError } from '#platform/egress'
import type { Services } from '#platform/module'
import type { InTenant } from '../../credentials/tokens/auth-services.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { findLogoType } from './logo.rules.ts'

type LogoServices = Pick<Services, 'cache' | 'egress'>
type CachedLogo = { type: string; base64: string } | null
export type Logo = { type: string; content: Buffer }

const maxBytes = 256 * 1024
const timeoutMs = 5_000
const cacheSeconds = 600

/** Fetches the logo for the visitors, so that its host learns nothing about them. A failure is cached too. */
export async function readLogo(
  { cache, egress }: LogoServices,
  inTenant: InTenant,
  tenantId: string,
): Promise<Logo | undefined> {
  const { logo_url: url } = await inTenant((tx) => readSettings(tx, 'branding'))
  if (url === null) return undefined
  const name = `logo:${createHash('sha256').update(url).digest('base64url')}`
  const logo = await cache.getOrLoad(tenantId, name, cacheSeconds, () => fetchLogo(egress, url))
  return logo ? { type: logo.type, content: Buffer.from(logo.base64, 'base64') } : undefined
}

async function fetchLogo(egress: LogoServices['egress'], url: string): Promise<CachedLogo> {
  try {
    const { body } = await egress.safeFetch(url, { maxBytes, timeoutMs, mustSucceed: true })
    const type = findLogoType(body)
    return type ? { type, base64: body.toString('base64') } : null
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return null
  }
}
