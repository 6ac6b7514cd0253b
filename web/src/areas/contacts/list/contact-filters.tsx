import { AccountName } from '../../../patterns/accounts/account-name.tsx'
import type { FilterDefinition, FilterDialogProps } from '../../../patterns/list/list-definition.ts'
import { contactListTexts as texts } from '../../../texts/en/contact-list-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { FilterKey } from '../contact-search.ts'
import { contactStages } from '../contact-stages.ts'

const AccountPicker = lazyPart(() => import('../../../patterns/accounts/account-picker.tsx'), 'AccountPicker')

export const contactFilters: Readonly<Record<FilterKey, FilterDefinition>> = {
  account: {
    dialog: AccountDialog,
    describe: (value) => (value === 'none' ? texts.noAccount : undefined),
    Value: AccountValue,
  },
  stage: { choices: contactStages.map((value) => ({ value, label: texts.stages[value] })) },
  owner: { dialog: 'owner', excludesNone: true },
  tag: { dialog: 'text' },
  q: { isHidden: true },
}

const none = 'none'

function AccountDialog({ label, choose, close }: FilterDialogProps) {
  return (
    <AccountPicker
      title={texts.filterBy(label)}
      first={[{ id: none, name: texts.noAccount }]}
      choose={({ id }) => choose(id ?? undefined)}
      close={close}
    />
  )
}

function AccountValue({ value }: { value: string }) {
  return value === none ? texts.noAccount : <AccountName id={value} />
}
