import { useQuery } from '@tanstack/react-query'
import { FieldList } from '../../../patterns/record/field-list.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { Skeleton } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { customFieldsQuery, type Lead, sourcesQuery } from '../lead-queries.ts'
import { customGroups } from './custom-fields.ts'
import { standardGroups } from './field-groups.ts'
import { TagEditor } from './tag-editor.tsx'

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
  const customFields = useQuery({ ...customFieldsQuery, enabled: can(me, 'custom_fields.read') }).data ?? []
  if (!lead) return <Skeleton rows={6} />
  const options = { locale: me.locale, currency: me.tenant.general.currency, sources, assign }
  const [first, ...groups] = [...standardGroups(lead, options), ...customGroups(customFields, lead.custom, options)]
  const canEditField = (field: string) => canEdit && (lead.status !== 'converted' || field === 'notes')
  const tags = (changes.pending.tags as string[] | undefined) ?? lead.tags
  return (
    <>
      <PanelSection title={texts.tags}>
        <TagEditor tags={tags} canEdit={canEdit} save={(next) => changes.save({ tags: next })} />
      </PanelSection>
      {[first!, ...groups].map(({ title, fields }) => (
        <PanelSection key={title} title={title}>
          <FieldList
            fields={fields.map((field) => ({ ...field, isReadOnly: field.isReadOnly || !canEditField(field.field) }))}
            changes={changes}
            canEdit={canEdit}
            focusRequest={title === first!.title ? focusRequest : 0}
          />
        </PanelSection>
      ))}
    </>
  )
}
