import { campaignListTexts as texts } from '../../texts/en/campaign-list-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { type CampaignStatus, hueOfStatus } from './campaign-status.ts'

export const StatusBadge = ({ status }: { status: CampaignStatus }) => (
  <Badge hue={hueOfStatus[status]}>{texts.statuses[status]}</Badge>
)
