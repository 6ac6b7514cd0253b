import { formatNumber } from '../../ui/format.ts'

/** Counts are exact up to 1,000, and beyond it after the user has asked for it. */
export const describeTotal = (
  { total, isExact }: { total: number | null; isExact: boolean },
  locale: string,
): string => (total === null ? '…' : `${formatNumber(total, locale)}${isExact ? '' : '+'}`)
