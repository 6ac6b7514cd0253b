import { contactListTexts as texts } from '../../texts/en/contact-list-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { type ContactStage, hueOfStage } from './contact-stages.ts'

export const StageBadge = ({ stage }: { stage: ContactStage }) => (
  <Badge hue={hueOfStage[stage]}>{texts.stages[stage]}</Badge>
)
