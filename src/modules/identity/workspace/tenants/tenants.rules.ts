import { conflict, invalid, invalidTransition } from '#platform/errors'

export type PublicUrlConfig = { APP_SCHEME: string; APP_DOMAIN: string; APP_PORT?: number }

export type OperatorContext = { config: PublicUrlConfig & { RESERVED_SLUGS: string }; now: Date }

/** Builds every link to a workspace, from the configuration and the slug, never from request headers. */
export const workspaceUrl = (config: PublicUrlConfig, slug: string, path: string): string =>
  urlOf(config, `${slug}.${config.APP_DOMAIN}`, path)

export const mainDomainUrl = (config: PublicUrlConfig, path: string): string => urlOf(config, config.APP_DOMAIN, path)

function urlOf({ APP_SCHEME, APP_PORT }: PublicUrlConfig, host: string, path: string): string {
  const isDefaultPort = APP_PORT === undefined || APP_PORT === 443 || APP_PORT === 80
  return `${APP_SCHEME}://${host}${isDefaultPort ? '' : `:${APP_PORT}`}${path}`
}

const slugPattern = /^[a-z][a-z0-9-]*[a-z0-9]$/

const reserved = new Set(
  `www api app admin auth login signup sso oauth account accounts id idp static assets cdn media files img mail email smtp
  imap pop ftp ns ns1 ns2 mx mta-sts autodiscover autoconfig status health metrics docs help support blog news dev test
  staging stage preview beta demo-api sandbox internal intranet local localhost root system sys operator ops billing pay
  webhook webhooks hooks events ws api-docs console dashboard security abuse postmaster hostmaster webmaster noreply
  no-reply vpn git ci`.split(/\s+/),
)

export function assertValidSlug(slug: string, additionalReserved: string): void {
  const slugError = (code: string, message: string) => invalid('body', '/slug', code, message)
  if (slug.length < 3 || slug.length > 40) throw slugError('length', 'The slug must have 3 to 40 characters.')
  // Rejects punycode (xn--), which can imitate other names.
  if (!slugPattern.test(slug) || slug.includes('--'))
    throw slugError(
      'format',
      'The slug must contain only a-z, 0-9 and single hyphens, start with a letter and not end with a hyphen.',
    )
  const isReserved =
    reserved.has(slug) || additionalReserved.split(',').some((name) => name.trim().toLowerCase() === slug)
  if (isReserved) throw slugError('reserved', `The slug ${slug} is reserved. Choose another slug.`)
}

export type TenantStatus = 'active' | 'suspended' | 'deleting'

const transitions: Record<TenantStatus, TenantStatus[]> = {
  active: ['suspended', 'deleting'],
  suspended: ['active', 'deleting'],
  deleting: [],
}

export function assertTenantTransition({ slug, status }: { slug: string; status: string }, to: TenantStatus): void {
  const allowed = transitions[status as TenantStatus]
  if (!allowed.includes(to))
    throw invalidTransition(`The status of the workspace ${slug} cannot change from ${status} to ${to}.`, {
      from: status,
      to,
      allowed,
    })
}

type DeletingTenant = { slug: string; status: string; delete_after: Date | null; maintenance: string | null }

export const purging = 'purging'

export function assertRestorable({ slug, status, delete_after, maintenance }: DeletingTenant, now: Date): void {
  if (status !== 'deleting')
    throw conflict(
      'invalid_transition',
      `The workspace ${slug} is ${status}. Only a deleted workspace can be restored.`,
    )
  if (maintenance === purging || delete_after! <= now)
    throw conflict('conflict', `The workspace ${slug} can no longer be restored.`)
}

export function assertPurgeable({ slug, status, delete_after, maintenance }: DeletingTenant, now: Date): void {
  if (status !== 'deleting')
    throw conflict('invalid_transition', `The workspace ${slug} is ${status}. Delete it before purging it.`)
  if (maintenance !== purging && delete_after! > now)
    throw conflict(
      'conflict',
      `The workspace ${slug} can be restored until ${delete_after!.toISOString()}. To purge it now, add --now --confirm ${slug}.`,
    )
}

export function assertSlugConfirmed(slug: string, confirmation: string | undefined): void {
  if (confirmation !== slug)
    throw conflict(
      'confirmation_missing',
      `This affects all data of the workspace ${slug}. To confirm, add --confirm ${slug}.`,
    )
}

type Tombstone = { released_tenant: string; blocked_until: Date }

/** A workspace may take back a slug that it released itself. */
export function assertSlugNotBlocked(
  slug: string,
  tombstone: Tombstone | undefined,
  now: Date,
  tenantId?: string,
): void {
  if (!tombstone || tombstone.blocked_until <= now || tombstone.released_tenant === tenantId) return
  const until = tombstone.blocked_until.toISOString().slice(0, 10)
  throw conflict('already_exists', `The slug ${slug} belonged to another workspace and is blocked until ${until}.`)
}

export const slugTaken = (slug: string) =>
  conflict('already_exists', `A workspace with the slug ${slug} already exists.`)

const limitNames = ['monthly_event_limit', 'storage_quota_bytes']
export type TenantLimits = Record<string, number>

/** Parses `storage_quota_bytes=1000` (set) and `storage_quota_bytes=none` (remove). */
export function parseLimits(assignments: string[]): Map<string, number | null> {
  return new Map(
    assignments.map((assignment) => {
      const [, name = '', value = ''] = /^(\w+)=(none|\d{1,15})$/.exec(assignment) ?? []
      if (!limitNames.includes(name))
        throw invalid(
          'body',
          '/set',
          'format',
          `A limit must have the form name=number or name=none, where name is one of ${limitNames.join(', ')}.`,
        )
      return [name, value === 'none' ? null : Number(value)]
    }),
  )
}

export function applyLimits(limits: TenantLimits, changes: Map<string, number | null>): TenantLimits {
  const all = Object.entries({ ...limits, ...Object.fromEntries(changes) })
  return Object.fromEntries(all.filter((entry): entry is [string, number] => entry[1] !== null))
}
