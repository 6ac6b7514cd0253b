import { useQuery } from '@tanstack/react-query'
import { customGroups } from '../../../patterns/record/fields/custom-fields.ts'
import { FieldGroups } from '../../../patterns/record/fields/field-groups.tsx'
import { TagEditor } from '../../../patterns/record/fields/tag-editor.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { customFieldsQuery } from '../../../patterns/shared-queries.ts'
import { Skeleton } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import type { Contact } from '../contact-queries.ts'
import { type ChosenRecords, standardGroups } from './contact-fields.ts'

type ContactDetailsProps = {
  contact: Contact | undefined
  changes: SaveFields
  canEdit: boolean
  chosen: ChosenRecords
  assign: () => void
  chooseAccount: () => void
  focusRequest: number
}

/** All fields of the contact, editable in place. */
export function ContactDetails({ contact, changes, canEdit, focusRequest, ...actions }: ContactDetailsProps) {
  const me = useMe()
  const { data: customFields = [] } = useQuery({
    ...customFieldsQuery('contact'),
    enabled: can(me, 'custom_fields.read'),
  })
  if (!contact) return <Skeleton rows={6} />
  const { locale, tenant } = me
  const groups = [
    ...standardGroups(contact, { locale, ...actions }),
    ...customGroups(customFields, contact.custom, { locale, currency: tenant.general.currency }),
  ]
  const tags = (changes.pending.tags as string[] | undefined) ?? contact.tags
  return (
    <>
      <PanelSection title={texts.tags}>
        <TagEditor tags={tags} canEdit={canEdit} save={(next) => changes.save({ tags: next })} />
      </PanelSection>
      <FieldGroups {...{ groups, changes, canEdit, focusRequest }} />
    </>
  )
}
