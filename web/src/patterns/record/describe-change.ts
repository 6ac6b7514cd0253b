import { recordPartTexts } from '../../texts/en/record-part-texts.ts'
import { labelOfKey } from '../label-of-key.ts'
import type { Activity } from './activity-api.ts'

const isId = (value: unknown): boolean => typeof value === 'string' && /^[\da-f]{8}-[\da-f-]{27}$/.test(value)

/** Describes the values before and after a change of status, stage or grade. */
export const describeChange =
  (labels: Readonly<Record<string, string>>) =>
  ({ meta }: Activity): string | undefined => {
    const label = (value: unknown) => (typeof value === 'string' ? (labels[value] ?? labelOfKey(value)) : undefined)
    const [from, to] = [label(meta.from), label(meta.to)]
    if (!to || isId(meta.to)) return undefined
    return from ? recordPartTexts.change(from, to) : recordPartTexts.changeTo(to)
  }
