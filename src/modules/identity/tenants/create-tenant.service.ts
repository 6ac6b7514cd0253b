import { operatorIn } from '#platform/access'
import { record } from '#platform/audit'
import { enterTenant, type SystemTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { tenantCreated } from '../identity.events.ts'
import { domainOf, initialSignup, isPublicMailDomain } from '../settings/public-mail.rules.ts'
import { storeSection } from '../settings/settings.queries.ts'
import { addUser } from '../users/users.service.ts'
import { openInvitation } from './operate-users.service.ts'
import { deleteTombstone, findTombstone, insertTenant } from './tenants.queries.ts'
import { assertNotBlocked, assertUsableSlug, type Circumstances, slugTaken, workspaceUrl } from './tenants.rules.ts'

export type NewTenant = {
  slug: string
  name: string
  region?: string
  admin_email: string
  admin_name?: string
  signup?: 'closed' | 'domain' | 'open'
}

/** Opens a workspace. Its first admin gets a link to choose a password with; there is no password to hand out. */
export async function createTenant(tx: SystemTx, given: NewTenant, circumstances: Circumstances) {
  const { slug, name, region, admin_email, admin_name, signup } = given
  const { config, now } = circumstances
  assertUsableSlug(slug, config.RESERVED_SLUGS)
  assertSignupPossible(given)

  const tenant = await insertTenant(tx, { id: newId(), slug, name, region })
  if (!tenant) throw slugTaken(slug)
  // Looked up only now: whoever was just leaving this slug has committed, or the insert would still wait.
  assertNotBlocked(slug, await findTombstone(tx, slug), now)
  await deleteTombstone(tx, slug)
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await storeSection(inside, 'signup', initialSignup(admin_email, signup))
  await record(inside, 'tenant.created', { id: tenant.id, label: slug, after: { slug, name } })
  await emit(inside, tenantCreated, tenant, { slug })

  const admin = await addUser(inside, {
    email: admin_email,
    name: admin_name ?? admin_email.split('@')[0]!,
    role: 'admin',
    source: 'cli',
    status: 'invited',
  })
  const invitation = await openInvitation(inside, tenant, admin, circumstances)
  return { tenant, url: workspaceUrl(config, slug, '/'), admin, invitation }
}

function assertSignupPossible({ admin_email, signup }: NewTenant): void {
  if (signup === 'domain' && isPublicMailDomain(domainOf(admin_email)))
    throw invalid(
      'body',
      '/signup',
      'public_mail_provider',
      `Anyone can have an address at ${domainOf(admin_email)}. Choose --signup closed, and list domains in the settings later.`,
    )
}
