import type { ModuleRow } from '../records/module-row.ts'

export const maxMinSeconds = 7_200
const shareOfDuration = 0.5

/** Seconds that the content of a module must be used. A video without a setting of the author follows the duration of its current file. */
export function minSecondsOf(
  { kind, min_seconds }: Pick<ModuleRow, 'kind' | 'min_seconds'>,
  durationSeconds: number | undefined,
): number {
  if (min_seconds !== null) return min_seconds
  return kind === 'video' ? Math.min(Math.ceil((durationSeconds ?? 0) * shareOfDuration), maxMinSeconds) : 0
}
