import { useQuery } from '@tanstack/react-query'
import { useTimeZones } from '../../../patterns/choices/time-zones.ts'
import { customGroups } from '../../../patterns/record/fields/custom-fields.ts'
import { FieldGroups } from '../../../patterns/record/fields/field-groups.tsx'
import { TagEditor } from '../../../patterns/record/fields/tag-editor.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { customFieldsQuery } from '../../../patterns/shared-queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import type { Account } from '../account-queries.ts'
import { type Chosen, standardGroups } from './account-field-groups.ts'

type DetailsProps = {
  account: Account
  changes: SaveFields
  canEdit: boolean
  owner: Chosen
  parent: Chosen
  focusRequest: number
}

/** All fields of the account, editable in place. */
export function AccountDetails({ account, changes, canEdit, owner, parent, focusRequest }: DetailsProps) {
  const me = useMe()
  const timeZones = useTimeZones(account.timezone ?? 'UTC')
  const ownFields = useQuery({ ...customFieldsQuery('account'), enabled: can(me, 'custom_fields.read') }).data ?? []
  const options = { locale: me.locale, currency: me.tenant.general.currency, timeZones, owner, parent }
  const groups = [...standardGroups(account, options), ...customGroups(ownFields, account.custom, options)]
  const tags = (changes.pending.tags as string[] | undefined) ?? account.tags
  return (
    <>
      <FieldGroups {...{ groups, changes, canEdit, focusRequest }} />
      <PanelSection title={texts.groups.tags}>
        <TagEditor tags={tags} canEdit={canEdit} save={(next) => changes.save({ tags: next })} />
      </PanelSection>
    </>
  )
}
