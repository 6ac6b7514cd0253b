import { Link } from '@tanstack/react-router'
import { Building2, Tag } from 'lucide-react'
import { toPhoneUrl, toWebUrl } from '../../../patterns/contact-links/contact-links.ts'
import { badgeButtonClass, OwnerBadge } from '../../../patterns/record/record-who.tsx'
import { useMe } from '../../../session/me.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import type { Account } from '../account-queries.ts'
import { type AccountType, accountTypes } from '../account-types.ts'
import { TypeBadge } from '../type-badge.tsx'
import styles from './account.module.css'

const shownTags = 3

type WhoProps = {
  account: Account
  ownerName: string | undefined
  isUnsaved: boolean
  setType: (type: AccountType) => void
  /** Left out if the user may not change the account. */
  assign: (() => void) | undefined
}

/** Shows what the company is, and the state of the record as badges. */
export function AccountWho({ account, ownerName, isUnsaved, setType, assign }: WhoProps) {
  const { locale } = useMe()
  const { name, type, industry, employee_count: employees, address, domain, website, phone, parent, tags } = account
  const url = toWebUrl(website ?? domain)
  const facts = [
    industry,
    address?.city,
    employees !== null && texts.employees(employees, formatNumber(employees, locale)),
  ].filter(Boolean)
  return (
    <div className={styles.who}>
      <Avatar name={name} size="large" isCompany />
      <div>
        <p className={styles.facts}>
          {facts.length > 0 && <span>{facts.join(' · ')}</span>}
          {url && (
            <a href={url} target="_blank" rel="noreferrer">
              {domain ?? website}
            </a>
          )}
          {phone && (
            <a href={toPhoneUrl(phone)} className="number">
              {phone}
            </a>
          )}
        </p>
        <div className={styles.badges}>
          {assign ? (
            <MenuButton
              variant="plain"
              align="start"
              className={badgeButtonClass}
              label={texts.changeType(accountListTexts.types[type])}
              items={accountTypes.map((value) => ({
                kind: 'choice',
                label: accountListTexts.types[value],
                isChosen: value === type,
                run: () => setType(value),
              }))}
            >
              <TypeBadge type={type} />
            </MenuButton>
          ) : (
            <TypeBadge type={type} />
          )}
          <OwnerBadge name={ownerName} assign={assign} />
          {parent && (
            <Link to="/accounts/$accountId" params={{ accountId: parent.id }} className={badgeButtonClass}>
              <span className="visually-hidden">{texts.fields.parent_account_id}: </span>
              <Badge hue="neutral" hasDot={false}>
                <Building2 size={13} aria-hidden="true" />
                {parent.name}
              </Badge>
            </Link>
          )}
          {tags.slice(0, shownTags).map((tag) => (
            <Badge key={tag} hue="neutral" hasDot={false}>
              <Tag size={13} aria-hidden="true" />
              {tag}
            </Badge>
          ))}
          {isUnsaved && <Badge hue="warning">{recordTexts.notSaved}</Badge>}
        </div>
      </div>
    </div>
  )
}
