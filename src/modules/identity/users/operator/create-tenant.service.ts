import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { enterTenant, type SystemTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { tenantCreated } from '../../identity.events.ts'
import { upsertSection } from '../../workspace/settings/settings.queries.ts'
import { defaultSignupSettings, emailDomainOf, isPublicEmailDomain } from '../../workspace/settings/settings.rules.ts'
import {
  deleteTombstone,
  findTombstone,
  insertTenant,
  type TenantRow,
} from '../../workspace/tenants/tenants.queries.ts'
import {
  assertSlugNotBlocked,
  assertValidSlug,
  type OperatorContext,
  slugTaken,
  workspaceUrl,
} from '../../workspace/tenants/tenants.rules.ts'
import { createUserRecord } from '../users/create-user-row.service.ts'
import { createInvitationLink } from './operate-users.service.ts'

export type NewTenant = {
  slug: string
  name: string
  region?: string
  admin_email: string
  admin_name?: string
  signup?: 'closed' | 'domain' | 'open'
}

/** Creates a workspace and returns an invitation link with which its first admin chooses a password. */
export async function createTenant(tx: SystemTx, input: NewTenant, context: OperatorContext) {
  const { slug, name, region, admin_email, admin_name, signup } = input
  const { config, now } = context
  assertValidSlug(slug, config.RESERVED_SLUGS)
  assertSignupOption(input)

  const tenant = await createTenantRow(tx, { id: newId(), slug, name, region }, now)
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await upsertSection(tenantTx, 'signup', defaultSignupSettings(admin_email, signup))
  await recordAudit(tenantTx, 'tenant.created', { id: tenant.id, label: slug, after: { slug, name } })
  await emit(tenantTx, tenantCreated, tenant, { slug })

  const admin = await createUserRecord(tenantTx, {
    email: admin_email,
    name: admin_name ?? admin_email.split('@')[0]!,
    role: 'admin',
    source: 'cli',
    status: 'invited',
  })
  const invitation = await createInvitationLink(tenantTx, tenant, admin, context)
  return { tenant, url: workspaceUrl(config, slug, '/'), admin, invitation }
}

export async function createTenantRow(
  tx: SystemTx,
  { slug, ...rest }: Parameters<typeof insertTenant>[1],
  now: Date,
): Promise<TenantRow> {
  const tenant = await insertTenant(tx, { slug, ...rest })
  if (!tenant) throw slugTaken(slug)
  // Checked after the insert, which waits for transactions that release this slug.
  assertSlugNotBlocked(slug, await findTombstone(tx, slug), now)
  await deleteTombstone(tx, slug)
  return tenant
}

function assertSignupOption({ admin_email, signup }: NewTenant): void {
  if (signup === 'domain' && isPublicEmailDomain(emailDomainOf(admin_email)))
    throw invalid(
      'body',
      '/signup',
      'public_mail_provider',
      `${emailDomainOf(admin_email)} is a public email provider. Use --signup closed and add allowed domains in the settings later.`,
    )
}
