import type { ReactNode } from 'react'
import { useMe } from '../../app/me.ts'
import { useNow } from '../../patterns/use-now.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { formatDateTime, formatMoney, formatNumber, formatSince } from '../../ui/format.ts'
import styles from './panel.module.css'
import type { Profile } from './people-queries.ts'
import type { Person } from './people-search.ts'

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h3>{title}</h3>
    {children}
  </section>
)

const Field = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children || <span className={styles.none}>{peopleTexts.none}</span>}</dd>
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
    <Section title={peopleTexts.records}>
      <dl className={styles.figures}>
        {records.map(([kind, count]) => (
          <div key={kind}>
            <dt>{peopleTexts.owned[kind]}</dt>
            <dd>{formatNumber(count, me.locale)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

export function PersonDetails({ person }: { person: Person }) {
  const { locale } = useMe()
  const { fields } = peopleTexts
  return (
    <Section title={peopleTexts.details}>
      <dl className={styles.fields}>
        <Field label={fields.email}>
          <a href={`mailto:${person.email}`}>{person.email}</a>
        </Field>
        <Field label={fields.title}>{person.title}</Field>
        <Field label={fields.phone}>{person.phone && <a href={`tel:${person.phone}`}>{person.phone}</a>}</Field>
        <Field label={fields.manager}>{person.manager?.name}</Field>
        <Field label={fields.teams}>{person.teams.map(({ name }) => name).join(', ')}</Field>
        <Field label={fields.timezone}>{person.timezone.replaceAll('_', ' ')}</Field>
        <Field label={fields.forecast_participant}>
          {person.forecast_participant ? peopleTexts.yes : peopleTexts.no}
        </Field>
        {person.quarterly_quota && <Field label={fields.quota}>{formatMoney(person.quarterly_quota, locale)}</Field>}
      </dl>
    </Section>
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
    <Section title={peopleTexts.access}>
      <dl className={styles.fields}>
        <Field label={fields.lastLogin}>{showTime(person.last_login_at)}</Field>
        <Field label={fields.lastSeen}>{showTime(person.last_seen_at)}</Field>
        <Field label={fields.methods}>{person.auth_methods.map(peopleTexts.methods).join(', ')}</Field>
        <Field label={fields.verified}>{person.email_verified_at ? peopleTexts.yes : peopleTexts.no}</Field>
      </dl>
    </Section>
  )
}
