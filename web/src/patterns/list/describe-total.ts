import { formatNumber } from '../../ui/format.ts'

export const describeTotal = (
  { total, isExact }: { total: number | null; isExact: boolean },
  locale: string,
): string => (total === null ? '…' : `${formatNumber(total, locale)}${isExact ? '' : '+'}`)
