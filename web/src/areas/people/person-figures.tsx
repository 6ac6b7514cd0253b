import type { ReactNode } from 'react'
import { PanelSection } from '../../patterns/record/record-panel.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { formatDateTime, formatNumber, formatSince } from '../../ui/format.ts'
import styles from './panel.module.css'
import type { Profile } from './people-queries.ts'
import type { Person } from './people-search.ts'

const Field = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

/** The number of records per kind, without those that the caller may not see. */
export const ownedRecordsOf = (book: Profile['book']): [kind: keyof typeof peopleTexts.owned, count: number][] =>
  (
    [
      ['leads', book.leads?.owned],
      ['contacts', book.contacts?.owned],
      ['accounts', book.accounts?.owned],
      ['deals', book.opportunities?.open_count],
    ] as const
  ).flatMap(([kind, count]) => (count === undefined ? [] : [[kind, count]]))

export function OwnedRecords({ book }: { book: Profile['book'] }) {
  const me = useMe()
  const records = ownedRecordsOf(book)
  if (records.length === 0) return null
  return (
    <PanelSection title={peopleTexts.records}>
      <dl className={styles.figures}>
        {records.map(([kind, count]) => (
          <div key={kind}>
            <dt>{peopleTexts.owned[kind]}</dt>
            <dd>{formatNumber(count, me.locale)}</dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  )
}

/** Only the person and admins see these fields; for others they are null. */
export function SignInDetails({ person }: { person: Person }) {
  const { locale } = useMe()
  const now = useNow()
  const { fields } = peopleTexts
  if (person.auth_methods === null) return null
  const showTime = (at: string | null) =>
    at ? (
      <time dateTime={at} title={formatDateTime(at, locale)}>
        {formatSince(at, now, locale)}
      </time>
    ) : (
      peopleTexts.never
    )
  return (
    <PanelSection title={peopleTexts.access}>
      <dl className={styles.fields}>
        <Field label={fields.lastLogin}>{showTime(person.last_login_at)}</Field>
        <Field label={fields.lastSeen}>{showTime(person.last_seen_at)}</Field>
        <Field label={fields.methods}>
          {person.auth_methods.map(peopleTexts.methods).join(', ') || peopleTexts.noMethod}
        </Field>
        <Field label={fields.verified}>{person.email_verified_at ? peopleTexts.yes : peopleTexts.no}</Field>
      </dl>
    </PanelSection>
  )
}
