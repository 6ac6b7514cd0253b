import { RowCard } from '../../../patterns/list/cells.tsx'
import { Grade } from '../../../ui/badge.tsx'
import { nameOfLead, roleOfLead } from '../lead-names.ts'
import type { LeadRow } from '../lead-queries.ts'
import { ResponseClock } from '../response-clock.tsx'

export const LeadCard = ({ lead, now }: { lead: LeadRow; now: number }) => (
  <RowCard
    name={nameOfLead(lead)}
    figure={
      <>
        <Grade grade={lead.grade} /> {lead.score}
      </>
    }
    detail={roleOfLead(lead)}
    status={<ResponseClock lead={lead} now={now} />}
  />
)
