import { AccountName } from '../../../patterns/accounts/account-name.tsx'
import type { FilterDefinition, FilterDialogProps } from '../../../patterns/list/list-definition.ts'
import { accountListTexts as texts } from '../../../texts/en/account-list-texts.ts'
import { listDialogTexts } from '../../../texts/en/list-dialog-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { accountTypes } from '../account-types.ts'
import type { FilterKey } from '../list-query.ts'

const AccountPicker = lazyPart(() => import('../../../patterns/accounts/account-picker.tsx'), 'AccountPicker')

export const accountFilters: Readonly<Record<FilterKey, FilterDefinition>> = {
  type: { choices: accountTypes.map((value) => ({ value, label: texts.types[value] })) },
  owner: { dialog: 'owner', excludesNone: true },
  industry: { dialog: 'text' },
  parent: { dialog: ParentDialog, Value: ({ value }) => <AccountName id={value} /> },
  tag: { dialog: 'text' },
  q: { isHidden: true },
}

/** Asks for the account whose subsidiaries are listed. */
function ParentDialog({ label, choose, close }: FilterDialogProps) {
  return (
    <AccountPicker
      title={listDialogTexts.filterTitle(label)}
      choose={({ id }) => choose(id ?? undefined)}
      close={close}
    />
  )
}
