import { segmentTexts } from '../../../texts/en/segment-texts.ts'
import { formatNumber } from '../../../ui/format.ts'

const texts = segmentTexts.enroll

export type EnrollResult = { enrolled: number; skipped: Readonly<Record<string, number>> }

export function readEnrollment(result: unknown): EnrollResult | undefined {
  const { enrolled, skipped } = (result ?? {}) as Partial<EnrollResult>
  return typeof enrolled === 'number' ? { enrolled, skipped: skipped ?? {} } : undefined
}

/** "298 added to Webinar. 14 skipped: 10 already there, 4 opted out." */
export function describeEnrollment({ enrolled, skipped }: EnrollResult, target: string, locale: string): string {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0)
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  const added = texts.added(enrolled, formatNumber(enrolled, locale), target)
  if (total === 0) return added
  const list = reasons
    .sort(([, one], [, other]) => other - one)
    .map(
      ([reason, count]) => `${formatNumber(count, locale)} ${texts.skipReason(reason) ?? reason.replaceAll('_', ' ')}`,
    )
  return `${added} ${texts.skipped(total, formatNumber(total, locale), list.join(', '))}`
}
