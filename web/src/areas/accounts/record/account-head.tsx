import { ChevronDown, ChevronUp, Mail, Phone } from 'lucide-react'
import { useRecordPage } from '../../../patterns/record/record-page.tsx'
import { RecordHead } from '../../../patterns/record-head.tsx'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { accountSource } from '../account-list.ts'
import type { Account } from '../account-queries.ts'
import styles from './account.module.css'
import type { StartActivity } from './account-commands.ts'

type HeadProps = {
  account: Account
  list: object
  /** Left out if the user may not log activities. */
  start: StartActivity | undefined
  menu: readonly MenuItem[]
}

export function AccountHead({ account, list, start, menu }: HeadProps) {
  const { composer } = recordTexts
  return (
    <RecordHead list={{ to: '/accounts', search: list, label: accountListTexts.title }} name={account.name}>
      <Neighbors id={account.id} />
      {start && (
        <>
          <Button icon={<Phone size={15} />} keys="l" className={styles.wide} onClick={() => start('call')}>
            {composer.kinds.call}
          </Button>
          <Button icon={<Mail size={15} />} keys="m" className={styles.wide} onClick={() => start('email')}>
            {composer.kinds.email}
          </Button>
        </>
      )}
      {menu.length > 0 && (
        <MenuButton label={recordTexts.more} icon={<span aria-hidden="true">···</span>} variant="quiet" items={menu} />
      )}
    </RecordHead>
  )
}

/** The ways to the accounts before and after this one in the list that was shown last. */
function Neighbors({ id }: { id: string }) {
  const { position, goTo } = useRecordPage(accountSource, id, accountListTexts.title)
  if (!position) return null
  return (
    <span className={styles.neighbors}>
      <span className="number">{position}</span>
      <IconButton
        label={recordTexts.previous}
        icon={<ChevronUp size={16} />}
        size="small"
        disabled={!goTo.previous}
        onClick={goTo.previous}
      />
      <IconButton
        label={recordTexts.next}
        icon={<ChevronDown size={16} />}
        size="small"
        disabled={!goTo.next}
        onClick={goTo.next}
      />
    </span>
  )
}
