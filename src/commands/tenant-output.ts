import { type PublicUrlConfig, type TenantRow, workspaceUrl } from '../modules/identity/users/operator/operator.ts'

export const toTenantSummary = (tenant: TenantRow, config: PublicUrlConfig) => ({
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  url: workspaceUrl(config, tenant.slug, '/'),
  status: tenant.status,
  status_reason: tenant.status_reason,
  maintenance: tenant.maintenance,
  delete_after: tenant.delete_after,
  region: tenant.region,
  limits: tenant.limits,
  created_at: tenant.created_at,
})

export const formatPasswordLink = (email: string, { link, expires_at }: { link: string; expires_at: Date }): string =>
  `Send this link to ${email} to set a password. It can be used once and expires at ${expires_at.toISOString()}:\n${link}`
