import { GoneRecord } from '../../../patterns/record/gone-record.tsx'
import { can, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { restoreLead } from './delete-lead.ts'

type GoneLeadProps = { id: string; error: unknown; goTo: (id: string) => void; retry: () => void }

export function GoneLead({ id, ...props }: GoneLeadProps) {
  const me = useMe()
  return <GoneRecord texts={texts} restore={can(me, 'leads.write') ? () => restoreLead(id) : undefined} {...props} />
}
