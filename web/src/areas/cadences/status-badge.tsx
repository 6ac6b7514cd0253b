import { cadenceTexts as texts } from '../../texts/en/cadence-texts.ts'
import { Badge, type Hue } from '../../ui/badge.tsx'
import type { Cadence } from './cadence-queries.ts'

const hues: Readonly<Record<Cadence['status'], Hue>> = {
  draft: 'neutral',
  active: 'success',
  paused: 'warning',
  archived: 'neutral',
}

/** A cadence that the system has paused is red, because a user must check it. */
export const StatusBadge = ({ status, paused_reason }: Pick<Cadence, 'status' | 'paused_reason'>) => (
  <Badge hue={paused_reason ? 'danger' : hues[status]}>{texts.statuses[status]}</Badge>
)
