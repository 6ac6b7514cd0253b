import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../../api/queries.ts'
import { useTimeZones } from '../../../patterns/choices/time-zones.ts'
import { customGroups } from '../../../patterns/record/fields/custom-fields.ts'
import { FieldGroups } from '../../../patterns/record/fields/field-groups.tsx'
import { TagEditor } from '../../../patterns/record/fields/tag-editor.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { customFieldsQuery } from '../../../patterns/shared-queries.ts'
import { ProblemState } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { Button } from '../../../ui/button.tsx'
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
  const options = { locale: me.locale, currency: me.tenant.general.currency, timeZones, owner, parent }
  const tags = (changes.pending.tags as string[] | undefined) ?? account.tags
  return (
    <>
      <FieldGroups groups={standardGroups(account, options)} {...{ changes, canEdit, focusRequest }} />
      <PanelSection title={texts.groups.tags}>
        <TagEditor tags={tags} canEdit={canEdit} save={(next) => changes.save({ tags: next })} />
      </PanelSection>
      {can(me, 'custom_fields.read') && <OwnFields {...{ account, changes, canEdit }} />}
    </>
  )
}

/** The fields of the workspace. What they are is read once, when the user first asks for them. */
function OwnFields({ account, changes, canEdit }: Pick<DetailsProps, 'account' | 'changes' | 'canEdit'>) {
  const me = useMe()
  const query = customFieldsQuery('account')
  const [isOpen, setOpen] = useState(() => queryClient.getQueryData(query.queryKey) !== undefined)
  const { data, error, isPending, refetch } = useQuery({ ...query, enabled: isOpen })
  if (!data)
    return (
      <PanelSection title={texts.groups.own}>
        {error ? (
          <ProblemState error={error} part={texts.groups.own} retry={() => void refetch()} />
        ) : (
          <Button size="small" disabled={isOpen && isPending} onClick={() => setOpen(true)}>
            {texts.showOwn}
          </Button>
        )}
      </PanelSection>
    )
  const options = { locale: me.locale, currency: me.tenant.general.currency }
  const groups = customGroups(data, account.custom, options)
  if (groups.length === 0)
    return (
      <PanelSection title={texts.groups.own}>
        <p>{texts.noOwn}</p>
      </PanelSection>
    )
  return <FieldGroups {...{ groups, changes, canEdit }} focusRequest={0} />
}
