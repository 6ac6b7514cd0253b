import { campaignPeopleTexts as texts } from '../../../texts/en/campaign-people-texts.ts'

/** The result of a change of members, also of a task. */
export type MemberResult = {
  updated?: number
  unchanged?: number
  removed?: number
  failed_count?: number
}

type ToText = (value: number) => string

/** Says how many members were changed, and why others were not. Without a status they were removed. */
export function describeChange(
  { updated = 0, unchanged = 0, removed = 0, failed_count: failed = 0 }: MemberResult,
  status: string | undefined,
  toText: ToText,
): string {
  const sentences = [
    status === undefined ? texts.removed(removed, toText(removed)) : texts.statusSet(updated, toText(updated), status),
    unchanged > 0 && texts.unchanged(unchanged, toText(unchanged)),
    failed > 0 && texts.failures(failed, toText(failed)),
  ]
  return sentences.filter(Boolean).join(' ')
}

type Added = { added?: number; already_member?: number; failed_count?: number }

export function describeAdded(
  { added = 0, already_member: already = 0, failed_count: failed = 0 }: Added,
  toText: ToText,
): string {
  const sentences = [
    texts.add.added(added, toText(added)),
    already > 0 && texts.add.already(already, toText(already)),
    failed > 0 && texts.add.failed(failed, toText(failed)),
  ]
  return sentences.filter(Boolean).join(' ')
}

type Enrolled = { enrolled?: number | null; skipped?: Readonly<Record<string, number>> | null }

/** Says how many members of a segment were added, and why others were skipped. */
export function describeEnrolled({ enrolled, skipped }: Enrolled, toText: ToText): string {
  const added = enrolled ?? 0
  const reasons = Object.entries(skipped ?? {}).filter(([, count]) => count > 0)
  return [
    texts.add.added(added, toText(added)),
    ...reasons.map(([code, count]) => texts.add.skipped(toText(count), code)),
  ].join(' ')
}
