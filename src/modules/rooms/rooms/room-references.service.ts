import { findAccountNames, findContactReferences, findOpportunityReferences } from '#modules/crm'
import { assertAssignable, filterActiveUserIds } from '#modules/identity'
import { listVisibleItems } from '#modules/library'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { type TenantTx, toSearchText } from '#platform/db'
import { roleRequired, unknownReference } from '#platform/errors'
import type { BrandingChanges } from '../records/room-fields.schemas.ts'
import { accountMismatch, isPublicImage } from '../records/rooms.rules.ts'

type References = { account_id?: string | null; opportunity_id?: string | null; primary_contact_id?: string | null }

/** Checks the given references and returns the account of the room: that of its deal, if the deal has one. */
export async function resolveAccountId(
  tx: TenantTx,
  given: References,
  current: Pick<References, 'account_id' | 'opportunity_id'> = {},
): Promise<string | null> {
  const { account_id, primary_contact_id } = given
  const opportunityId = given.opportunity_id === undefined ? current.opportunity_id : given.opportunity_id
  const [accounts, deals, contacts] = await Promise.all([
    findAccountNames(tx, account_id ? [account_id] : []),
    findOpportunityReferences(tx, opportunityId ? [opportunityId] : []),
    findContactReferences(tx, primary_contact_id ? [primary_contact_id] : []),
  ])
  if (account_id && !accounts.has(account_id)) throw unknownReference('/account_id', 'account')
  if (given.opportunity_id && !deals.has(given.opportunity_id)) throw unknownReference('/opportunity_id', 'deal')
  if (primary_contact_id && !contacts.has(primary_contact_id)) throw unknownReference('/primary_contact_id', 'contact')

  const dealAccountId = opportunityId ? (deals.get(opportunityId)?.account_id ?? null) : null
  if (dealAccountId && account_id !== undefined && account_id !== dealAccountId) throw accountMismatch()
  return dealAccountId ?? (account_id === undefined ? (current.account_id ?? null) : account_id)
}

export async function assertAllowedOwner(tx: TenantTx, actor: UserActor, ownerId: string): Promise<void> {
  if (ownerId !== actor.userId && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only managers and admins can choose another owner.')
  await assertAssignable(tx, ownerId)
}

export async function assertActiveCollaborators(
  tx: TenantTx,
  collaborators: readonly { user_id: string }[],
): Promise<void> {
  const active = await filterActiveUserIds(
    tx,
    collaborators.map(({ user_id }) => user_id),
  )
  const unknown = collaborators.findIndex(({ user_id }) => !active.has(user_id))
  if (unknown >= 0) throw unknownReference(`/collaborators/${unknown}/user_id`, 'active user')
}

/** Visitors see these images before they have entered. */
export async function assertBrandingImages(tx: TenantTx, branding: BrandingChanges): Promise<void> {
  const fields = ['logo_item_id', 'cover_item_id'] as const
  const items = await listVisibleItems(
    tx,
    fields.flatMap((field) => branding[field] ?? []),
  )
  const imageIds = new Set(items.filter(isPublicImage).map(({ id }) => id))
  for (const field of fields) {
    const id = branding[field]
    if (id && !imageIds.has(id))
      throw unknownReference(`/branding/${field}`, 'published content item of the type image that is public')
  }
}

export async function findAccountName(tx: TenantTx, accountId: string | null): Promise<string | undefined> {
  return accountId === null ? undefined : (await findAccountNames(tx, [accountId])).get(accountId)
}

/** Starts with a space, because a search for short words matches the start of words. */
export const roomSearchText = (name: string, accountName: string | undefined): string =>
  ` ${toSearchText(name, accountName)}`
