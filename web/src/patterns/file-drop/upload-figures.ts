import { fileTexts } from '../../texts/en/file-texts.ts'

type Amount = { sent: number; total: number }

export const shareOf = ({ sent, total }: Amount): number => (total === 0 ? 0 : Math.min(1, sent / total))

const units = ['kilobyte', 'megabyte'] as const

/** The size in the larger unit that is at least one. */
export function formatSize(bytes: number, locale: string): string {
  const isLarge = bytes >= 1_000_000
  const value = bytes / (isLarge ? 1_000_000 : 1_000)
  const unit = units[Number(isLarge)]
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: isLarge && value < 100 ? 1 : 0,
  }).format(value)
}

export const describeAmount = (sent: number, total: number, locale: string): string =>
  fileTexts.amount(formatSize(sent, locale), formatSize(total, locale))

const minElapsedMs = 1_000

/** The remaining time at the speed until now, as soon as that speed means something. */
export function describeRest({ sent, total }: Amount, elapsedMs: number): string | undefined {
  if (elapsedMs < minElapsedMs || sent === 0 || sent >= total) return undefined
  return fileTexts.secondsLeft(Math.ceil(((elapsedMs / sent) * (total - sent)) / 1_000))
}
