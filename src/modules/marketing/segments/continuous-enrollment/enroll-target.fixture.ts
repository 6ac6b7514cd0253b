import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { type EnrollTarget, enrollTargetPoint } from '../segments/enroll-target.ts'

/** Records that were enrolled into each target, with repetitions. */
const enrolled = new Map<string, string[]>()

/** Records that every target rejects for now. */
export const rejected = new Set<string>()

const list: EnrollTarget = {
  type: 'list',
  scope: 'campaigns.write',
  findNames: async (_tx, ids) => new Map(ids.map((id) => [id, 'List'])),
  async assertEnrollable(_tx, _actor, targetId, { member_status }) {
    if (!enrolled.has(targetId)) enrolled.set(targetId, [])
    if (member_status === 'unknown')
      throw invalid('body', '/member_status', 'unknown_status', '`member_status` must be a status of the list.')
  },
  async enroll(_tx, _actor, targetId, { ids: offered }, { member_status }) {
    if (member_status === 'broken') throw new Error('The list is broken.')
    const ids = offered.filter((id) => !rejected.has(id))
    const rejectedIds = offered.filter((id) => rejected.has(id))
    const known = new Set(enrolled.get(targetId))
    const added = ids.filter((id) => !known.has(id))
    enrolled.get(targetId)!.push(...added)
    const repeated = ids.length - added.length
    const skipped: Record<string, number> = repeated ? { already_member: repeated } : {}
    if (rejectedIds.length) skipped.rejected = rejectedIds.length
    return { enrolled: added.length, skipped, rejectedIds }
  },
}

/** Adds a target of the type `list` that keeps its members in memory. */
export const addTestTarget = ({ registry }: Services): void => {
  if (!registry.extensionsOf(enrollTargetPoint).includes(list)) registry.extensionsOf(enrollTargetPoint).push(list)
}

export const newTarget = (): { target_type: 'list'; target_id: string } => ({ target_type: 'list', target_id: newId() })
export const listEnrolled = ({ target_id }: { target_id: string }): string[] =>
  [...(enrolled.get(target_id) ?? [])].sort()
export const forgetEnrolled = ({ target_id }: { target_id: string }) => enrolled.set(target_id, [])
