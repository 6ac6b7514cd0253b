import { useMe } from '../../../session/me.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const PersonPicker = lazyPart(() => import('../../../patterns/person-picker.tsx'), 'PersonPicker')
const AccountPicker = lazyPart(() => import('../../../patterns/accounts/account-picker.tsx'), 'AccountPicker')

export type AccountDialog = 'owner' | 'parent'
type Chosen = { id: string | null; name: string }

type DialogsProps = {
  dialog: AccountDialog | undefined
  choose: (field: 'owner_id' | 'parent_account_id', choice: Chosen) => void
  close: () => void
}

/** The questions for values that are other records. */
export function AccountDialogs({ dialog, choose, close }: DialogsProps) {
  const me = useMe()
  const pick = (field: Parameters<DialogsProps['choose']>[0]) => (choice: Chosen) => {
    close()
    choose(field, choice)
  }
  if (dialog === 'parent')
    return (
      <AccountPicker
        title={texts.fields.parent_account_id}
        first={[{ id: null, name: texts.noParent }]}
        choose={pick('parent_account_id')}
        close={close}
      />
    )
  if (dialog === 'owner')
    return (
      <PersonPicker
        title={texts.commands.assign}
        first={[
          { id: me.id, name: me.name },
          { id: null, name: texts.noOwner },
        ]}
        choose={pick('owner_id')}
        close={close}
      />
    )
  return null
}
