import { type PublicAddress, type TenantRow, workspaceUrl } from '../modules/identity/tenants/operator.ts'

/** A workspace as the operator sees it. */
export const described = (tenant: TenantRow, config: PublicAddress) => ({
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  url: workspaceUrl(config, tenant.slug, '/'),
  status: tenant.status,
  status_reason: tenant.status_reason,
  delete_after: tenant.delete_after,
  region: tenant.region,
  limits: tenant.limits,
  created_at: tenant.created_at,
})

export const linkText = (email: string, { link, expires_at }: { link: string; expires_at: Date }): string =>
  `Give this link to ${email}. It sets a password, works once, and until ${expires_at.toISOString()}:\n${link}`
