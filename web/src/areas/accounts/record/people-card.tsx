import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Mail, MailX, Phone, PhoneOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { toPhoneUrl } from '../../../patterns/contact-links/contact-links.ts'
import { StageBadge } from '../../../patterns/stage-badge.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { recordPartTexts } from '../../../texts/en/record-part-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { formatNumber, formatSince } from '../../../ui/format.ts'
import type { Account } from '../account-queries.ts'
import styles from './related.module.css'
import { RelatedCard } from './related-card.tsx'
import { type AccountPerson, accountPeopleQuery } from './related-queries.ts'
import { countActive, sortPeople } from './related-records.ts'

const texts = accountTexts.people

export function PeopleCard({ account }: { account: Account }) {
  const { locale } = useMe()
  const now = useNow()
  const query = useInfiniteQuery(accountPeopleQuery(account.id))
  const people = sortPeople(query.data?.pages.flatMap(({ items }) => items) ?? [])
  const active = countActive(people, now)
  const { columns } = texts
  return (
    <RelatedCard
      texts={texts}
      query={query}
      rows={people}
      shownFirst={3}
      summary={
        people.length > 0 && !query.hasNextPage && accountTexts.tiles.active(active, formatNumber(active, locale))
      }
      empty={{ title: texts.noneTitle, text: texts.noneText }}
      renderRows={(shown) => (
        <table className={`${styles.table} ${styles.people}`}>
          <thead>
            <tr>
              <th scope="col">{columns.name}</th>
              <th scope="col">{columns.title}</th>
              <th scope="col">{columns.stage}</th>
              <th scope="col">{columns.activity}</th>
              <th scope="col">
                <span className="visually-hidden">{columns.reach}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <PersonRow key={person.id} person={person} now={now} locale={locale} />
            ))}
          </tbody>
        </table>
      )}
    />
  )
}

function PersonRow({ person, now, locale }: { person: AccountPerson; now: number; locale: string }) {
  const { id, title, lifecycle_stage: stage, last_activity_at: at } = person
  const name = person.name ?? person.email ?? texts.noName
  return (
    <tr>
      <th scope="row">
        <Link to={`/contacts/${id}` as string} className={styles.name}>
          <Avatar name={name} />
          <b>{name}</b>
        </Link>
      </th>
      <td className={styles.title}>{title}</td>
      <td className={styles.second}>
        <StageBadge stage={stage} />
      </td>
      <td className={styles.soft}>{at ? formatSince(at, now, locale) : accountTexts.tiles.never}</td>
      <td className={styles.reach}>
        <Reach person={person} name={name} />
      </td>
    </tr>
  )
}

/** Calls and writes to the person. What the person does not want is crossed out and says why. */
function Reach({ person, name }: { person: AccountPerson; name: string }) {
  const { email, phone, phone_e164, email_status, call_status, processing_restricted } = person
  const restricted = processing_restricted ? recordPartTexts.restricted : undefined
  const noCall = restricted ?? (call_status === 'do_not_call' ? recordPartTexts.doNotCall : undefined)
  const noEmail =
    restricted ?? recordPartTexts.emailStatuses[email_status as keyof typeof recordPartTexts.emailStatuses]
  return (
    <>
      {phone &&
        (noCall ? (
          <Blocked icon={<PhoneOff size={15} />} reason={noCall} />
        ) : (
          <a href={toPhoneUrl(phone, phone_e164)} aria-label={texts.call(name)} title={phone}>
            <Phone size={15} aria-hidden="true" />
          </a>
        ))}
      {email &&
        (noEmail ? (
          <Blocked icon={<MailX size={15} />} reason={noEmail} />
        ) : (
          <a href={`mailto:${encodeURIComponent(email)}`} aria-label={texts.write(name)} title={email}>
            <Mail size={15} aria-hidden="true" />
          </a>
        ))}
    </>
  )
}

const Blocked = ({ icon, reason }: { icon: ReactNode; reason: string }) => (
  <span className={styles.blocked} title={reason}>
    {icon}
    <span className="visually-hidden">{reason}</span>
  </span>
)
