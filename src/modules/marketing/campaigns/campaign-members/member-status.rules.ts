import { conflict, invalid } from '#platform/errors'
import type { MemberStatus } from '../campaigns/default-statuses.rules.ts'

type Statuses = { member_statuses: readonly MemberStatus[] }

export const isResponseStatus = ({ member_statuses }: Statuses, key: string): boolean =>
  member_statuses.some((status) => status.key === key && status.is_response)

export const firstStatus = ({ member_statuses }: Statuses): string => member_statuses[0]!.key

export const firstResponseStatus = ({ member_statuses }: Statuses): string =>
  member_statuses.find(({ is_response }) => is_response)!.key

const rankOf = ({ member_statuses }: Statuses, key: string): number =>
  member_statuses.findIndex((status) => status.key === key)

/** Automatic signals only raise the rank of a member. */
export const raisesStatus = (campaign: Statuses, from: string, to: string): boolean =>
  rankOf(campaign, to) > rankOf(campaign, from)

export function assertKnownStatus({ member_statuses }: Statuses, key: string, path = '/status'): void {
  const keys = member_statuses.map((status) => status.key)
  if (!keys.includes(key))
    throw invalid(
      'body',
      path,
      'enum',
      `\`${path.slice(1)}\` must be one of the statuses of the campaign: ${keys.join(', ')}.`,
    )
}

export function assertMembersEditable({ status }: { status: string }): void {
  if (status === 'archived')
    throw conflict(
      'campaign_archived',
      'Members of an archived campaign cannot be changed. Add them to another campaign.',
    )
}

/** The result of a task is limited to 64 KiB. */
const maxListed = 500

export type Failures = { failed_count: number; not_found: string[] }

export const noFailures: Failures = { failed_count: 0, not_found: [] }

export const addFailures = ({ failed_count, not_found }: Failures, ids: readonly string[]): Failures => ({
  failed_count: failed_count + ids.length,
  not_found: [...not_found, ...ids].slice(0, maxListed),
})

export const showFailures = ({ failed_count, not_found }: Failures) => ({
  failed_count,
  failed: not_found.map((id) => ({ id, code: 'not_found' })),
})
