import type { UserActor } from '#platform/access'
import { invalid, scopeRequired } from '#platform/errors'
import type { EnrollOptions, EnrollResult, EnrollTarget } from '../segments/enroll-target.ts'
import type { SegmentType } from '../segments/segments.schemas.ts'

export type EnrollProgress = { after: string; matched: number } & Omit<EnrollResult, 'rejectedIds'>

export function addResult(progress: EnrollProgress, ids: readonly string[], result: EnrollResult): EnrollProgress {
  const skipped = { ...progress.skipped }
  for (const [reason, count] of Object.entries(result.skipped))
    if (count) skipped[reason] = (skipped[reason] ?? 0) + count
  return {
    after: ids.at(-1) ?? progress.after,
    matched: progress.matched + ids.length,
    enrolled: progress.enrolled + result.enrolled,
    skipped,
  }
}

export function requirePersonType(objectType: SegmentType): 'lead' | 'contact' {
  if (objectType === 'account')
    throw invalid('path', '/segment_id', 'object_type', '`segment_id` must be a segment of leads or contacts.')
  return objectType
}

export function assertUsesSender({ usesSender }: EnrollTarget, { sender_id }: EnrollOptions): void {
  if (sender_id !== undefined && !usesSender)
    throw invalid('body', '/sender_id', 'unexpected', '`sender_id` is not allowed, because this target sends no email.')
}

export function requireTarget(
  targets: readonly EnrollTarget[],
  type: string,
  { scopes }: Pick<UserActor, 'scopes'>,
): EnrollTarget {
  const target = targets.find((known) => known.type === type)
  if (!target) {
    const known = targets.map((one) => one.type).join(', ') || 'none is available'
    throw invalid('body', '/target_type', 'unknown_target', `\`target_type\` must be one of: ${known}.`)
  }
  if (!scopes.has(target.scope)) throw scopeRequired(target.scope)
  return target
}
