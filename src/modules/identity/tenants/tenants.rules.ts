import { conflict, invalid } from '#platform/errors'

/** How workspaces are reached from outside, as the configuration says. */
export type PublicAddress = { APP_SCHEME: string; APP_DOMAIN: string; APP_PORT?: number }

/** What an act of the operator depends on besides its arguments. */
export type Circumstances = { config: PublicAddress & { RESERVED_SLUGS: string }; now: Date }

/** The address of something in a workspace. Every link is made here, from the configuration and the tenant's own slug. */
export const workspaceUrl = (address: PublicAddress, slug: string, path: string): string =>
  urlOf(address, `${slug}.${address.APP_DOMAIN}`, path)

/** The address of what belongs to no workspace. */
export const mainUrl = (address: PublicAddress, path: string): string => urlOf(address, address.APP_DOMAIN, path)

function urlOf({ APP_SCHEME, APP_PORT }: PublicAddress, host: string, path: string): string {
  const isUsual = APP_PORT === undefined || APP_PORT === 443 || APP_PORT === 80
  return `${APP_SCHEME}://${host}${isUsual ? '' : `:${APP_PORT}`}${path}`
}

const slugPattern = /^[a-z][a-z0-9-]*[a-z0-9]$/

const reserved = new Set(
  `www api app admin auth login signup sso oauth account accounts id idp static assets cdn media files img mail email smtp
  imap pop ftp ns ns1 ns2 mx mta-sts autodiscover autoconfig status health metrics docs help support blog news dev test
  staging stage preview beta demo-api sandbox internal intranet local localhost root system sys operator ops billing pay
  webhook webhooks hooks events ws api-docs console dashboard security abuse postmaster hostmaster webmaster noreply
  no-reply vpn git ci`.split(/\s+/),
)

/** `furtherReserved` is what the operator keeps for itself, separated by commas. */
export function assertUsableSlug(slug: string, furtherReserved: string): void {
  const refuse = (code: string, message: string) => invalid('body', '/slug', code, message)
  if (slug.length < 3 || slug.length > 40) throw refuse('length', 'A slug has 3 to 40 characters.')
  // Two hyphens in a row would let in punycode, which looks like something else to people.
  if (!slugPattern.test(slug) || slug.includes('--'))
    throw refuse(
      'format',
      'A slug is made of a-z, 0-9 and single hyphens; it starts with a letter and does not end with a hyphen.',
    )
  const isReserved = reserved.has(slug) || furtherReserved.split(',').some((name) => name.trim().toLowerCase() === slug)
  if (isReserved) throw refuse('reserved', `The slug ${slug} is reserved. Choose another one.`)
}

export type TenantStatus = 'active' | 'suspended' | 'deleting'

const transitions: Record<TenantStatus, TenantStatus[]> = {
  active: ['suspended', 'deleting'],
  suspended: ['active', 'deleting'],
  deleting: [],
}

export function assertTransition({ slug, status }: { slug: string; status: string }, to: TenantStatus): void {
  const allowed = transitions[status as TenantStatus]
  if (!allowed.includes(to))
    throw conflict('invalid_transition', `The workspace ${slug} is ${status}, so it cannot become ${to}.`, {
      from: status,
      to,
      allowed,
    })
}

type Leaving = { slug: string; status: string; delete_after: Date | null; maintenance: string | null }

export const purging = 'purging'

export function assertRestorable({ slug, status, delete_after, maintenance }: Leaving, now: Date): void {
  if (status !== 'deleting') throw conflict('invalid_transition', `The workspace ${slug} is not being deleted.`)
  if (maintenance === purging || delete_after! <= now)
    throw conflict('conflict', `The time to restore the workspace ${slug} is over.`)
}

export function assertPurgeable({ slug, status, delete_after, maintenance }: Leaving, now: Date): void {
  if (status !== 'deleting')
    throw conflict('invalid_transition', `The workspace ${slug} is ${status}. Delete it before purging it.`)
  if (maintenance !== purging && delete_after! > now)
    throw conflict(
      'conflict',
      `The workspace ${slug} can be restored until ${delete_after!.toISOString()}. To purge it before, add --now --confirm ${slug}.`,
    )
}

/** What cannot be undone wants its name typed once more. */
export function assertConfirmed(slug: string, confirmation: string | undefined): void {
  if (confirmation !== slug)
    throw conflict(
      'confirmation_missing',
      `This is about everything in ${slug}. If it is meant, add --confirm ${slug}.`,
    )
}

type Tombstone = { released_tenant: string; blocked_until: Date }

/** A workspace may return to an address it left itself. */
export function assertNotBlocked(slug: string, tombstone: Tombstone | undefined, now: Date, tenantId?: string): void {
  if (!tombstone || tombstone.blocked_until <= now || tombstone.released_tenant === tenantId) return
  const until = tombstone.blocked_until.toISOString().slice(0, 10)
  throw conflict('already_exists', `The slug ${slug} belonged to another workspace and is blocked until ${until}.`)
}

export const slugTaken = (slug: string) => conflict('already_exists', `There is a workspace ${slug} already.`)

const limitNames = ['monthly_event_limit', 'storage_quota_bytes']
export type TenantLimits = Record<string, number>

/** `storage_quota_bytes=1000` sets a limit, `storage_quota_bytes=none` lifts it. */
export function readLimits(assignments: string[]): Map<string, number | null> {
  return new Map(
    assignments.map((assignment) => {
      const [, name = '', value = ''] = /^(\w+)=(none|\d{1,15})$/.exec(assignment) ?? []
      if (!limitNames.includes(name))
        throw invalid('body', '/set', 'format', `Write one of ${limitNames.join(', ')}, then = and a number or none.`)
      return [name, value === 'none' ? null : Number(value)]
    }),
  )
}

export function changedLimits(limits: TenantLimits, changes: Map<string, number | null>): TenantLimits {
  const all = Object.entries({ ...limits, ...Object.fromEntries(changes) })
  return Object.fromEntries(all.filter((entry): entry is [string, number] => entry[1] !== null))
}
