import type { Schemas } from '../api/client.ts'
import { contactListTexts as texts } from '../texts/en/contact-list-texts.ts'
import { Badge, type Hue } from '../ui/badge.tsx'

type Stage = Schemas['Contact']['lifecycle_stage']

const hueOfStage: Readonly<Record<Stage, Hue>> = {
  subscriber: 'neutral',
  lead: 'info',
  mql: 'teal',
  sql: 'warning',
  opportunity: 'violet',
  customer: 'success',
  evangelist: 'success',
  former_customer: 'neutral',
}

/** The lifecycle stage of a contact. */
export const StageBadge = ({ stage }: { stage: Stage }) => <Badge hue={hueOfStage[stage]}>{texts.stages[stage]}</Badge>
