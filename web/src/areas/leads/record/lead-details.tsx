import { useQuery } from '@tanstack/react-query'
import { customGroups } from '../../../patterns/record/fields/custom-fields.ts'
import { FieldGroups } from '../../../patterns/record/fields/field-groups.tsx'
import { TagEditor } from '../../../patterns/record/fields/tag-editor.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { customFieldsQuery } from '../../../patterns/shared-queries.ts'
import { Skeleton } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { type Lead, sourcesQuery } from '../lead-queries.ts'
import { standardGroups } from './lead-field-groups.ts'

type LeadDetailsProps = {
  lead: Lead | undefined
  changes: SaveFields
  canEdit: boolean
  assign: () => void
  focusRequest: number
}

/** All fields of the lead, editable in place. Only notes and tags of a converted lead can be changed. */
export function LeadDetails({ lead, changes, canEdit, assign, focusRequest }: LeadDetailsProps) {
  const me = useMe()
  const sources = useQuery(sourcesQuery).data ?? []
  const customFields = useQuery({ ...customFieldsQuery('lead'), enabled: can(me, 'custom_fields.read') }).data ?? []
  if (!lead) return <Skeleton rows={6} />
  const options = { locale: me.locale, currency: me.tenant.general.currency, sources, assign }
  const groups = [...standardGroups(lead, options), ...customGroups(customFields, lead.custom, options)]
  const canEditField = (field: string) => lead.status !== 'converted' || field === 'notes'
  const tags = (changes.pending.tags as string[] | undefined) ?? lead.tags
  return (
    <>
      <PanelSection title={texts.tags}>
        <TagEditor tags={tags} canEdit={canEdit} save={(next) => changes.save({ tags: next })} />
      </PanelSection>
      <FieldGroups {...{ groups, changes, canEdit, canEditField, focusRequest }} />
    </>
  )
}
