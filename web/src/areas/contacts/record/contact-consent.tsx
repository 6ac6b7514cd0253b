import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { updateContactConsent } from '../../../api/access.gen.ts'
import { labelOfKey } from '../../../patterns/label-of-key.ts'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { may, useMe } from '../../../session/me.ts'
import { contactConsentTexts as texts } from '../../../texts/en/contact-consent-texts.ts'
import { Badge, type Hue } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from './consent.module.css'
import { type Consent, consentQuery } from './consent-api.ts'

const ConsentDialog = lazyPart(() => import('./consent-dialog.tsx'), 'ConsentDialog')

const hues: Readonly<Record<Consent['email' | 'phone']['status'], Hue>> = {
  unknown: 'neutral',
  subscribed: 'success',
  unsubscribed: 'danger',
  bounced: 'danger',
  complained: 'danger',
  allowed: 'success',
  do_not_call: 'danger',
}

/** Shows what the person has agreed to, since when and how, with all changes. */
export function ContactConsent({ id }: { id: string }) {
  const me = useMe()
  const { data, error, isPending, refetch } = useQuery(consentQuery(id))
  const [isChanging, setChanging] = useState(false)
  if (isPending) return <Skeleton rows={4} />
  if (error) return <ProblemState error={error} part={texts.part} retry={() => void refetch()} />
  const { email, phone, processing_restricted: isRestricted, history } = data
  return (
    <>
      <PanelSection title={texts.current}>
        <dl className={styles.channels}>
          <Channel label={texts.channels.email} state={email} />
          <Channel label={texts.channels.phone} state={phone} />
          <div>
            <dt>{texts.channels.processing}</dt>
            <dd>
              <Badge hue={isRestricted ? 'danger' : 'neutral'}>
                {isRestricted ? texts.states.restricted : texts.states.unrestricted}
              </Badge>
            </dd>
          </div>
        </dl>
        {may(me, updateContactConsent) && (
          <Button size="small" onClick={() => setChanging(true)}>
            {texts.change}
          </Button>
        )}
      </PanelSection>
      <PanelSection title={texts.history}>
        {history.length === 0 ? (
          <p className={styles.muted}>{texts.noHistory}</p>
        ) : (
          <ul className={styles.history}>
            {history.map((change) => (
              <HistoryLine key={change.id} change={change} />
            ))}
          </ul>
        )}
      </PanelSection>
      {isChanging && <ConsentDialog id={id} consent={data} close={() => setChanging(false)} />}
    </>
  )
}

function Channel({ label, state }: { label: string; state: Consent['email' | 'phone'] }) {
  const { locale } = useMe()
  const { status, basis, source, at } = state
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Badge hue={hues[status]}>{texts.states[status]}</Badge>
        <small>
          {[basis && texts.bases[basis as keyof typeof texts.bases], source && labelOfKey(source)]
            .filter(Boolean)
            .join(' · ')}
          {at && ` · ${formatDateTime(at, locale)}`}
        </small>
      </dd>
    </div>
  )
}

function HistoryLine({ change }: { change: Consent['history'][number] }) {
  const { locale } = useMe()
  const { channel, from, to, basis, source, evidence, at } = change
  return (
    <li>
      <b>{texts.channels[channel]}</b> {texts.changed(labelOfState(from), labelOfState(to))}
      <small>
        {[formatDateTime(at, locale), texts.bases[basis as keyof typeof texts.bases], labelOfKey(source)]
          .filter(Boolean)
          .join(' · ')}
      </small>
      {evidence && <blockquote className={styles.evidence}>{evidence}</blockquote>}
    </li>
  )
}

const labelOfState = (state: string): string =>
  (texts.states as Readonly<Record<string, string>>)[state] ?? labelOfKey(state)
