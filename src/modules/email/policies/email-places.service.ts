import { readCrmSettings } from '#modules/crm'
import { findUserCards, timezoneOf } from '#modules/identity'
import type { Role } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import {
  addAddressCounts,
  addEmailCounts,
  findSendCount,
  listAddressCounts,
  lockSendCount,
} from './email-counters.queries.ts'
import { addressLimitOf, addressUserOf, chooseEmails, type PlacedEmail } from './email-limits.rules.ts'

export type EmailPlaces = { day: string; timezone: string; remaining: number }

export const findEmailPlaces = (tx: TenantTx, now: Date): Promise<EmailPlaces> => readPlaces(tx, now, findSendCount)

/** Only one transaction of the workspace holds the places of a day, so that the daily limit is never exceeded. */
export const lockEmailPlaces = (tx: TenantTx, now: Date): Promise<EmailPlaces> =>
  readPlaces(tx, now, async (_, day) => {
    const found = await lockSendCount(tx, day)
    if (found !== undefined) return found
    await addEmailCounts(tx, day, {})
    return (await lockSendCount(tx, day))!
  })

async function readPlaces(
  tx: TenantTx,
  now: Date,
  readCount: (tx: TenantTx, day: string) => Promise<number>,
): Promise<EmailPlaces> {
  const [{ sending }, timezone] = await Promise.all([readCrmSettings(tx), timezoneOf(tx)])
  const day = dayInTimezone(now, timezone)
  return { day, timezone, remaining: Math.max(0, sending.daily_limit_tenant - (await readCount(tx, day))) }
}

/** Counts emails at the moment of sending, in the transaction that claims them. Lock the places first. */
export async function takeEmailPlaces(tx: TenantTx, { day }: EmailPlaces, emails: number): Promise<void> {
  if (emails) await addEmailCounts(tx, day, { emails })
}

export async function placeEmails<T extends PlacedEmail>(
  tx: TenantTx,
  emails: readonly T[],
  now: Date,
): Promise<{ chosen: T[]; postponed: T[] }> {
  if (!emails.length) return { chosen: [], postponed: [] }
  const places = await lockEmailPlaces(tx, now)
  const addressesLeft = await readAddressesLeft(tx, places, emails)
  const { chosen, postponed, addressCounts } = chooseEmails(emails, { ...places, addressesLeft })
  await takeEmailPlaces(tx, places, chosen.length)
  await addAddressCounts(tx, places.day, addressCounts)
  return { chosen, postponed }
}

async function readAddressesLeft(
  tx: TenantTx,
  { day }: EmailPlaces,
  emails: readonly PlacedEmail[],
): Promise<Map<string, number>> {
  const userIds = [...new Set(emails.flatMap((email) => addressUserOf(email) ?? []))]
  if (!userIds.length) return new Map()
  const [users, counts, { sending }] = await Promise.all([
    findUserCards(tx, userIds),
    listAddressCounts(tx, day, userIds),
    readCrmSettings(tx),
  ])
  const limitOf = (id: string) => addressLimitOf(users.get(id)?.role, sending.daily_limit_unknown_addresses)
  return new Map(userIds.map((id) => [id, limitOf(id) - (counts.get(id) ?? 0)]))
}

export async function readAddressLimit(tx: TenantTx, role: Role): Promise<number> {
  return addressLimitOf(role, (await readCrmSettings(tx)).sending.daily_limit_unknown_addresses)
}
